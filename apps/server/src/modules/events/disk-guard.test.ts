import { describe, expect, it } from 'vitest'
import { Problem } from '../../http/problem.ts'
import { DiskGuard } from './disk-guard.ts'

function guardOf(shares: readonly (number | Error)[], folder: string | undefined = 'data') {
  const changes: boolean[] = []
  const left = [...shares]
  const guard = new DiskGuard({
    folder,
    onChange: (full) => changes.push(full),
    async freeShare() {
      const share = left.shift() ?? 1
      if (share instanceof Error) throw share
      return share
    },
  })
  return { guard, changes }
}

function refusalOf(guard: DiskGuard): unknown {
  try {
    guard.requireRoom()
    return undefined
  } catch (error) {
    return error
  }
}

describe('the disk guard', () => {
  it('takes events while a twentieth of the disk is free', async () => {
    const { guard } = guardOf([0.05])
    await guard.check()
    expect(refusalOf(guard)).toBeUndefined()
  })

  it('refuses events with 503 and a time to come back when less is free', async () => {
    const { guard } = guardOf([0.049])
    await guard.check()
    const refusal = refusalOf(guard)
    expect(refusal).toBeInstanceOf(Problem)
    expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
  })

  it('takes events again once there is room, and tells of each change once', async () => {
    const { guard, changes } = guardOf([0.01, 0.01, 0.5, 0.5])
    for (let i = 0; i < 4; i++) await guard.check()
    expect(refusalOf(guard)).toBeUndefined()
    expect(changes).toEqual([true, false])
  })

  it('takes events when the disk cannot be looked at', async () => {
    const { guard } = guardOf([new Error('gone')])
    await guard.check()
    expect(refusalOf(guard)).toBeUndefined()
  })

  it('looks at once when it starts, not after the first interval', async () => {
    const { guard, changes } = guardOf([0.01])
    guard.start()
    await new Promise(setImmediate)
    guard.stop()
    expect(changes).toEqual([true])
  })

  it('looks at no disk when the database is elsewhere', async () => {
    const changes: boolean[] = []
    const guard = new DiskGuard({
      folder: undefined,
      onChange: (full) => changes.push(full),
      freeShare: async () => 0,
    })
    guard.start()
    await guard.check()
    guard.stop()
    expect(changes).toEqual([])
  })

  it('can read the share of a real folder', async () => {
    const changes: boolean[] = []
    const guard = new DiskGuard({ folder: import.meta.dirname, onChange: (f) => changes.push(f) })
    await guard.check()
    expect(changes.length).toBeLessThanOrEqual(1)
  })
})
