import { startEmbeddedPostgres } from '../src/db/embedded/index.ts'

/**
 * A process of its own that owns an embedded PostgreSQL, for tests that kill it or run it as
 * another user. It says in one line how the start went and stops when its input ends.
 */
const dataDir = process.argv[2] ?? ''

function say(word: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(word)}\n`)
}

try {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  say({ connection: server.connection, pid: server.pid })
  process.stdin.on('end', () => void server.stop().then(() => process.exit(0)))
  process.stdin.resume()
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
