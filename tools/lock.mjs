import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const WAIT_MAX_MS = 10 * 60_000
const POLL_MS = 100

/**
 * Runs `work` while no other process holds the same lock file. Two starts at once must not install
 * or build over each other. A lock whose owner has died is taken over.
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true })
  const deadline = Date.now() + WAIT_MAX_MS
  while (!take(path)) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ten minutes for ${path}. Delete that file if no build is running.`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isOwnerAlive(path)) rmSync(path, { force: true })
    return false
  }
}

function isOwnerAlive(path) {
  let owner
  try {
    owner = Number(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
  // The owner creates the file and writes its number in two steps, so an empty file is a young one.
  if (owner === 0) return true
  try {
    process.kill(owner, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
