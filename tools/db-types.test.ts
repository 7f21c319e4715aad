import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './root.mjs'
import { describeTables, tableTypesFile } from './table-types.ts'

describe(tableTypesFile, () => {
  it('describes the tables that the migrations make; `npm run db:types` writes it', async () => {
    expect(readFileSync(join(root, tableTypesFile), 'utf8')).toBe(await describeTables())
  })
})
