import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from './exit-code.ts'
import type { Host } from './host.ts'

/** What `merlon login` keeps. */
export interface StoredLogin {
  readonly url?: string
  readonly apiKey?: string
}

export function configFilePath({ env, homeDir, platform }: Host): string {
  const folder =
    env.XDG_CONFIG_HOME ||
    (platform === 'win32' ? env.APPDATA : undefined) ||
    join(homeDir, '.config')
  return join(folder, 'merlon', 'config.json')
}

/** An absent file is an empty one; a broken file is told, not overlooked. */
export async function readConfigFile(path: string): Promise<StoredLogin> {
  let text
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return {}
    throw new Failure(`${path} cannot be read: ${messageOf(error)}.`)
  }
  try {
    return storedLogin(JSON.parse(text))
  } catch {
    throw new Failure(`${path} is damaged. Delete it and run \`merlon login\` again.`)
  }
}

function storedLogin(value: unknown): StoredLogin {
  if (typeof value !== 'object' || value === null) throw new Error('not an object')
  const { url, apiKey } = value as Readonly<Record<string, unknown>>
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
  }
}

/** The file is born with mode 0600 and then renamed: at no moment can another user read the key. */
export async function writeConfigFile(path: string, login: StoredLogin): Promise<void> {
  const folder = dirname(path)
  const draft = `${path}.${crypto.randomUUID()}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // A generous umask cannot widen the mode, but a mean one can narrow it too far for ourselves.
    await chmod(draft, 0o600)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new Failure(`${path} cannot be written: ${messageOf(error)}.`)
  }
}

/** Whether others on this machine can read the file, or undefined when there is none. */
export async function isReadableByOthers(path: string): Promise<boolean | undefined> {
  const info = await stat(path).catch(() => undefined)
  return info && (info.mode & 0o077) !== 0
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason'
}
