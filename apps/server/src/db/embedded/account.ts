import { execFile, spawn } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { lchown, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Identity {
  readonly uid: number
  readonly gid: number
}

/** As whom PostgreSQL runs. It refuses root, so root must lend it another face. */
export interface Account {
  readonly description: string
  /** Words put before the program, such as the call that opens a user namespace. */
  readonly prefix: readonly string[]
  /** The identity the process is switched to; undefined keeps ours. */
  readonly switchTo: Identity | undefined
  /** Who must own the files on disk. */
  readonly owner: Identity | undefined
}

const run = promisify(execFile)

/** Any number but 0 will do: PostgreSQL only asks whether it is root. */
const NAMESPACE_ID = 1000

export const ownAccount: Account = {
  description: 'the account of this process',
  prefix: [],
  switchTo: undefined,
  owner: undefined,
}

/** Sees itself as an ordinary user, while for the file system it stays who we are. */
export const namespaceAccount: Account = {
  description: 'an ordinary user inside a user namespace',
  prefix: ['unshare', '--user', `--map-user=${NAMESPACE_ID}`, `--map-group=${NAMESPACE_ID}`, '--'],
  switchTo: undefined,
  owner: { uid: 0, gid: 0 },
}

export function switchedAccount(identity: Identity, name?: string): Account {
  return {
    description: name === undefined ? `the user with id ${identity.uid}` : `the user ${name}`,
    prefix: [],
    switchTo: identity,
    owner: identity,
  }
}

/** The accounts of this machine that root may lend, best first. */
export async function listServiceAccounts(passwd = '/etc/passwd'): Promise<Account[]> {
  const text = await readFile(passwd, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.split(':'))
  return ['postgres', 'nobody'].flatMap((name) => {
    const line = lines.find((fields) => fields[0] === name)
    const uid = Number(line?.[2])
    const gid = Number(line?.[3])
    return uid > 0 && gid > 0 ? [switchedAccount({ uid, gid }, name)] : []
  })
}

export function spawnAs(
  account: Account,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [file = program, ...rest] = [...account.prefix, program, ...args]
  return spawn(file, rest, { ...options, ...account.switchTo })
}

/** Runs a program to its end; a failure carries what it wrote to stderr. */
export async function runAs(
  account: Account,
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const [file = program, ...rest] = [...account.prefix, program, ...args]
  const { stdout } = await run(file, rest, { ...options, ...account.switchTo })
  return stdout
}

export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return succeeds(runAs(account, '/bin/sh', ['-c', 'cd -- "$1" && test -x .', 'sh', folder]))
}

export async function canRun(account: Account, program: string): Promise<boolean> {
  return succeeds(runAs(account, program, ['--version']))
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

/** Hands a tree to its owner. The top changes hands last, so it tells whether all is done. */
export async function giveTo(owner: Identity | undefined, path: string): Promise<void> {
  if (owner === undefined) return
  const found = await stat(path)
  if (found.uid === owner.uid && found.gid === owner.gid) return
  if (found.isDirectory()) await giveContents(owner, path)
  await lchown(path, owner.uid, owner.gid)
}

async function giveContents(owner: Identity, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveContents(owner, path)
    await lchown(path, owner.uid, owner.gid)
  }
}
