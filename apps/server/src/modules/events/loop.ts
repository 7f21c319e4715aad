/** Calls `work` again and again: at once while it finds something to do, else when rung or after a pause. */
export interface Loop {
  ring(): void
  stop(): Promise<void>
}

export function startLoop(options: {
  readonly pauseMs: number
  /** Answers whether there may be more to do right now. */
  readonly work: () => Promise<boolean>
  readonly onError: (error: unknown) => void
}): Loop {
  let stopped = false
  let rung = false
  let wake: (() => void) | undefined
  const pause = async (): Promise<void> => {
    if (rung || stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wake = undefined
  }
  const run = async (): Promise<void> => {
    while (!stopped) {
      rung = false
      let more = false
      try {
        more = await options.work()
      } catch (error) {
        options.onError(error)
      }
      if (!more) await pause()
    }
  }
  const ended = run()
  return {
    ring() {
      rung = true
      wake?.()
    },
    async stop() {
      stopped = true
      wake?.()
      await ended
    },
  }
}
