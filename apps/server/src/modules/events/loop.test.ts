import { describe, expect, it, vi } from 'vitest'
import { createGate } from '../../../testing/job-worker.ts'
import { startLoop } from './loop.ts'

const LONG_MS = 60_000
const quiet = () => undefined

describe('a loop', () => {
  it('works on without a pause while there is more to do', async () => {
    let left = 5
    const loop = startLoop({ pauseMs: LONG_MS, work: async () => --left > 0, onError: quiet })
    await vi.waitFor(() => expect(left).toBe(0))
    await loop.stop()
    expect(left).toBe(0)
  })

  it('works again when it is rung', async () => {
    let calls = 0
    const loop = startLoop({ pauseMs: LONG_MS, work: async () => ++calls < 0, onError: quiet })
    await vi.waitFor(() => expect(calls).toBe(1))
    await new Promise(setImmediate)
    loop.ring()
    await vi.waitFor(() => expect(calls).toBe(2))
    await loop.stop()
  })

  it('works again when it was rung in the middle of its work', async () => {
    let calls = 0
    const gate = createGate()
    const work = async () => {
      calls++
      await gate.opened
      return false
    }
    const loop = startLoop({ pauseMs: LONG_MS, work, onError: quiet })
    loop.ring()
    gate.open()
    await vi.waitFor(() => expect(calls).toBe(2))
    await loop.stop()
  })

  it('works again by itself after the pause', async () => {
    let calls = 0
    const loop = startLoop({ pauseMs: 5, work: async () => ++calls < 0, onError: quiet })
    await vi.waitFor(() => expect(calls).toBeGreaterThan(2))
    await loop.stop()
  })

  it('tells of an error and goes on', async () => {
    const errors: unknown[] = []
    let calls = 0
    const work = async () => {
      if (++calls === 1) throw new Error('once')
      return false
    }
    const loop = startLoop({ pauseMs: 5, work, onError: (error) => errors.push(error) })
    await vi.waitFor(() => expect(calls).toBeGreaterThan(1))
    await loop.stop()
    expect(errors).toEqual([new Error('once')])
  })

  it('stops only when the work under way has ended', async () => {
    const gate = createGate()
    let ended = false
    const work = async () => {
      await gate.opened
      ended = true
      return true
    }
    const loop = startLoop({ pauseMs: LONG_MS, work, onError: quiet })
    const stopped = loop.stop().then(() => ended)
    gate.open()
    expect(await stopped).toBe(true)
  })
})
