import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'merlon-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('withLock', () => {
  it('lets the second wait until the first is done', async () => {
    const path = join(folder, 'turns')
    const turns: string[] = []
    const work = (name: string) => async () => {
      turns.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      turns.push(`${name} ends`)
    }
    await Promise.all([withLock(path, work('a')), withLock(path, work('b'))])
    expect(turns).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('takes over the lock of a process that has died', async () => {
    const path = join(folder, 'dead')
    // Linux gives no process a number this high, and other systems have smaller ones still.
    writeFileSync(path, '4194999')
    expect(await withLock(path, () => 'done')).toBe('done')
  })

  it('is free again after work that failed', async () => {
    const path = join(folder, 'failed')
    const failing = withLock(path, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })
})
