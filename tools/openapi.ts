import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiText } from './openapi-text.ts'
import { root } from './root.mjs'

writeFileSync(join(root, 'openapi.json'), openApiText())
console.log('Wrote openapi.json.')
