import type { TokenFacts } from '../auth/token-issuer.js'
import { KeyedLog } from '../memory/keyed-log.js'
import { type GatewayRequest, header } from '../wire/request.js'
import type { WireResponse } from '../wire/response.js'
import type { Target } from '../wire/routes.js'
import { LoggedRequest } from './logged-request.js'

/** Two clocks at one moment, in milliseconds. */
interface Moment {
  readonly real: number
  readonly clock: number
}

const masked = new Set(['authorization', 'x-signature', 'cookie', 'proxy-authorization'])
const limits = { maxBytes: 32 * 1024 * 1024, firstOfKey: 20 }

/** The newest requests: bounded in number and in bytes. */
export class RequestLog {
  readonly #log: KeyedLog<LoggedRequest>
  readonly #onChange: () => void
  readonly #monotonic: () => number
  #arrived = 0

  /** @param monotonic the sandbox's clock, without a skew */
  constructor(maxEntries: number, monotonic: () => number, onChange: () => void) {
    this.#onChange = onChange
    this.#monotonic = monotonic
    this.#log = new KeyedLog({ ...limits, maxEntries }, ({ bytes }) => bytes)
  }

  /** Logs an arrival, and is told what becomes of it. */
  add(request: GatewayRequest, target: Target, at: number): OpenEntry {
    this.#arrived += 1
    const entry = new LoggedRequest(this.#arrived, request, target, at, maskHeaders(request))
    const began = this.#moment()
    const count = this.#log.add(entry, entry.paymentKey)
    this.#onChange()
    return {
      request: entry,
      answer: (reply) => {
        entry.answered(reply)
        count()
        if (entry.isMint && entry.grant !== undefined) this.#log.keepFirst(entry, keyOfToken(entry.grant))
      },
      end: (isWhole) => {
        if (entry.duration !== undefined) return
        const ended = this.#moment()
        entry.ended({ realMs: ended.real - began.real, clockMs: ended.clock - began.clock }, isWhole)
        this.#onChange()
      },
    }
  }

  /**
   * The requests for a payment, its first ones though newer requests may have pushed them out of the log, and
   * those that made their tokens.
   */
  about(kind: 'payin' | 'payout', id: string): LoggedRequest[] {
    const key = `${kind} ${id}`
    const about = this.#log.about(key, ({ paymentKey }) => paymentKey === key)
    const tokens = new Set(about.flatMap(({ grant }) => (grant === undefined ? [] : keyOfToken(grant))))
    return [...[...tokens].flatMap((token) => this.#log.firstAbout(token)), ...about]
  }

  toArray(): LoggedRequest[] {
    return this.#log.toArray()
  }

  clear(): void {
    this.#log.clear()
  }

  #moment(): Moment {
    return { real: performance.now(), clock: this.#monotonic() }
  }
}

/** A request that is being answered. */
export interface OpenEntry {
  readonly request: LoggedRequest
  /** The answer is made, and goes out next. */
  answer(reply: WireResponse): void
  /** The last byte has left, or the connection has ended before. */
  end(isWhole: boolean): void
}

function keyOfToken({ idToken }: TokenFacts): string {
  return `token ${idToken}`
}

function maskHeaders(request: GatewayRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of Object.keys(request.headers)) {
    const value = header(request.headers, name)
    if (value === undefined) continue
    headers[name] = masked.has(name) ? '[redacted]' : value
  }
  return headers
}
