import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from './keyring.ts'

/**
 * The secret of an instance that was given none: made once and kept in the data directory. Losing
 * it means that app keys can no longer be read and every API key must be made anew.
 */
export async function loadInstanceSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'secret')
  const known = await readSecret(path)
  if (known !== undefined) return known
  // Written whole under another name and then linked: of processes that start together one gives
  // its secret to all, and a crash in between leaves no empty file that would pass for a secret.
  const secret = randomToken()
  const draft = `${path}.${randomToken()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(secret)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path)
    return secret
  } catch (error) {
    const made = isCode(error, 'EEXIST') ? await readSecret(path) : undefined
    if (made === undefined) throw error
    return made
  } finally {
    await rm(draft, { force: true })
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  })
  const secret = text?.trim()
  if (secret !== undefined && secret.length < 32)
    throw new Error(`The secret in ${path} is damaged: it is too short.`)
  return secret
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
