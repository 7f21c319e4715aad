import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@merlon/contract'
import { root } from './root.mjs'

/** Writes the published contract. The structure test fails when the committed file differs from it. */
const file = join(root, 'openapi.json')
const document = openApiDocument()
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
console.log(`Wrote ${Object.keys(document.paths).length} paths to openapi.json.`)
