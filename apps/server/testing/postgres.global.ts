import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded/index.ts'

export interface TestPostgres {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

/** As little of vitest's project as is needed, so that other programs can set up the same way. */
interface Project {
  provide(key: 'postgres', value: TestPostgres): void
}

/** One PostgreSQL for the whole run, without any care for durability. */
export default async function setup(project: Project): Promise<() => Promise<void>> {
  const url = process.env['MERLON_TEST_DATABASE_URL']
  if (url !== undefined && url !== '') {
    project.provide('postgres', parseUrl(url))
    return async () => undefined
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'merlon-test-'))
  const lines: string[] = []
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      log: (line) => lines.push(line),
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        synchronous_commit: 'off',
        max_connections: '200',
      },
    })
    project.provide('postgres', server.connection)
    return async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
}

function parseUrl(text: string): TestPostgres {
  const url = new URL(text)
  return {
    // A socket directory may be given as ?host=/path, the way libpq writes it.
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    port: Number(url.port === '' ? 5432 : url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}
