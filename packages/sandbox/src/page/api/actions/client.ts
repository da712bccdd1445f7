import { randomUUID, sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fieldAt, isObject, jsonOf } from '../../../common/json.js'
import { escapePattern } from '../../../common/text.js'
import type { SandboxParts } from '../../../gateway/assemble.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { GatewayRequest } from '../../../gateway/wire/request.js'
import type { WireResponse } from '../../../gateway/wire/response.js'
import type { CreateBody } from '../bodies.js'
import { filled } from '../text.js'

type ClientParts = Pick<SandboxParts, 'engine' | 'clock' | 'credentials' | 'settings'>

type PageResponse = Pick<WireResponse, 'status' | 'body' | 'ending'> | undefined

interface PageExchange {
  readonly number: number
  readonly response: PageResponse
}

/** Longer than any response should take; in real time, because a virtual clock may stand still. */
const PATIENCE_MS = 8000
const TOKEN_VALIDITY_SECS = 300

/** By this header the page's own requests are known in the log. */
const PAGE_AGENT = 'merchant-gateway sandbox page'

export function isFromPage(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['user-agent'] === PAGE_AGENT
}

/** Sends requests as a merchant's server would: signed, with a token for one operation, through limiter and faults. */
export class PageClient {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  async create(path: string, body: object): Promise<PageResponse> {
    const token = await this.tokenFor('POST', path)
    if (typeof token !== 'string') return token
    const headers = { authorization: `Bearer ${token}` }
    return (await this.#post(path, headers, Buffer.from(JSON.stringify(body)))).response
  }

  /** A token that allows this one operation, or the response that has none. */
  async tokenFor(method: string, path: string): Promise<string | PageResponse> {
    const { merchantCode, tokenField, tokenFormat, maxValiditySecs } = this.#parts.settings
    // The path of an operation is a pattern (section 5); this one matches the path alone, without its query.
    const operations = [`${method} ${escapePattern(path.replace(/\?.*$/s, ''))}`]
    const validitySecs = Math.min(TOKEN_VALIDITY_SECS, maxValiditySecs)
    const scope = { merchantCode, operations, validitySecs, timestamp: this.timestamp() }
    const body = Buffer.from(JSON.stringify(scope))
    const { response } = await this.#post('/auth-tokens', { 'x-signature': this.signatureOf(body) }, body)
    const isMade = response?.ending === 'whole' && response.status >= 200 && response.status < 300
    if (!isMade) return response
    if (tokenFormat === 'text') return response.body
    const json = jsonOf(response.body)
    const token = tokenFormat === 'json' ? fieldAt(json, tokenField) : json
    return typeof token === 'string' ? token : response
  }

  timestamp(): number {
    const now = this.#parts.clock.withoutSkew()
    return this.#parts.settings.timestampUnit === 'milliseconds' ? now : Math.floor(now / 1000)
  }

  signatureOf(body: Uint8Array): string {
    return sign('RSA-SHA256', body, this.#parts.credentials.privateKey()).toString('base64')
  }

  /** Resolves at the response, or without one when none has come in time. */
  async send(
    method: string,
    path: string,
    headers: GatewayRequest['headers'],
    body: Uint8Array,
  ): Promise<PageExchange> {
    const all = {
      accept: 'application/json',
      'x-api-version': '2',
      ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
      ...headers,
      'user-agent': PAGE_AGENT,
    }
    const exchange = this.#parts.engine.handle({ method, path, headers: all, body })
    const late = pause(PATIENCE_MS, undefined, { ref: false })
    const response = await Promise.race([exchange.reply, late])
    exchange.end(response?.ending === 'whole')
    return { number: exchange.number, response: response?.ending === 'stall' ? undefined : response }
  }

  #post(path: string, headers: GatewayRequest['headers'], body: Uint8Array): Promise<PageExchange> {
    return this.send('POST', this.#parts.settings.basePath + path, headers, body)
  }
}

interface Sent {
  /** Null when no response arrived in time. */
  readonly status: number | null
  readonly verdict: string | null
  /** Whether the response would have reached a client whole. */
  readonly arrived: boolean
  readonly message: string
}

export type Created = Awaited<ReturnType<typeof createPayment>>

/** Creates a payment by a request of its own. A magic value does what it does to anybody. */
export async function createPayment(
  body: CreateBody,
  client: PageClient,
  { ledger, settings }: Pick<SandboxParts, 'ledger' | 'settings'>,
) {
  const { kind, id = randomUUID() } = body
  const response = await client.create(`/${kind}s/${encodeURIComponent(id)}`, requestOf(body, settings))
  // Whether the sandbox holds a payment with that id now.
  const held = ledger.store(kind).find(id) !== undefined
  return { ...sentOf(response), kind, id, held }
}

/** What a create of the page asks for; the customer is made up. */
function requestOf(
  { kind, amount, currencyCode, operator, callbackUrl }: CreateBody,
  { payinMethods, paymentOperators }: Pick<SandboxSettings, 'payinMethods' | 'paymentOperators'>,
): object {
  return {
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: kind === 'payin' ? (payinMethods[0] ?? 'VAPAY') : 'BANK_TRANSFER',
      paymentOperatorCode: operator ?? paymentOperators[0]?.code,
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
      emailAddress: 'jana@example.com',
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  }
}

const messages = {
  none: 'No response arrived. Look the payment up to learn whether it was processed.',
  lost: 'The response was lost. Look the payment up to learn whether it was processed.',
  duplicate: 'Response 409: this id was accepted before, so nothing new was made.',
  whole: 'Response {status}{why}',
} as const

function sentOf(response: PageResponse): Sent {
  if (response === undefined) return { status: null, verdict: null, arrived: false, message: messages.none }
  const { status, body, ending } = response
  const { code, message } = { code: textAt(body, 'code'), message: textAt(body, 'message') }
  const why = message ?? (code === null ? null : `${code}.`)
  const arrived = ending === 'whole'
  const sentence = !arrived ? messages.lost : status === 409 ? messages.duplicate : messages.whole
  const values = { status, why: why === null ? '.' : `: ${why}` }
  return { status, verdict: code, arrived, message: filled(sentence, values) }
}

function textAt(json: string, name: string): string | null {
  const value = fieldAt(jsonOf(json), name)
  return typeof value === 'string' ? value : null
}

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
