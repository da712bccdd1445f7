import { sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fieldAt, jsonOf } from '../../../common/json.js'
import { escapePattern } from '../../../common/text.js'
import type { GatewayRequest } from '../../../gateway/wire/request.js'
import type { WireResponse } from '../../../gateway/wire/response.js'
import type { PageParts } from '../parts.js'

type ClientParts = Pick<PageParts, 'engine' | 'clock' | 'credentials' | 'settings'>

export type PageResponse = Pick<WireResponse, 'status' | 'body' | 'ending'> | undefined

export interface PageExchange {
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
