import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApiText } from './openapi-text.ts'
import { root } from './root.mjs'

describe('openapi.json', () => {
  it('equals what the contract generates now; `npm run openapi` writes it', () => {
    // Compared as a flag: a difference of thousands of lines would bury the sentence above.
    const isFresh = readFileSync(join(root, 'openapi.json'), 'utf8') === openApiText()
    expect(isFresh).toBe(true)
  })
})
