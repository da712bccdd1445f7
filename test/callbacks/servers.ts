import { createServer, type Server } from 'node:http'
import type { CallbackReceiver } from '../../src/callbacks/index.js'
import { listen, portOf } from '../support/listening.js'

/** A server with a receiver on `/gateway/callbacks`. */
export interface Mounted {
  readonly origin: string
  readonly port: number
  close(): Promise<void>
}

/** Mounts a receiver; with a JSON body parser that has the request before the receiver does, or without. */
export type Mount = (receiver: CallbackReceiver, hasParser: boolean) => Promise<Mounted>

export const path = '/gateway/callbacks'
export const host = '127.0.0.1'

export const mountNode: Mount = async (receiver, hasParser) => {
  const handle = receiver.node()
  if (!hasParser) return listening(createServer(handle))
  return listening(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => handle(request, response))
    }),
  )
}

export async function listening(server: Server): Promise<Mounted> {
  await listen(server)
  return { ...addressOf(server), close: () => stop(server) }
}

export function addressOf(server: Server): { origin: string; port: number } {
  const port = portOf(server)
  return { origin: `http://${host}:${port}`, port }
}

export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
