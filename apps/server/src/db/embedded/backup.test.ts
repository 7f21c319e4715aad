import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupEmbedded } from './backup.ts'
import type { EmbeddedConnection } from './connection-file.ts'
import { withClient } from './readiness.ts'
import { restoreEmbedded } from './restore.ts'
import { startEmbeddedPostgres } from './start.ts'

const silent = (): void => undefined

let root = ''
let backup = ''
/** What had been committed before the backup began, and before it was complete. */
let writtenBefore = 0
let writtenAfter = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'merlon-backup-'))
  backup = join(root, 'backup.tar.gz')
  const dataDir = join(root, 'source')
  const server = await startEmbeddedPostgres({ dataDir, log: silent })
  await writeFile(join(dataDir, 'secret'), 'the instance secret')
  const { connection } = server
  await run(connection, 'create table rows (n int primary key, filler text)')
  await run(connection, 'create table sums (total bigint); insert into sums values (0)')
  const load = writeLoad(connection)
  await load.untilRows(2000)
  writtenBefore = load.written()
  await backupEmbedded({ dataDir, connection, to: backup, log: silent })
  writtenAfter = load.written()
  await load.end()
  await server.stop()
})

afterAll(async () => rm(root, { recursive: true, force: true }))

async function run(connection: EmbeddedConnection, sql: string): Promise<void> {
  await withClient(connection, async (client) => client.query(sql))
}

interface Load {
  written(): number
  untilRows(count: number): Promise<void>
  end(): Promise<void>
}

/** Adds rows and their number to a sum in one transaction, until told to end. */
function writeLoad(connection: EmbeddedConnection): Load {
  let written = 0
  let ending = false
  const done = withClient(connection, async (client) => {
    while (!ending) {
      await client.query(
        `with added as (insert into rows select g, repeat(md5(g::text), 20) from generate_series($1::int, $1::int + 49) g returning 1)
         update sums set total = total + (select count(*) from added)`,
        [written],
      )
      written += 50
      if (written % 5000 === 0) await client.query('checkpoint; select pg_switch_wal()')
    }
  })
  return {
    written: () => written,
    untilRows: async (count) => {
      while (written < count) await new Promise((go) => setTimeout(go, 5))
    },
    end: async () => {
      ending = true
      await done
    },
  }
}

async function restoreInto(name: string, from = backup, force = false): Promise<string> {
  const dataDir = join(root, name)
  await restoreEmbedded({ dataDir, from, force, log: silent })
  return dataDir
}

interface Counted {
  readonly count: number
  readonly total: number
}

async function countRows(dataDir: string): Promise<Counted> {
  const server = await startEmbeddedPostgres({ dataDir, log: silent })
  try {
    return await withClient(server.connection, async (client) => {
      const { rows } = await client.query<Counted>(
        `select (select count(*)::int from rows where length(filler) = 640) as count, total::int from sums`,
      )
      return rows[0] ?? { count: -1, total: -1 }
    })
  } finally {
    await server.stop()
  }
}

describe('backupEmbedded under write load', () => {
  it('can be restored into a database where whole transactions are there or not', async () => {
    const { count, total } = await countRows(await restoreInto('whole'))
    expect(count).toBe(total)
  })

  it('holds every row committed before it began, and none from after it ended', async () => {
    const { count } = await countRows(join(root, 'whole'))
    expect([count >= writtenBefore, count <= writtenAfter + 50]).toEqual([true, true])
  })

  it('holds the instance secret', async () => {
    expect(await readFile(join(root, 'whole', 'secret'), 'utf8')).toBe('the instance secret')
  })

  it('can be read by its owner alone', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
  })

  it('is an archive that the tar program reads', async () => {
    const child = spawn('tar', ['-tzf', backup], { stdio: ['ignore', 'pipe', 'ignore'] })
    let names = ''
    child.stdout.on('data', (chunk: Buffer) => (names += chunk.toString()))
    await once(child, 'close')
    expect(names.trim().split('\n').at(-1)).toBe('manifest.json')
  })

  it('leaves no unfinished file where it cannot be made', async () => {
    const to = join(root, 'failed.tar.gz')
    const connection = { host: root, port: 1, user: 'x', password: 'x', database: 'x' }
    await expect(
      backupEmbedded({ dataDir: join(root, 'whole'), connection, to, log: silent }),
    ).rejects.toThrow()
    expect((await readdir(root)).filter((name) => name.startsWith('failed'))).toEqual([])
  })

  it('fails where the target cannot be written', async () => {
    const to = join(root, 'no', 'such', 'folder.tar.gz')
    const connection = { host: root, port: 1, user: 'x', password: 'x', database: 'x' }
    await expect(
      backupEmbedded({ dataDir: join(root, 'whole'), connection, to, log: silent }),
    ).rejects.toThrow()
  })
})

describe('restoreEmbedded', () => {
  it('refuses a directory that is not empty', async () => {
    await expect(restoreInto('whole')).rejects.toThrow('is not empty')
  })

  it('moves what was there aside when it is forced', async () => {
    const dataDir = join(root, 'forced')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'secret'), 'an older secret')
    await restoreInto('forced', backup, true)
    const aside = (await readdir(dataDir)).find((name) => name.startsWith('before-restore-'))
    expect(await readFile(join(dataDir, aside ?? '', 'secret'), 'utf8')).toBe('an older secret')
  })

  it('refuses a directory in use', async () => {
    const dataDir = join(root, 'forced')
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    await expect(restoreInto('forced', backup, true)).rejects.toThrow('is in use')
    await server.stop()
  })

  it('changes nothing when a file of the backup is not what was written', async () => {
    const bytes = gunzipSync(await readFile(backup))
    const at = bytes.indexOf('the instance secret')
    bytes.write('THE', at)
    const damaged = join(root, 'damaged.tar.gz')
    await writeFile(damaged, gzipSync(bytes, { level: 1 }))
    await expect(restoreInto('untouched', damaged)).rejects.toThrow('damaged: secret')
    expect(
      (await readdir(join(root, 'untouched'))).filter((name) => !name.startsWith('.lock-')),
    ).toEqual([])
  })

  it('refuses a backup that was cut', async () => {
    const whole = await readFile(backup)
    const cut = join(root, 'cut.tar.gz')
    await writeFile(cut, whole.subarray(0, whole.length >> 1))
    await expect(restoreInto('untouched', cut)).rejects.toThrow()
  })

  it('refuses a file that is no backup', async () => {
    const other = join(root, 'other.tar.gz')
    await writeFile(other, 'hello')
    await expect(restoreInto('untouched', other)).rejects.toThrow()
  })
})
