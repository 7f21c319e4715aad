import type { Endpoint } from '@merlon/contract'
import type { FastifyInstance } from 'fastify'
import { problem } from './problem.ts'

/** 405 with the methods that would do where the path is known, 404 where it is not. */
export function answerUnknownPaths(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  pages: readonly string[],
): void {
  const known = new Map<string, { pattern: RegExp; methods: string[] }>()
  const add = (method: string, path: string): void => {
    const pattern = new RegExp(
      `^${path.replaceAll(/[.]/g, '\\.').replaceAll(/:[A-Za-z]+/g, '[^/]+')}/?$`,
    )
    const entry = known.get(path) ?? { pattern, methods: [] }
    entry.methods.push(method)
    known.set(path, entry)
  }
  for (const endpoint of endpoints) add(endpoint.method, endpoint.path)
  for (const page of pages) add('GET', page)
  app.setNotFoundHandler(async (request) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => methods)
      .toSorted()
    if (allowed.length === 0)
      throw problem(
        'not-found',
        'There is nothing at this address. GET /openapi.json lists what there is.',
      )
    throw problem(
      'method-not-allowed',
      `${request.method} is not possible here; ${allowed.join(', ')} is.`,
      {
        headers: { allow: allowed.join(', ') },
      },
    )
  })
}
