import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from './keyring.ts'

/**
 * The secret of an instance that was given none: made once and kept in the data directory. Losing
 * it means that app keys can no longer be read and every API key must be made anew.
 */
export async function loadInstanceSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'secret')
  try {
    // "wx" makes it once: of two processes starting together one creates, the other reads.
    const file = await open(path, 'wx', 0o600)
    const secret = randomToken()
    try {
      await file.writeFile(secret)
      await file.sync()
    } finally {
      await file.close()
    }
    return secret
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < 32) throw new Error(`The secret in ${path} is damaged: it is too short.`)
  return secret
}
