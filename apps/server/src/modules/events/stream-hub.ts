import type pg from 'pg'
import {
  currentPosition,
  formatPosition,
  positionOf,
  readSince,
  type CommitPosition,
  type SequencedRow,
} from './commit-order.repo.ts'
import { startLoop, type Loop } from './loop.ts'
import { toSecurityEvent } from './stored-event.ts'

/** One open stream. `write` answers false once its reader has fallen too far behind. */
export interface Listener {
  write(frame: string): boolean
  end(): void
}

interface Channel {
  /** Everything up to here has been written to every listener. */
  position: CommitPosition
  readonly listeners: Set<Listener>
  due: boolean
}

const FRAME_EVENTS_MAX = 100
/** At most ten frames a second for each app, and a look once a second even if no notice came. */
const FRAME_EVERY_MS = 100
const FALLBACK_MS = 1_000

/**
 * Reads what is new once for each app and writes the same frame to all of its streams. It reads in
 * commit order from the database, so it does not matter which node took an event in.
 */
export class StreamHub {
  readonly #pool: pg.Pool
  readonly #channels = new Map<string, Channel>()
  readonly #loop: Loop
  #lastLookAll = 0

  constructor(pool: pg.Pool, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#loop = startLoop({ pauseMs: FALLBACK_MS, work: async () => this.#pump(), onError })
  }

  get size(): number {
    let size = 0
    for (const { listeners } of this.#channels.values()) size += listeners.size
    return size
  }

  /** Some node stored events of these apps. */
  hint(appIds: Iterable<string>): void {
    let any = false
    for (const appId of appIds) {
      const channel = this.#channels.get(appId)
      if (channel === undefined) continue
      channel.due = true
      any = true
    }
    if (any) this.#loop.ring()
  }

  /** Writes what the listener missed since `resume`, then everything new, without gap or repeat. */
  async join(appId: string, listener: Listener, resume: CommitPosition | undefined): Promise<void> {
    const known = this.#channels.get(appId)
    let position = resume ?? known?.position ?? (await currentPosition(this.#pool))
    for (;;) {
      const channel = this.#channels.get(appId)
      const goal = channel?.position
      // Caught up with the channel, or first of its app: from here on one read serves everybody.
      if (goal === undefined || comparePositions(position, goal) >= 0) break
      const rows = await readSince(this.#pool, appId, position, FRAME_EVENTS_MAX)
      const until = rows.filter((row) => comparePositions(positionOf(row), goal) <= 0)
      const last = until.at(-1)
      if (last === undefined) break
      if (!listener.write(frameOf(until))) return listener.end()
      position = positionOf(last)
    }
    const channel = this.#channels.get(appId) ?? {
      position,
      listeners: new Set<Listener>(),
      due: true,
    }
    this.#channels.set(appId, channel)
    channel.listeners.add(listener)
    this.#loop.ring()
  }

  leave(appId: string, listener: Listener): void {
    const channel = this.#channels.get(appId)
    if (channel === undefined) return
    channel.listeners.delete(listener)
    if (channel.listeners.size === 0) this.#channels.delete(appId)
  }

  async close(): Promise<void> {
    await this.#loop.stop()
    for (const { listeners } of this.#channels.values())
      for (const listener of listeners) listener.end()
    this.#channels.clear()
  }

  async #pump(): Promise<boolean> {
    const startedAt = performance.now()
    if (startedAt - this.#lastLookAll >= FALLBACK_MS - FRAME_EVERY_MS) {
      this.#lastLookAll = startedAt
      for (const channel of this.#channels.values()) channel.due = true
    }
    let more = false
    for (const [appId, channel] of this.#channels) {
      if (!channel.due) continue
      channel.due = false
      const full = await this.#deliver(appId, channel)
      if (full) channel.due = more = true
    }
    const spent = performance.now() - startedAt
    if (!more && spent < FRAME_EVERY_MS) await pauseFor(FRAME_EVERY_MS - spent)
    return more
  }

  async #deliver(appId: string, channel: Channel): Promise<boolean> {
    const rows = await readSince(this.#pool, appId, channel.position, FRAME_EVENTS_MAX)
    const last = rows.at(-1)
    if (last === undefined) return false
    channel.position = positionOf(last)
    const frame = frameOf(rows)
    for (const listener of channel.listeners) {
      if (listener.write(frame)) continue
      // It resumes by itself from the last frame it got: cut off, but nothing is lost.
      this.leave(appId, listener)
      listener.end()
    }
    return rows.length === FRAME_EVENTS_MAX
  }
}

function frameOf(rows: readonly SequencedRow[]): string {
  const last = rows.at(-1)
  const id = last === undefined ? '' : formatPosition(positionOf(last))
  return `event: events\nid: ${id}\ndata: ${JSON.stringify(rows.map(toSecurityEvent))}\n\n`
}

function comparePositions(a: CommitPosition, b: CommitPosition): number {
  const [x, y] = [BigInt(a.xid), BigInt(b.xid)]
  if (x !== y) return x < y ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

async function pauseFor(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
