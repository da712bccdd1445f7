import { sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { escapePattern } from '../../../../../../src/client/input/id-pattern.js'
import { fieldAt, jsonOf } from '../../../common/json.js'
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

  /** A create with a token of its own. */
  async create(path: string, body: object): Promise<PageAnswer> {
    const token = await this.tokenFor('POST', path)
    if (typeof token !== 'string') return token
    const bytes = Buffer.from(JSON.stringify(body))
    return (await this.#sendBelow(path, { authorization: `Bearer ${token}` }, bytes)).answer
  }

  /** A token that allows this one operation, or the answer that holds none. */
  async tokenFor(method: string, path: string): Promise<string | PageAnswer> {
    const { merchantCode, tokenField, tokenFormat, maxValiditySecs } = this.#parts.settings
    // A path is a pattern there (section 5), and whatever has a meaning in one is taken literally.
    const operations = [`${method} ${escapePattern(path.replace(/\?.*$/s, ''))}`]
    const validitySecs = Math.min(300, maxValiditySecs)
    const body = Buffer.from(
      JSON.stringify({ merchantCode, operations, validitySecs, timestamp: this.timestamp() }),
    )
    const { answer } = await this.#sendBelow('/auth-tokens', { 'x-signature': this.signatureOf(body) }, body)
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

  /** By the key of `clientOptions()`. */
  signatureOf(body: Uint8Array): string {
    return sign('RSA-SHA256', body, this.#parts.credentials.privateKey()).toString('base64')
  }

  #sendBelow(path: string, headers: GatewayRequest['headers'], body: Uint8Array): Promise<PageExchange> {
    return this.send('POST', this.#parts.settings.basePath + path, headers, body)
  }

  /** Resolves at the answer, or without one when none has come in time. The request itself is not taken back. */
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
      ...pageHeaders,
    }
    const exchange = this.#parts.engine.handle({ method, path, headers: all, body })
    const late = pause(ANSWER_MS, undefined, { ref: false })
    const answer = await Promise.race([exchange.reply, late])
    exchange.end(answer?.ending === 'whole')
    return { number: exchange.number, answer: answer?.ending === 'stall' ? undefined : answer }
  }
}

/** A field of a JSON object, with dots for depth; undefined where there is none. */
export function field(json: string, path: string): unknown {
  return fieldAt(jsonOf(json), path)
}
