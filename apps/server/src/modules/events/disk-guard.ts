import { statfs } from 'node:fs/promises'
import { problem } from '../../http/problem.ts'

const CHECK_EVERY_MS = 5_000
const FREE_SHARE_MIN = 0.05

/** Refuses events while the disk of the embedded database is nearly full: a full disk would stop it for good. */
export class DiskGuard {
  #full = false
  #timer: NodeJS.Timeout | undefined
  readonly #folder: string | undefined
  readonly #freeShare: (folder: string) => Promise<number>
  readonly #onChange: (full: boolean) => void

  constructor(options: {
    folder: string | undefined
    onChange: (full: boolean) => void
    freeShare?: (folder: string) => Promise<number>
  }) {
    this.#folder = options.folder
    this.#onChange = options.onChange
    this.#freeShare = options.freeShare ?? freeShareOf
  }

  start(): void {
    if (this.#folder === undefined) return
    void this.check()
    this.#timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async check(): Promise<void> {
    if (this.#folder === undefined) return
    // A folder that cannot be looked at is no reason to refuse events.
    const share = await this.#freeShare(this.#folder).catch(() => 1)
    const full = share < FREE_SHARE_MIN
    if (full !== this.#full) this.#onChange(full)
    this.#full = full
  }

  requireRoom(): void {
    if (!this.#full) return
    throw problem(
      'unavailable',
      'The disk is nearly full, so no events are taken until there is room.',
      {
        headers: { 'retry-after': '30' },
      },
    )
  }
}

async function freeShareOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return bavail / blocks
}
