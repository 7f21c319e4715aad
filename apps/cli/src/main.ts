import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sleep } from '@merlon/client'
import { runCli } from './cli.ts'
import { askOnTerminal, runNodeProgram } from './terminal.ts'

// `merlon audit list | head` closes the pipe early; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  homeDir: homedir(),
  workDir: process.cwd(),
  programDir: dirname(fileURLToPath(import.meta.url)),
  platform: process.platform,
  arch: process.arch,
  nodeVersion: process.versions.node,
  stdinIsTty: process.stdin.isTTY === true,
  stdoutIsTty: process.stdout.isTTY === true,
  fetch,
  nowMs: () => Date.now(),
  wait: sleep,
  stopSignal: () => {
    const stop = new AbortController()
    // Once each: whoever presses Ctrl-C a second time does not want to wait for good order.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => stop.abort())
    return stop.signal
  },
  openStdin: () => process.stdin,
  readStdin: async () => text(process.stdin),
  ask: async (question, options) =>
    askOnTerminal(process.stdin, process.stderr, question, options?.secret === true),
  writeOut: (chunk) => void process.stdout.write(chunk),
  writeErr: (chunk) => void process.stderr.write(chunk),
  runProgram: async (file, args, env) =>
    runNodeProgram(process.execPath, file, args, { ...process.env, ...env }),
})
