export interface Bell {
  /** Any number of rings before the next `wait` count as one. */
  ring(): void
  /** Until it rings, or `ms` have passed. */
  wait(ms: number): Promise<void>
}

export function createBell(): Bell {
  let rung = false
  let answer: (() => void) | undefined
  return {
    ring() {
      rung = true
      answer?.()
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          answer = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      answer = undefined
      rung = false
    },
  }
}
