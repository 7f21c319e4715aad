import type pg from 'pg'
import {
  comparePositions,
  currentPosition,
  positionOf,
  readSince,
  type CommitPosition,
  type SequencedRow,
} from './commit-order.repo.ts'
import { startLoop, type Loop } from './loop.ts'
import { listOpenApps } from './open-apps.repo.ts'
import { framesOf } from './stream-frames.ts'

/** One open stream. */
export interface Listener {
  /** Takes any number of frames; answers false once its reader has fallen too far behind. */
  write(frames: string): boolean
  /** Until the reader has taken most of what waits for it, or is gone. */
  drained(): Promise<void>
  end(): void
}

interface Channel {
  /** Everything up to here has been written to every listener. */
  position: CommitPosition
  /** Another node may have shown a listener more than this one has read: what it knows is left out. */
  readonly listeners: Map<Listener, CommitPosition | undefined>
  due: boolean
}

const READ_EVENTS_MAX = 100
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

  /** Where a reader starts who has seen nothing yet. */
  async position(appId: string): Promise<CommitPosition> {
    return this.#channels.get(appId)?.position ?? (await currentPosition(this.#pool))
  }

  /** Writes what the listener missed since `from`, then everything new, without gap or repeat. */
  async join(appId: string, listener: Listener, from: CommitPosition): Promise<void> {
    const now = await this.position(appId)
    let position = from
    for (;;) {
      // The channel moves on while we read, so the goal is looked up anew each time.
      const goal = this.#channels.get(appId)?.position ?? now
      // Caught up: from here on one read serves everybody.
      if (comparePositions(position, goal) >= 0) break
      const rows = await readSince(this.#pool, appId, position, READ_EVENTS_MAX)
      const missed = rows.filter((row) => comparePositions(positionOf(row), goal) <= 0)
      const last = missed.at(-1)
      if (missed.length > 0 && !listener.write(framesOf(missed))) return listener.end()
      await listener.drained()
      position = last === undefined ? goal : positionOf(last)
    }
    let channel = this.#channels.get(appId)
    if (channel === undefined) {
      channel = { position, listeners: new Map(), due: true }
      this.#channels.set(appId, channel)
    }
    channel.listeners.set(listener, position)
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
    for (const appId of this.#channels.keys()) this.#endAll(appId)
  }

  async #pump(): Promise<boolean> {
    const startedAt = performance.now()
    if (startedAt - this.#lastLookAll >= FALLBACK_MS - FRAME_EVERY_MS) {
      this.#lastLookAll = startedAt
      for (const channel of this.#channels.values()) channel.due = true
      await this.#endClosedApps()
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
    const rows = await readSince(this.#pool, appId, channel.position, READ_EVENTS_MAX)
    const last = rows.at(-1)
    if (last === undefined) return false
    channel.position = positionOf(last)
    const shared = framesOf(rows)
    for (const [listener, known] of channel.listeners) {
      const fresh = known === undefined ? rows : rows.filter((row) => isBehind(known, row))
      const frames = fresh.length === rows.length ? shared : framesOf(fresh)
      if (known !== undefined && comparePositions(channel.position, known) >= 0)
        channel.listeners.set(listener, undefined)
      if (fresh.length === 0 || listener.write(frames)) continue
      // It resumes by itself from the last frame it got: cut off, but nothing is lost.
      this.leave(appId, listener)
      listener.end()
    }
    return rows.length === READ_EVENTS_MAX
  }

  /** A deleted or suspended app has nothing more to say: its readers learn it by the end of the stream. */
  async #endClosedApps(): Promise<void> {
    if (this.#channels.size === 0) return
    const asked = [...this.#channels.keys()]
    const open = await listOpenApps(this.#pool, asked)
    for (const appId of asked) if (!open.has(appId)) this.#endAll(appId)
  }

  #endAll(appId: string): void {
    const listeners = this.#channels.get(appId)?.listeners.keys() ?? []
    this.#channels.delete(appId)
    for (const listener of listeners) listener.end()
  }
}

function isBehind(position: CommitPosition, row: SequencedRow): boolean {
  return comparePositions(positionOf(row), position) > 0
}

async function pauseFor(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
