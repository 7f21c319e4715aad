import { createServer } from 'node:net'

/** The least a live stream can do: the same bytes to every open socket, when told to. */
const sockets = new Set()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.setNoDelay(true)
  socket.write('event: connected\n\n')
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.send?.(server.address().port)
})
process.on('message', (frame) => {
  for (const socket of sockets) socket.write(frame)
})
process.on('disconnect', () => process.exit(0))
