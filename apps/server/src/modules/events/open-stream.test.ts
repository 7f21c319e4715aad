import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openEventStream } from '../../../testing/event-stream.ts'
import { openStream } from './open-stream.ts'
import type { Listener } from './stream-hub.ts'

const frame = (length: number): string => `event: events\ndata: ${'x'.repeat(length)}\n\n`

describe('an open stream', () => {
  let server: Server | undefined
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  })
  /** A real connection with the writing end and the reading end. */
  const open = async (heartbeatMs?: number) => {
    let closed = 0
    const listeners: Listener[] = []
    server = createServer((_request, raw) => {
      const onClose = (): void => void closed++
      const beat = heartbeatMs === undefined ? {} : { heartbeatMs }
      listeners.push(openStream(raw, { headers: { 'x-request-id': 'r' }, onClose, ...beat }))
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const reading = await openEventStream(`http://127.0.0.1:${port}/`)
    const [listener] = listeners
    if (listener === undefined) throw new Error('Nobody came.')
    return { listener, reading, closed: () => closed }
  }

  it('says hello, and how soon to come again', async () => {
    const { reading } = await open()
    await vi.waitFor(() => expect(reading.frames).toHaveLength(1))
    expect(reading.frames[0]).toEqual({ event: 'connected', id: undefined, data: '{}' })
    reading.close()
  })

  it('shows again and again that it lives, with frames that carry no id', async () => {
    const { reading } = await open(10)
    await vi.waitFor(() => expect(reading.frames.length).toBeGreaterThan(3))
    expect(reading.frames.slice(1, 4)).toEqual(
      Array(3).fill({ event: 'heartbeat', id: undefined, data: '{}' }),
    )
    reading.close()
  })

  it('beats every 30 seconds unless it is told otherwise', async () => {
    const beat = vi.spyOn(globalThis, 'setInterval')
    const { reading } = await open()
    expect(beat.mock.calls.map(([, ms]) => ms)).toContain(30_000)
    beat.mockRestore()
    reading.close()
  })

  it('tells when its reader is gone, once, and takes no more', async () => {
    const { listener, reading, closed } = await open(10)
    reading.close()
    await vi.waitFor(() => expect(closed()).toBe(1))
    expect(listener.write(frame(1))).toBe(false)
    await listener.drained()
    listener.end()
    expect(closed()).toBe(1)
  })

  it('takes a frame of any size from a reader who has nothing waiting', async () => {
    const { listener, reading } = await open()
    expect(listener.write(frame(8 * 1024 * 1024))).toBe(true)
    await vi.waitFor(() => expect(reading.frames).toHaveLength(2), { timeout: 10_000 })
    reading.close()
  })

  it('takes no more once a megabyte waits for its reader', async () => {
    const { listener, reading } = await open()
    reading.pause()
    let taken = 0
    while (listener.write(frame(256 * 1024))) taken++
    expect(taken).toBeGreaterThanOrEqual(4)
    expect(taken).toBeLessThan(200)
    reading.close()
  })

  it('can be waited for until its reader has caught up', async () => {
    const { listener, reading } = await open()
    reading.pause()
    while (listener.write(frame(256 * 1024)));
    reading.resume()
    await listener.drained()
    expect(listener.write(frame(1))).toBe(true)
    reading.close()
  })
})
