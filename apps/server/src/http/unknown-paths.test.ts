import { endpoints, type Endpoint } from '@merlon/contract'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { Problem } from './problem.ts'
import { answerUnknownPaths } from './unknown-paths.ts'

const table: readonly Endpoint[] = [
  endpoints.apps.listApps,
  endpoints.apps.createApp,
  endpoints.apps.getApp,
  endpoints.apps.deleteApp,
]

function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS', url: string) {
  const app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    const told = error instanceof Problem ? error : new Problem('internal', String(error))
    return reply.code(told.status).headers(told.headers).send(told.message)
  })
  answerUnknownPaths(app, table, ['/', '/openapi.json'])
  return app.inject({ method, url })
}

describe('answerUnknownPaths', () => {
  it.each<['PUT' | 'POST' | 'OPTIONS' | 'DELETE', string, string]>([
    ['PUT', '/api/apps', 'GET, POST'],
    ['DELETE', '/api/apps/', 'GET, POST'],
    ['PUT', '/api/apps?x=/api/apps/1', 'GET, POST'],
    ['POST', '/api/apps/anything', 'DELETE, GET'],
    ['OPTIONS', '/api/apps/%41', 'DELETE, GET'],
    ['POST', '/openapi.json', 'GET'],
    ['POST', '/', 'GET'],
  ])('answers %s %s with 405 and says what is possible', async (method, url, allow) => {
    const reply = await ask(method, url)
    expect(reply.statusCode).toBe(405)
    expect(reply.headers['allow']).toBe(allow)
    expect(reply.body).toBe(`${method} is not possible here; ${allow} is.`)
  })

  it.each(['/api', '/api/apps/1/2', '/api/app', '/openapixjson', '/x/api/apps', '//api/apps'])(
    'answers %s with 404',
    async (url) => {
      const reply = await ask('GET', url)
      expect(reply.statusCode).toBe(404)
      expect(reply.body).toContain('/openapi.json')
    },
  )
})
