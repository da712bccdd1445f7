import { Newest } from '../memory.js'
import { type GatewayRequest, header } from '../wire/request.js'
import type { Target } from '../wire/routes.js'
import { LoggedRequest } from './logged-request.js'

const masked = new Set(['authorization', 'x-signature', 'cookie', 'proxy-authorization'])

export class RequestLog {
  readonly #log: Newest<LoggedRequest>
  readonly #onChange: () => void
  readonly #monotonic: () => number
  #arrived = 0

  /** @param monotonic the sandbox's clock, without a skew */
  constructor(maxEntries: number, monotonic: () => number, onChange: () => void) {
    this.#onChange = onChange
    this.#monotonic = monotonic
    this.#log = new Newest(maxEntries)
  }

  /** @returns the entry, and what is called when the last byte has left, or the connection has ended before */
  add(request: GatewayRequest, target: Target, at: number) {
    this.#arrived += 1
    const logged = new LoggedRequest(this.#arrived, request, target, at, maskHeaders(request))
    const beganAt = this.#monotonic()
    this.#log.add(logged)
    this.#onChange()
    const end = (isWhole: boolean) => {
      if (logged.tookMs !== undefined) return
      logged.ended(this.#monotonic() - beganAt, isWhole)
      this.#onChange()
    }
    return { logged, end }
  }

  /** The requests for a payment, and those that made their tokens. */
  about(kind: 'payin' | 'payout', id: string): LoggedRequest[] {
    const key = `${kind} ${id}`
    const all = [...this.#log]
    const about = all.filter(({ paymentKey }) => paymentKey === key)
    const tokens = new Set(about.map(({ grant }) => grant?.idToken))
    const mints = all.filter(
      ({ isMint, grant }) => isMint && grant !== undefined && tokens.has(grant.idToken),
    )
    return [...mints, ...about]
  }

  toArray(): LoggedRequest[] {
    return [...this.#log]
  }

  clear(): void {
    this.#log.clear()
  }
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
