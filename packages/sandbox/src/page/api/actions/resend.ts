import { isObject, jsonOf } from '../../../common/json.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { GatewayRequest } from '../../../gateway/wire/request.js'
import type { PageClient, PageExchange } from './client.js'
import { type Sent, sentOf } from './create.js'

export interface Resent extends Sent {
  /** Its own number in the log; null when it was not sent, because no token could be had for it. */
  readonly number: number | null
}

/** What is not sent again: credentials, which are made anew, and what belongs to a connection. */
const droppedHeaders = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'transfer-encoding',
  'user-agent',
  'x-signature',
])

/** The same method, path and body, with a token or signature of its own where it had one. */
export async function resend(
  request: LoggedRequest,
  client: PageClient,
  settings: SandboxSettings,
): Promise<Resent> {
  if (request.headers.authorization === undefined) return resultOf(await sendSigned(request, client))
  const { method, path, bodyBytes } = request
  const place = path.startsWith(settings.basePath) ? path.slice(settings.basePath.length) : path
  const token = await client.tokenFor(method, place)
  if (typeof token !== 'string') return notSent(sentOf(token))
  const headers = { ...keptHeaders(request), authorization: `Bearer ${token}` }
  return resultOf(await client.send(method, path, headers, bodyBytes))
}

/** A signature is made anew, with a timestamp of now: a signed request is good for a short time only. */
function sendSigned(request: LoggedRequest, client: PageClient): Promise<PageExchange> {
  const { method, path, headers, bodyBytes } = request
  const kept = keptHeaders(request)
  if (headers['x-signature'] === undefined) return client.send(method, path, kept, bodyBytes)
  const body = withTimestamp(request, client.timestamp())
  return client.send(method, path, { ...kept, 'x-signature': client.signatureOf(body) }, body)
}

function keptHeaders({ headers }: LoggedRequest): GatewayRequest['headers'] {
  const kept = Object.entries(headers).filter(([name]) => !droppedHeaders.has(name))
  const absent = { accept: undefined, 'x-api-version': undefined, 'content-type': undefined }
  return { ...absent, ...Object.fromEntries(kept) }
}

function withTimestamp({ bodyText, bodyBytes }: LoggedRequest, timestamp: number): Uint8Array {
  const value = jsonOf(bodyText)
  if (!isObject(value) || value.timestamp === undefined) return bodyBytes
  return Buffer.from(JSON.stringify({ ...value, timestamp }))
}

function resultOf({ number, response }: PageExchange): Resent {
  return { ...sentOf(response), number }
}

function notSent(token: Sent): Resent {
  const why = token.arrived ? `got no token. ${token.message}` : 'got no response.'
  const message = `Not sent, so nothing new was made: the token request before it ${why}`
  return { ...token, message, number: null }
}
