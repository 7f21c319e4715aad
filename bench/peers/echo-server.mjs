// The least that a Fastify route with a body check can do: the physical limit for one event a request.
import fastify from 'fastify'

const schema = JSON.parse(process.env.ECHO_SCHEMA ?? '{}')
const app = fastify({ logger: false })
app.post('/echo', { schema: { body: schema } }, async (request, reply) => {
  reply.code(201)
  return { ok: true, data: { count: Array.isArray(request.body) ? request.body.length : 1 } }
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`ready at http://127.0.0.1:${app.server.address().port}\n`)
