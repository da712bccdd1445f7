import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Has a server listen on a free port of this machine. @returns the port */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return portOf(server)
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/** An address where nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
