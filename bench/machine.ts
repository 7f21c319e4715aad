import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly node: string
  readonly system: string
  readonly date: string
  readonly commit: string
}

/** A figure says nothing without the machine it was taken on. */
export function describeMachine(root: string, now: Date): Machine {
  const [first] = cpus()
  return {
    cpu: first === undefined || first.model === '' ? 'unknown' : first.model.trim(),
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform}-${process.arch}`,
    date: now.toISOString(),
    commit: currentCommit(root),
  }
}

function currentCommit(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const commit = git('rev-parse', '--short', 'HEAD').trim()
    return git('status', '--porcelain').trim() === '' ? commit : `${commit}+changes`
  } catch {
    return 'unknown'
  }
}
