import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Has a server listen, on a free port unless one is named. @returns the port */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return portOf(server)
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/**
 * An address where nobody listens, and where nobody will by chance: systems give ports from 32768 on to who asks for
 * any, and to outgoing connections.
 */
export async function closedAddress(): Promise<string> {
  const server = createServer()
  let port: number | undefined
  while (port === undefined) {
    port = await listen(server, '127.0.0.1', randomInt(20_000, 32_000)).catch(() => undefined)
  }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
