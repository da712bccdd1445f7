import { Beginnings } from '../memory/beginnings.js'
import { BoundedLog } from '../memory/bounded-log.js'
import { type GatewayRequest, header } from '../wire/request.js'
import type { WireResponse } from '../wire/response.js'
import type { Target } from '../wire/routes.js'
import { LoggedRequest, type Outcome } from './logged-request.js'

/** Two clocks at one moment, in milliseconds. */
interface Moment {
  readonly real: number
  readonly clock: number
}

const masked = new Set(['authorization', 'x-signature', 'cookie', 'proxy-authorization'])
const MAX_LOG_BYTES = 32 * 1024 * 1024
const FIRST_OF_PAYMENT = 20
const MAX_FIRST_BYTES = 16 * 1024 * 1024
const MAX_MINTS = 1000
const MAX_MINT_BYTES = 4 * 1024 * 1024

/** The newest requests: bounded in number and in bytes. */
export class RequestLog {
  readonly #log: BoundedLog<LoggedRequest>
  readonly #first: Beginnings<LoggedRequest>
  readonly #mints: BoundedLog<LoggedRequest>
  readonly #onChange: () => void
  readonly #monotonic: () => number
  #arrived = 0

  /** @param monotonic the sandbox's clock, without a skew */
  constructor(maxEntries: number, monotonic: () => number, onChange: () => void) {
    this.#onChange = onChange
    this.#monotonic = monotonic
    this.#log = new BoundedLog(maxEntries, MAX_LOG_BYTES)
    this.#first = new Beginnings(Math.min(FIRST_OF_PAYMENT, maxEntries), MAX_FIRST_BYTES)
    this.#mints = new BoundedLog(Math.min(MAX_MINTS, maxEntries), MAX_MINT_BYTES)
  }

  /** Logs an arrival, and is told what becomes of it. */
  add(request: GatewayRequest, target: Target, at: number): OpenEntry {
    const { headers, bytes } = maskHeaders(request)
    this.#arrived += 1
    const entry = new LoggedRequest(this.#arrived, request, target, at, headers)
    const began = this.#moment()
    const size = bytes + request.path.length + request.body.length
    const counts = [this.#log.add(entry, size)]
    if (entry.paymentKey !== undefined) counts.push(this.#first.add(entry.paymentKey, entry, size))
    if (entry.isMint) counts.push(this.#mints.add(entry, size))
    this.#onChange()
    return {
      request: entry,
      outcome: entry.outcome,
      answer: (reply) => {
        const more = entry.answered(reply)
        for (const count of counts) count(more)
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
   * those that made the tokens which came with them.
   */
  about(kind: 'payin' | 'payout', id: string): LoggedRequest[] {
    const key = `${kind} ${id}`
    const newest = this.#log.toArray().filter(({ paymentKey }) => paymentKey === key)
    const own = this.#first.joinedWith(key, newest)
    const tokens = new Set(own.map(({ grant }) => grant?.idToken).filter(Boolean))
    return [...this.#mints.toArray().filter(({ grant }) => tokens.has(grant?.idToken)), ...own]
  }

  toArray(): LoggedRequest[] {
    return this.#log.toArray()
  }

  clear(): void {
    this.#log.clear()
    this.#first.clear()
    this.#mints.clear()
  }

  #moment(): Moment {
    return { real: performance.now(), clock: this.#monotonic() }
  }
}

/** A request that is being answered. */
export interface OpenEntry {
  readonly request: LoggedRequest
  readonly outcome: Outcome
  /** The answer is made, and goes out next. */
  answer(reply: WireResponse): void
  /** The last byte has left, or the connection has ended before. */
  end(isWhole: boolean): void
}

function maskHeaders(request: GatewayRequest): { headers: Record<string, string>; bytes: number } {
  const headers: Record<string, string> = {}
  let bytes = 200
  for (const name of Object.keys(request.headers)) {
    const value = header(request.headers, name)
    if (value === undefined) continue
    headers[name] = masked.has(name) ? '[redacted]' : value
    bytes += name.length + value.length
  }
  return { headers, bytes }
}
