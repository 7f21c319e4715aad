import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { PoolConfig } from 'pg'
import { buildApp } from './app.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { lockDataDirectory } from './db/data-directory-lock.ts'
import {
  backupEmbedded,
  readEmbeddedConnection,
  restoreEmbedded,
  startEmbeddedPostgres,
} from './db/embedded/index.ts'
import { migrate, readMigrations } from './db/migrate.ts'
import { openGeo } from './geo/index.ts'
import { createLog } from './log.ts'
import { bootstrap } from './modules/accounts/index.ts'
import { loadInstanceSecret } from './secrets/instance-secret.ts'
import { createKeyring } from './secrets/keyring.ts'

/** The only file that touches the process: environment, signals, exit code, the terminal. */
async function main(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env)
  const [command, ...rest] = args
  if (command === 'backup') return backup(config, rest)
  if (command === 'restore') return restore(config, rest)
  if (command !== undefined)
    throw new ConfigError(`"${command}" is not a command: backup and restore are.`)
  await serve(config)
}

async function serve(config: Config): Promise<void> {
  const dataDir = resolve(config.dataDir)
  const log = createLog(
    process.env['MERLON_LOG_LEVEL'] === undefined && process.stdout.isTTY
      ? 'warn'
      : config.logLevel,
  )
  const stops: (() => Promise<void>)[] = []
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.toReversed())
      await stop().catch((error: unknown) => log.error({ err: error }, 'stopping'))
  }
  try {
    let connection: PoolConfig = { connectionString: config.databaseUrl }
    if (config.databaseUrl === undefined) {
      const lock = await lockDataDirectory(dataDir)
      stops.push(() => lock.release())
      const embedded = await startEmbeddedPostgres({
        dataDir,
        log: (line) => log.debug({ postgres: line }, 'postgres'),
      })
      stops.push(() => embedded.stop())
      connection = embedded.connection
    }
    const secret = config.secret ?? (await loadInstanceSecret(dataDir))
    const database = openDatabase(connection, {
      connections: config.databaseConnections,
      onError: (error) => log.warn({ err: error }, 'a database connection broke'),
    })
    stops.push(() => database.close())
    const applied = await migrate(database.pool, await readMigrations())
    if (applied.length > 0) log.info({ applied }, 'database migrated')
    const keyring = createKeyring(secret)
    const clock = { now: () => Date.now() }
    const geo = await openGeo({
      cityPath: config.geoCityPath,
      countryPath: config.geoCountryPath,
      asnPath: config.geoAsnPath,
      cacheDir: join(dataDir, 'cache'),
      log,
    })
    const app = await buildApp({ config, database, connection, keyring, geo, clock, log })
    stops.push(() => app.close())
    if (config.role !== 'worker') await app.server.listen({ port: config.port, host: config.host })
    endOn(['SIGINT', 'SIGTERM'], stopAll)

    const publicUrl = app.services.publicUrl()
    const first = await bootstrap(database.db, keyring, {
      apiKey: config.bootstrapApiKey,
      publicUrl,
      now: clock.now(),
    })
    announce(publicUrl, first)
    if (Number(process.versions.node.split('.')[0]) < 22) {
      log.warn(
        `Node ${process.versions.node} gets no security fixes any more; Node 24 also needs less time for each event.`,
      )
    }
  } catch (error) {
    await stopAll()
    throw error
  }
}

function announce(url: string, first: { apiKey: string; signInUrl: string } | undefined): void {
  const lines = [`Merlon is ready at ${url} (API reference: ${url}/docs)`]
  if (first !== undefined) {
    lines.push(
      '',
      'This is the first start. Both are shown once:',
      `  API key       ${first.apiKey}`,
      `  Sign-in link  ${first.signInUrl}`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function endOn(signals: readonly NodeJS.Signals[], stopAll: () => Promise<void>): void {
  let stopping = false
  for (const signal of signals) {
    process.on(signal, () => {
      // A second signal means that somebody will not wait.
      if (stopping) process.exit(1)
      stopping = true
      stopAll().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

async function backup(config: Config, [file]: readonly string[]): Promise<void> {
  const dataDir = resolve(config.dataDir)
  if (file === undefined) throw new ConfigError('Say where to: backup <file>')
  if (config.databaseUrl !== undefined)
    throw new ConfigError(
      'DATABASE_URL is set: back that database up with its own tools (pg_dump).',
    )
  if (!existsSync(dataDir)) throw new ConfigError(`There is no data directory at ${dataDir}.`)
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const to = resolve(file)
  const running = await readEmbeddedConnection(dataDir)
  if (running !== undefined) return backupEmbedded({ dataDir, connection: running, to, log: say })
  const started = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    await backupEmbedded({ dataDir, connection: started.connection, to, log: say })
  } finally {
    await started.stop()
  }
}

async function restore(config: Config, args: readonly string[]): Promise<void> {
  const file = args.find((arg) => !arg.startsWith('--'))
  if (file === undefined) throw new ConfigError('Say what from: restore <file> [--force]')
  const dataDir = resolve(config.dataDir)
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const lock = await lockDataDirectory(dataDir)
  await lock.release()
  await restoreEmbedded({ dataDir, from: resolve(file), force: args.includes('--force'), log: say })
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = error instanceof ConfigError
  process.stderr.write(
    known
      ? `${error.message}\n`
      : `Merlon could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = known ? 2 : 1
})
