import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { migrate, readMigrations, unreadyParts, type Migration } from './migrate.ts'

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

const first = migration('0001-first.sql', 'create table one (id int); insert into one values (1);')
const second = migration('0002-second.sql', 'create table two (id int);')

/** An empty database of its own: the one of other tests is migrated already. */
describe('migrate', () => {
  const name = `test_${randomBytes(8).toString('hex')}`
  let admin: pg.Client
  let pool: pg.Pool

  beforeAll(async () => {
    admin = new pg.Client(inject('postgres'))
    await admin.connect()
    await admin.query(`create database ${name}`)
    pool = new pg.Pool({ ...inject('postgres'), database: name, max: 4 })
    // The forced drop at the end may overtake the pool's own goodbye.
    pool.on('error', () => undefined)
  })
  beforeEach(async () => {
    await pool.query('drop schema public cascade; create schema public')
  })
  afterAll(async () => {
    await pool.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const tables = async () => {
    const { rows } = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    )
    return rows.map((row) => row.name)
  }

  it('applies what is missing, in order, and says what it applied', async () => {
    expect(await migrate(pool, [first])).toEqual(['0001-first.sql'])
    expect(await migrate(pool, [first, second])).toEqual(['0002-second.sql'])
    expect(await migrate(pool, [first, second])).toEqual([])
    expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
  })

  it('says in a dry run what it would apply, and leaves the database as it is', async () => {
    expect(await migrate(pool, [first, second], { dryRun: true })).toEqual([
      first.name,
      second.name,
    ])
    expect(await tables()).toEqual([])
    await migrate(pool, [first])
    expect(await migrate(pool, [first, second], { dryRun: true })).toEqual([second.name])
    expect(await tables()).toEqual(['one', 'schema_migrations'])
  })

  it('refuses a file that was changed after it ran', async () => {
    await migrate(pool, [first])
    const changed = migration(first.name, `${first.sql} -- better`)
    await expect(migrate(pool, [changed, second])).rejects.toThrow(
      'The migration 0001-first.sql was changed after it ran.',
    )
    expect(await tables()).not.toContain('two')
  })

  it('refuses a database that is newer than this program', async () => {
    await migrate(pool, [first, second])
    await expect(migrate(pool, [first])).rejects.toThrow(
      'The database has the migration 0002-second.sql, which this version does not know.',
    )
  })

  it('rolls a failing migration back whole and keeps those before it', async () => {
    const broken = migration('0002-broken.sql', 'create table half (id int); select 1 / 0;')
    await expect(migrate(pool, [first, broken])).rejects.toThrow(
      'The migration 0002-broken.sql failed and was rolled back.',
    )
    expect(await tables()).toEqual(['one', 'schema_migrations'])
    expect(await migrate(pool, [first, second])).toEqual(['0002-second.sql'])
  })

  it('runs once when several servers start together', async () => {
    const slow = migration('0001-first.sql', `${first.sql} select pg_sleep(0.1);`)
    const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, [slow, second])))
    expect(applied.flat().toSorted()).toEqual([slow.name, second.name])
    expect((await pool.query('select * from one')).rows).toEqual([{ id: 1 }])
  })

  it('gives the lock back, also after a failure', async () => {
    await migrate(pool, [migration('0001-broken.sql', 'nonsense')]).catch(() => undefined)
    const { rows } = await pool.query(
      "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )
    expect(rows).toEqual([])
  })

  it('runs outside of a transaction what says that it must', async () => {
    const index = migration(
      '0002-index.sql',
      '-- no-transaction: the table may be large\ncreate index concurrently one_id on one (id)',
    )
    expect(await migrate(pool, [first, index])).toEqual([first.name, index.name])
  })

  it('tells what the database lacks', async () => {
    expect(await unreadyParts(pool)).toEqual(['the database does not answer'])
    await migrate(pool, [first])
    expect(await unreadyParts(pool)).toEqual(['the job queue is missing'])
    await pool.query('create table jobs (id int)')
    expect(await unreadyParts(pool)).toEqual([])
  })
})

describe('readMigrations', () => {
  it('reads our own, numbered without a gap', async () => {
    const names = (await readMigrations()).map((one) => one.name)
    expect(names.slice(0, 2)).toEqual(['0001-accounts-and-apps.sql', '0002-jobs.sql'])
  })

  it.each([
    ['a gap', ['0001-a.sql', '0003-c.sql'], '0003-c.sql must be called 0002-….sql'],
    ['one number twice', ['0001-a.sql', '0001-b.sql'], '0001-b.sql must be called 0002-….sql'],
    ['another form', ['first.sql'], 'first.sql must be called 0001-….sql'],
  ])('refuses %s', async (_what, names, sentence) => {
    const folder = await mkdtemp(join(tmpdir(), 'merlon-migrations-'))
    try {
      for (const name of names) await writeFile(join(folder, name), 'select 1')
      await expect(readMigrations(folder)).rejects.toThrow(sentence)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
