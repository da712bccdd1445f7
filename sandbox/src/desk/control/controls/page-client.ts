import { sign } from 'node:crypto'
import { jsonOf } from '../../../../../src/client/input/json.js'
import { valueAt } from '../../../gateway/wire/place.js'
import type { GatewayRequest } from '../../../gateway/wire/request.js'
import type { WireResponse } from '../../../gateway/wire/response.js'
import type { PageParts } from '../parts.js'
import { pageHeaders } from './page-agent.js'

type ClientParts = Pick<PageParts, 'engine' | 'clock' | 'credentials' | 'settings'>

/** What the gateway answered to a request of the page; undefined for one that waits, or was left without an answer. */
export type PageAnswer = Pick<WireResponse, 'status' | 'body' | 'ending'> | undefined

/** A request of the page that has gone out. */
export interface PageExchange {
  /** Its number in the log. */
  readonly number: number
  readonly answer: PageAnswer
}

/** Longer than any answer should take; in real time, because a virtual clock may stand still. */
const ANSWER_MS = 8000

/**
 * Sends requests from the page to the gateway behind it, as a merchant's server would: signed, with a token that
 * allows this one operation, through log, limiter and faults.
 */
export class PageClient {
  readonly #parts: ClientParts

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  /** A business request with a token of its own. */
  async call(method: string, path: string, body?: unknown): Promise<PageAnswer> {
    const token = await this.tokenFor(method, path)
    return typeof token === 'string' ? this.callWith(token, method, path, body) : token
  }

  /** A token that allows this one operation, or the answer that holds none. */
  tokenFor(method: string, path: string): Promise<string | PageAnswer> {
    return this.mint([`${method} ${escapePattern(path)}`])
  }

  callWith(token: string, method: string, path: string, body?: unknown): Promise<PageAnswer> {
    const text = body === undefined ? '' : JSON.stringify(body)
    return this.send(method, path, { authorization: `Bearer ${token}` }, Buffer.from(text))
  }

  /** The token, or the answer that holds none. */
  async mint(operations: readonly string[]): Promise<string | PageAnswer> {
    const { merchantCode, tokenField, tokenFormat, maxValiditySecs } = this.#parts.settings
    const validitySecs = Math.min(300, maxValiditySecs)
    const body = { merchantCode, operations, validitySecs, timestamp: this.timestamp() }
    const answer = await this.sendSigned('/auth-tokens', JSON.stringify(body))
    if (answer === undefined || !/^2/.test(String(answer.status)) || answer.ending !== 'whole') return answer
    if (tokenFormat === 'text') return answer.body
    const token = tokenFormat === 'json' ? field(answer.body, tokenField) : jsonOf(answer.body)
    return typeof token === 'string' ? token : answer
  }

  /** The time in the unit that the gateway takes. */
  timestamp(): number {
    const now = this.#parts.clock.withoutSkew()
    return this.#parts.settings.timestampUnit === 'milliseconds' ? now : Math.floor(now / 1000)
  }

  /** A request for a token, signed with the key of `clientOptions()`. */
  sendSigned(path: string, body: string): Promise<PageAnswer> {
    const bytes = Buffer.from(body)
    return this.send('POST', path, { 'x-signature': this.signatureOf(bytes) }, bytes)
  }

  signatureOf(body: Uint8Array): string {
    return sign('RSA-SHA256', body, this.#parts.credentials.privateKey()).toString('base64')
  }

  /** @param path below the base path */
  async send(
    method: string,
    path: string,
    headers: GatewayRequest['headers'],
    body: Uint8Array,
  ): Promise<PageAnswer> {
    const { answer } = await this.sendAsIs(method, this.#parts.settings.basePath + path, headers, body)
    return answer
  }

  /** Resolves at the answer, or without one when none has come in time. The request itself is not taken back. */
  async sendAsIs(
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
      ...pageHeaders,
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ANSWER_MS).unref()
    })
    try {
      const request = { method, path, headers: all, body }
      const exchange = this.#parts.engine.handle(request)
      const answer = await Promise.race([exchange.reply, late])
      exchange.end(answer?.ending === 'whole')
      return { number: exchange.number, answer: answer?.ending === 'stall' ? undefined : answer }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A field of a JSON object, with dots for depth; undefined where there is none. */
export function field(json: string, path: string): unknown {
  return valueAt(jsonOf(json), path)
}

/** An operation's path is a pattern (section 5); what has a meaning there is taken literally. */
function escapePattern(path: string): string {
  return path.replace(/\?.*$/s, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
