import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { canEnter } from './account.ts'
import type { Placement } from './placement.ts'
import { readLastHost } from './connection-file.ts'
import type { Listening } from './settings.ts'

/** The name of PostgreSQL's socket holds the port, though nothing listens on the network. */
const SOCKET_PORT = 5432
const SOCKET_NAME_BYTES = '/.s.PGSQL.5432'.length
const SOCKET_PATH_BYTES_MAX = 100
const TEMPORARY_PREFIX = 'merlon-pg-'

/**
 * A fresh, private place for the socket: what a killed run left there is removed first. A path
 * too long for a socket is replaced by a private directory among the temporary files.
 */
export async function prepareListening(dataDir: string, placement: Placement): Promise<Listening> {
  if (process.platform === 'win32') return { socketDir: undefined, port: await findFreePort() }
  const { account, home } = placement
  const last = await readLastHost(dataDir)
  if (last !== undefined) await removeTemporary(last)
  const inside = join(home, 'socket')
  await rm(inside, { recursive: true, force: true })
  const fits = Buffer.byteLength(inside) + SOCKET_NAME_BYTES <= SOCKET_PATH_BYTES_MAX
  const parent = tmpdir()
  if (!fits && !(await canEnter(account, parent))) {
    throw new Error(
      `The path ${inside} is too long for a socket, and PostgreSQL cannot use ${parent} instead. ` +
        'Set MERLON_DATA_DIR to a shorter path.',
    )
  }
  const socketDir = fits ? inside : await mkdtemp(join(parent, TEMPORARY_PREFIX))
  if (fits) await mkdir(inside, { mode: 0o700 })
  if (account.owner !== undefined) await chown(socketDir, account.owner.uid, account.owner.gid)
  return { socketDir, port: SOCKET_PORT }
}

export async function removeListening(listening: Listening): Promise<void> {
  if (listening.socketDir !== undefined) await removeTemporary(listening.socketDir)
}

async function removeTemporary(folder: string): Promise<void> {
  const isOurs = basename(folder).startsWith(TEMPORARY_PREFIX) && dirname(folder) === tmpdir()
  if (isOurs) await rm(folder, { recursive: true, force: true })
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', done)
  })
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('No free port was found.')
  return address.port
}
