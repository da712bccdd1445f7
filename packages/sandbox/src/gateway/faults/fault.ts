import type { SandboxPayment } from '../payments/payment.js'
import type { RouteName } from '../wire/routes.js'
import type { CallbackFaultAction } from './callback-fault-kinds.js'
import type { FaultAction } from './fault-action.js'

/**
 * A fault to arm. What could never hit or means nothing is refused: `hide` where no status is requested,
 * `overtaken` and `callback-first` where none is created, `revoke-token` where a token is asked for, an `id` at
 * an endpoint that has none.
 */
export interface FaultOptions {
  /**
   * The endpoint by its name in section 4, such as `POST /payins/{idPayin}`; `create` for the creates of payins and
   * payouts; `*` for every request.
   */
  readonly route: RouteName | 'create' | '*'
  /** Only requests for this idPayin or idPayout. */
  readonly id?: string
  /** Only requests for which this returns true: those of one order, whatever their id is. */
  readonly match?: (request: MatchedRequest) => boolean
  /** How many requests it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
  /** How many matching requests it lets pass first: 0 by default. */
  readonly skip?: number
  /** Hits a matching request with this probability only, from 0 to 1, drawn by the seed. 1 by default. */
  readonly probability?: number
  /** What goes wrong. */
  readonly action: FaultAction
  /** Asked when a `delay` begins: that ends when this resolves, or when its time is over. */
  readonly until?: () => Promise<unknown>
}

/** What `match` of a fault is shown of a request. */
export interface MatchedRequest {
  /** `GET` or `POST`. */
  readonly method: string
  /** As sent, with the query. */
  readonly path: string
  /** The body as text; empty where there is none. */
  readonly bodyText: string
}

/** An armed fault. */
export interface FaultHandle {
  /** How often it has hit. */
  readonly hits: number
  /** Disarms it; requests that it holds already are not let go. */
  remove(): void
}

/** A fault of callbacks to arm. */
export interface CallbackFaultOptions {
  /** Only callbacks about payins, or about payouts. */
  readonly kind?: 'payin' | 'payout'
  /** Only callbacks about the payment with this idPayin or idPayout. */
  readonly id?: string
  /** How many callbacks it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
  /** Only callbacks about payments for which this returns true. */
  readonly match?: (payment: Pick<SandboxPayment, 'kind' | 'id'>) => boolean
  /** What goes wrong. */
  readonly action: CallbackFaultAction
}
