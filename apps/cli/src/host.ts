/** Everything a command may know of the machine it runs on. main.ts gives the real one. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly homeDir: string
  readonly workDir: string
  /** The folder that this program lies in; the server's bundle lies beside it. */
  readonly programDir: string
  readonly platform: string
  readonly arch: string
  readonly nodeVersion: string
  readonly stdinIsTty: boolean
  readonly stdoutIsTty: boolean
  readonly fetch: typeof fetch
  readonly nowMs: () => number
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Aborted by Ctrl-C or a request to end. Only commands that have no end of their own ask for it. */
  readonly stopSignal: () => AbortSignal
  readonly readStdin: () => Promise<string>
  /** The same input piece by piece, for what need not fit into memory. */
  readonly openStdin: () => AsyncIterable<Uint8Array>
  /** Asks a person; only ever called when stdin is a terminal. */
  readonly ask: (question: string, options?: { readonly secret?: boolean }) => Promise<string>
  readonly writeOut: (text: string) => void
  readonly writeErr: (text: string) => void
  /** Runs a program to its end; its talk goes to stderr, because stdout is for our data. */
  readonly runProgram: (
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Promise<number>
}
