import { createServer, type Socket } from 'node:net'
import { listen } from '../support/listening.js'

/** A place that is not the gateway: whatever comes there should not have come. */
export interface Elsewhere extends AsyncDisposable {
  readonly url: string
  /** Host and port. */
  readonly host: string
  /** How many connections were made. */
  readonly connections: () => number
  /** All that was said on them. */
  readonly received: () => string
}

/** Says yes to everything, so that a client which strays there believes that it has arrived. */
const yes =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 17\r\nconnection: close\r\n\r\n{"token":"stray"}'

/** A server of another origin; another port of this host unless it gets a host of its own. */
export async function elsewhere(hostname = '127.0.0.1'): Promise<Elsewhere> {
  const sockets = new Set<Socket>()
  let connections = 0
  let received = ''
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      socket.end(yes)
    })
  })
  const port = await listen(server, hostname)
  return {
    url: `http://${hostname}:${port}`,
    host: `${hostname}:${port}`,
    connections: () => connections,
    received: () => received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
