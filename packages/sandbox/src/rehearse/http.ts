import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { type HttpAction, withOrder } from './action-text.js'
import type { ActionResult, ReadStatus } from './application.js'
import { type Marks, readStatus } from './paid.js'

export async function doByHttp(
  action: HttpAction,
  order: number,
  signal: AbortSignal,
): Promise<ActionResult> {
  const url = withOrder(action.url, order)
  const body = action.body && withOrder(action.body, order)
  try {
    const { status } = await send({ ...action, url, body }, signal)
    return { isDone: status >= 200 && status < 400, says: `answered ${status}` }
  } catch (error) {
    signal.throwIfAborted()
    return { isDone: false, says: problem(error) }
  }
}

/** Asks an application by HTTP whether an order is paid; a response that doesn't come says nothing. */
export async function askByHttp(url: string, marks: Marks, signal: AbortSignal): Promise<ReadStatus> {
  try {
    const { status, text, date } = await send({ method: 'GET', url, body: undefined }, signal)
    return { ...readStatus(`HTTP ${status}`, status, text, marks), clockMs: Date.parse(date) }
  } catch {
    signal.throwIfAborted()
    return { says: 'nothing', read: 'no response' }
  }
}

/** One request on a connection of its own: one that is kept alive may lead to a process that was killed. */
function send(
  { method, url, body }: HttpAction,
  signal: AbortSignal,
): Promise<{ status: number; text: string; date: string }> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: headersFor(method, body), agent: false, signal })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      textOf(response).then((text) => resolve({ status, text, date: headers.date ?? '' }), reject)
    })
    sent.end(body)
  })
}

function headersFor(method: string, body: string | undefined): Record<string, string | number> {
  const accept = { accept: 'application/json, text/html;q=0.9, */*;q=0.8' }
  if (method === 'GET') return accept
  const sized = { ...accept, 'content-length': Buffer.byteLength(body ?? '') }
  if (body === undefined) return sized
  const isJson = /^\s*[[{]/.test(body)
  return { ...sized, 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded' }
}

function problem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  return code === 'ECONNRESET' ? 'the connection was cut' : 'no response'
}
