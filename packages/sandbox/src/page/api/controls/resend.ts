import { jsonOf } from '../../../../../../src/client/input/json.js'
import { isObject } from '../../../../../../src/client/input/own.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { GatewayRequest } from '../../../gateway/wire/request.js'
import { PageRefusal } from '../http/responses.js'
import type { Mask } from '../mask.js'
import type { ResendOrder } from '../orders.js'
import type { PageParts } from '../parts.js'
import type { PageAnswer, PageClient, PageExchange } from './page-client.js'
import { type Sent, sentOf } from './page-create.js'

/** A request of the log that was sent again. */
export interface Resent extends Sent {
  /** Its own number in the log; null when it was not sent, because no token could be had for it. */
  readonly number: number | null
}

/** What is not sent again: credentials, which are made anew, and what belongs to a connection. */
const ownHeaders = new Set(
  'authorization x-signature cookie proxy-authorization host connection content-length transfer-encoding keep-alive expect user-agent accept-encoding'.split(
    ' ',
  ),
)

/**
 * Sends a request of the log again: the same method, id and content, with a token or signature of its own where it
 * came with one. What `change` holds is sent instead; where it is masked, the original is sent.
 *
 * @throws PageRefusal for a request that the log no longer has, and for a change that can't be sent
 */
export async function resend(
  number: number,
  change: ResendOrder,
  client: PageClient,
  { log, settings }: Pick<PageParts, 'log' | 'settings'>,
  mask: Mask,
): Promise<Resent> {
  const request = log.toArray().find((logged) => logged.number === number)
  if (request === undefined) throw new PageRefusal(404, 'The sandbox no longer has this request.')
  const path = pathOf(change.path, request, mask)
  const body = bodyOf(change.body, request, mask)
  const { number: own, answer } = await send(request, path, body, client, settings.basePath)
  return own === null ? notSent(answer) : { ...sentOf(answer), number: own }
}

/** The result of a request whose token request brought no token. */
function notSent(answer: PageAnswer): Resent {
  const { message, ...sent } = sentOf(answer)
  const why = sent.arrived ? `got no token. ${message}` : 'got no answer.'
  return {
    ...sent,
    message: `Not sent, so nothing new was made: the token request before it ${why}`,
    number: null,
  }
}

/** The number is null where only a token was asked for, in vain. */
async function send(
  request: LoggedRequest,
  path: string,
  body: Uint8Array,
  client: PageClient,
  basePath: string,
): Promise<Omit<PageExchange, 'number'> & { readonly number: number | null }> {
  const { method, headers } = request
  const kept: GatewayRequest['headers'] = {
    accept: undefined,
    'x-api-version': undefined,
    'content-type': undefined,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name))),
  }
  if (request.isMint) {
    if (headers['x-signature'] === undefined) return client.send(method, path, kept, body)
    const bytes = withTimestamp(body, client.timestamp())
    return client.send(method, path, { ...kept, 'x-signature': client.signatureOf(bytes) }, bytes)
  }
  if (headers.authorization === undefined) return client.send(method, path, kept, body)
  const place = path.startsWith(basePath) ? path.slice(basePath.length) : path
  const token = await client.tokenFor(method, place)
  if (typeof token !== 'string') return { number: null, answer: token }
  return client.send(method, path, { ...kept, authorization: `Bearer ${token}` }, body)
}

function pathOf(path: string | undefined, request: LoggedRequest, mask: Mask): string {
  if (path === undefined || path === mask.text(request.path)) return request.path
  if (/…|\[redacted\]/.test(path)) {
    throw new PageRefusal(400, 'A path that is changed is sent as it is: put in what is masked.')
  }
  if (/^\/[\x21-\x7e]*$/.test(path)) return path
  throw new PageRefusal(400, 'path must begin with / and have no space.')
}

function bodyOf(edited: string | undefined, request: LoggedRequest, mask: Mask): Uint8Array {
  if (edited === undefined) return request.bodyBytes
  const shown = jsonOf(mask.body(request.bodyBytes) ?? '')
  const wanted = jsonOf(edited)
  // What is no JSON is sent as it stands: an application may send that too.
  if (wanted === undefined) return Buffer.from(edited)
  return Buffer.from(JSON.stringify(unmasked(wanted, shown, jsonOf(request.bodyText))))
}

/** What was edited; a value that is left as the page showed it is what it was before it was masked. */
export function unmasked(edited: unknown, shown: unknown, original: unknown): unknown {
  if (Object.is(edited, shown)) return original
  if (Array.isArray(edited) && Array.isArray(shown) && Array.isArray(original)) {
    return edited.map((value, index) => unmasked(value, shown[index], original[index]))
  }
  if (!isObject(edited) || !isObject(shown) || !isObject(original)) return edited
  return Object.fromEntries(
    Object.entries(edited).map(([name, value]) => [
      name,
      Object.hasOwn(shown, name) && Object.hasOwn(original, name)
        ? unmasked(value, shown[name], original[name])
        : value,
    ]),
  )
}

/** A signed request is good for a short time only. */
function withTimestamp(body: Uint8Array, timestamp: number): Uint8Array {
  const value = jsonOf(Buffer.from(body).toString('utf8'))
  if (!isObject(value) || value.timestamp === undefined) return body
  return Buffer.from(JSON.stringify({ ...value, timestamp }))
}
