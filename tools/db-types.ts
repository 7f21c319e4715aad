import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'
import { describeTables, tableTypesFile } from './table-types.ts'

writeFileSync(join(root, tableTypesFile), await describeTables())
console.log(`Wrote ${tableTypesFile}.`)
