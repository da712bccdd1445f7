import type { ServerResponse } from 'node:http'
import { MOST_BODY_BYTES } from '../../../gateway/callbacks/delivery.js'
import type { ForwardedAnswer, Forwarder } from '../../../gateway/callbacks/forwarder.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { PageRefusal, streamHeaders } from './responses.js'

/**
 * A listener takes the callbacks from whoever had them, by a GET that any page could make a browser send. A header
 * of its own is what no page can add for another site without being asked.
 */
export const listenerHeader = 'x-sandbox-listener'

const KEEP_ALIVE_MS = 15_000
/** Who reads nothing gets nothing more: its callbacks run into their time limit and are tried again. */
const MOST_UNREAD_BYTES = 1024 * 1024
const MOST_ERROR_LENGTH = 200

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

/** @throws PageRefusal that says what is wrong */
export function takeAnswer(forwarder: Forwarder, key: string, body: unknown): { taken: boolean } {
  return { taken: forwarder.answer(Number(key), answerOf(body)) }
}

function answerOf(body: unknown): ForwardedAnswer {
  const { status, error, body: answered } = isRecord(body) ? body : {}
  if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599) {
    return { status, body: typeof answered === 'string' ? beginning(answered) : undefined }
  }
  if (typeof error === 'string' && error !== '') return { error: error.slice(0, MOST_ERROR_LENGTH) }
  throw new PageRefusal(400, 'An answer has a status from 100 to 599, or an error.')
}

function beginning(text: string): string {
  return Buffer.from(text).subarray(0, MOST_BODY_BYTES).toString('utf8')
}
