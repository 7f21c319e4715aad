import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

/** Asks on stderr, because stdout is for data. A secret is not echoed. */
export async function askOnTerminal(
  input: ReadStream,
  output: WriteStream,
  question: string,
  isSecret: boolean,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true })
  try {
    if (isSecret) output.write(question)
    const answer = await lines.question(isSecret ? '' : question)
    if (isSecret) output.write('\n')
    return answer
  } finally {
    lines.close()
  }
}

/** Runs a Node program to its end with all its talk on stderr; answers with its exit code. */
export async function runNodeProgram(
  execPath: string,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const child = spawn(execPath, [file, ...args], { env, stdio: ['ignore', 2, 2] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
