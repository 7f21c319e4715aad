import { connect, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Opens the server to this machine, once, and answers its port. */
export async function openPort(server: FastifyInstance): Promise<number> {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

/** Sends a text as it is, valid HTTP or not, and answers what comes back until the end. */
export async function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}
