import type { ServerResponse } from 'node:http'
import type { Forwarder } from '../../../gateway/callbacks/forwarder.js'
import { streamHeaders } from './endpoint.js'

/** A header that no page can add for another site without being asked: a listener takes the callbacks by a GET. */
export const listenerHeader = 'x-sandbox-listener'

const KEEP_ALIVE_MS = 15_000
/** Who reads nothing gets nothing more: its callbacks time out and are sent again. */
const MOST_UNREAD_BYTES = 1024 * 1024

/** Sends callbacks, as Server-Sent Events, to a program that delivers them in place of the sandbox. */
export function sendCallbacksTo(response: ServerResponse, forwarder: Forwarder): void {
  response.writeHead(200, streamHeaders)
  response.socket?.setTimeout(0)
  const send = (event: unknown) => {
    if (response.writableLength <= MOST_UNREAD_BYTES) response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  const keepAlive = setInterval(() => {
    if (response.writableLength === 0) response.write(': still here\n\n')
  }, KEEP_ALIVE_MS).unref()
  const leave = forwarder.join({
    take: (callback) => send({ callback }),
    replaced() {
      send({ replaced: true })
      response.end()
    },
  })
  response.on('close', () => {
    clearInterval(keepAlive)
    leave()
  })
  send({ listening: true })
}
