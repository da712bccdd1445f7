import { checkFault } from './check-fault.js'
import type { Random } from './random.js'
import type { RouteName } from './routes.js'

/**
 * What goes wrong.
 *
 * - `drop-before`: nothing is processed, the connection is reset.
 * - `drop-after`: processed, and then the connection is reset: the answer is lost.
 * - `cut-body`: processed; the headers and half of the body arrive, and then the connection ends.
 * - `stall-body`: the same, but the connection stays open and nothing more comes.
 * - `stall`: never answered; processed only when `processed` is true.
 * - `delay`: answered after `ms` on the sandbox's clock, and up to `jitterMs` more by the seed; processed on
 *   arrival, or at the end of the delay when `processed` is `'late'`.
 * - `status`: answered with that status; processed before it only when `processed` is true. The body is JSON
 *   unless it is a string, which goes out as it is.
 * - `html`: a page such as proxies send, with `status` 502 by default.
 * - `mutate`: processed, and `change` is given the JSON of the answer and returns another.
 * - `rate-limit`: 429 and not processed; with Retry-After when `retryAfterSecs` is there, as a date when
 *   `as` says so.
 * - `hide`: 404 for a payment that is younger than `ms` on the sandbox's clock; others are processed.
 * - `overtaken`: the same request is processed twice, and the second answer is the one that leaves. A create
 *   meets 409, because another one with its id and content was a moment earlier.
 * - `callback-first`: processed; the payment becomes PENDING and its callback is delivered and answered, and
 *   only then the answer leaves.
 * - `revoke-token`: the token that the request carries is revoked, and then the request is processed: 401.
 * - `skew-clock`: the gateway's clock goes wrong by `ms` (ahead, or behind when negative) for `forMs`, and then
 *   the request is processed. Everybody sees that clock.
 */
export type FaultAction =
  | { readonly kind: 'drop-before' }
  | { readonly kind: 'drop-after' }
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'stall-body' }
  | { readonly kind: 'stall'; readonly processed?: boolean }
  | {
      readonly kind: 'delay'
      readonly ms: number
      readonly jitterMs?: number
      readonly processed?: 'on-arrival' | 'late'
    }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
      readonly processed?: boolean
    }
  | { readonly kind: 'html'; readonly status?: number; readonly processed?: boolean }
  | { readonly kind: 'mutate'; readonly change: (json: unknown) => unknown }
  | { readonly kind: 'rate-limit'; readonly retryAfterSecs?: number; readonly as?: 'seconds' | 'date' }
  | { readonly kind: 'hide'; readonly ms: number }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'callback-first' }
  | { readonly kind: 'revoke-token' }
  | { readonly kind: 'skew-clock'; readonly ms: number; readonly forMs: number }

/** A fault to arm. */
export interface FaultOptions {
  /** The endpoint by its name in section 4, such as `POST /payins/{idPayin}`, or `*` for every request. */
  readonly route: RouteName | '*'
  /** Only requests for this idPayin or idPayout. */
  readonly id?: string
  /** How many requests it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
  /** How many matching requests it lets pass first: 0 by default. */
  readonly skip?: number
  /** Hits a matching request with this probability only, from 0 to 1, drawn by the seed. 1 by default. */
  readonly probability?: number
  readonly action: FaultAction
}

/** An armed fault. */
export interface FaultHandle {
  /** How often it has hit. */
  readonly hits: number
  /** Disarms it; requests that it holds already are not let go. */
  remove(): void
}

interface Armed {
  readonly options: FaultOptions
  toSkip: number
  left: number
  hits: number
}

/** The faults of a sandbox. One request meets one fault: the one that was armed first and matches. */
export class Faults {
  readonly #random: Random
  #armed: Armed[] = []

  constructor(random: Random) {
    this.#random = random
  }

  arm(options: FaultOptions): FaultHandle {
    checkFault(options)
    const fault: Armed = { options, toSkip: options.skip ?? 0, left: options.times ?? 1, hits: 0 }
    this.#armed.push(fault)
    return {
      get hits() {
        return fault.hits
      },
      remove: () => {
        this.#armed = this.#armed.filter((other) => other !== fault)
      },
    }
  }

  /** The fault that a request meets. Taken on arrival, so that `skip` and `times` count arrivals. */
  take(route: RouteName | undefined, id: string | null | undefined): FaultAction | undefined {
    if (this.#armed.length === 0) return undefined
    const fault = this.#armed.find(({ options }) => {
      return (
        (options.route === '*' || options.route === route) && (options.id === undefined || options.id === id)
      )
    })
    if (fault === undefined) return undefined
    if (fault.toSkip > 0) {
      fault.toSkip -= 1
      return undefined
    }
    const { probability = 1, action } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    fault.hits += 1
    fault.left -= 1
    if (fault.left <= 0) this.#armed = this.#armed.filter((other) => other !== fault)
    return action
  }

  clear(): void {
    this.#armed = []
  }
}
