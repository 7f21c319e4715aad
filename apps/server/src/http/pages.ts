import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { sameText } from '../secrets/keyring.ts'
import { failure } from './envelope.ts'
import type { Metrics } from './metrics.ts'
import { problem } from './problem.ts'

const FOLDER = fileURLToPath(new URL('./static/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const PAGE_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export const pagePaths = [
  '/',
  '/signin',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/static/:file',
] as const

export interface PageDeps {
  readonly config: Config
  readonly metrics: Metrics
  readonly openApi: object
  /** Names what is not ready; an empty list means ready. */
  readonly unready: () => Promise<readonly string[]>
}

interface StaticFile {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
}

/** What people and probes look at: read once at start, served from memory. */
export function mountPages(
  app: FastifyInstance,
  { config, metrics, openApi, unready }: PageDeps,
): void {
  const files = readStatic()
  files.set('openapi.json', staticFile('openapi.json', Buffer.from(JSON.stringify(openApi))))
  const page = (path: string, name: string): void => {
    app.get(path, async (request, reply) => sendFile(files.get(name), request, reply))
  }
  page('/', 'index.html')
  page('/signin', 'signin.html')
  page('/docs', 'docs.html')
  page('/openapi.json', 'openapi.json')
  app.get<{ Params: { file: string } }>('/static/:file', async (request, reply) =>
    sendFile(files.get(request.params.file), request, reply),
  )
  app.get('/healthz', async () => ({ ok: true, data: { status: 'alive' } }))
  app.get('/readyz', async (_request, reply) => {
    const missing = await unready()
    if (missing.length === 0) return { ok: true, data: { status: 'ready' } }
    return reply
      .code(503)
      .header('retry-after', '1')
      .send(failure(`Not ready: ${missing.join('; ')}.`))
  })
  app.get('/metrics', async (request, reply) => {
    if (
      config.metricsToken !== undefined &&
      !sameText(request.headers.authorization ?? '', `Bearer ${config.metricsToken}`)
    ) {
      throw problem(
        'unauthenticated',
        'The metrics need the token of MERLON_METRICS_TOKEN as bearer.',
      )
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

function readStatic(): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const name of readdirSync(FOLDER))
    files.set(name, staticFile(name, readFileSync(FOLDER + name)))
  return files
}

function staticFile(name: string, body: Buffer): StaticFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, type: TYPES[extname(name)] ?? 'application/octet-stream', etag }
}

async function sendFile(
  file: StaticFile | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (file === undefined) throw problem('not-found', 'There is no such file.')
  reply.headers({
    etag: file.etag,
    'cache-control': 'no-cache',
    'content-security-policy': PAGE_POLICY,
  })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  return reply.type(file.type).send(file.body)
}
