import type { LimiterKind } from '../../../gateway/engine/limiter.js'
import type { CallbackFaultOptions } from '../../../gateway/faults/callback-fault.js'
import type { FaultAction, FaultOptions } from '../../../gateway/faults/fault.js'

/** The JSON between the sandbox and the bar at the top of its page. Types only, because the page is bundled. */

/** What the bar shows. Times are milliseconds, by the sandbox's clock. */
export interface SandboxState {
  readonly clock: {
    readonly mode: 'real' | 'virtual'
    /** Since 1970, as the gateway shows it. */
    readonly now: number
    /** By how much it is wrong: ahead, or behind when negative. */
    readonly skewMs: number
  }
  readonly limiter: {
    readonly kind: LimiterKind
    /** Requests in any 1000 ms; null for no limit. */
    readonly limit: number | null
    /** How many requests could pass at once now; null without a limit. */
    readonly free: number | null
  }
  readonly balances: readonly { readonly amount: number; readonly currencyCode: string }[]
  readonly faults: readonly ArmedFault[]
  /** What can be chosen when a payment is created. */
  readonly operators: readonly { readonly code: string; readonly name: string }[]
}

/** A fault that is armed, on the page or by code. */
export interface ArmedFault {
  readonly key: string
  /** Whether it waits for a request or for a callback. */
  readonly at: 'request' | 'callback'
  /** The endpoint, or `*`; for a callback `payin`, `payout` or `*`. */
  readonly place: string
  readonly id: string | null
  readonly kind: string
  /** What it was given beside its kind, by the names that `sandbox.fault` has for it. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly hits: number
  /** Null for all. */
  readonly times: number | null
  /** How many it still lets pass first. */
  readonly toSkip: number
  readonly probability: number
}

/** A fault that the page arms: as `sandbox.fault` takes it, with what JSON has no word for said otherwise. */
export type FaultOrder = RequestFaultOrder | CallbackFaultOrder

export interface RequestFaultOrder extends Omit<FaultOptions, 'times' | 'action'> {
  readonly at: 'request'
  /** Null for all. */
  readonly times?: number | null
  readonly action: Exclude<FaultAction, { kind: 'mutate' }> | MutateOrder
}

export interface CallbackFaultOrder extends Omit<CallbackFaultOptions, 'times'> {
  readonly at: 'callback'
  /** Null for all. */
  readonly times?: number | null
}

/** How an answer is changed. One of the four. */
export interface MutateOrder {
  readonly kind: 'mutate'
  /** A JSON merge patch. */
  readonly change?: Readonly<Record<string, unknown>>
  /** The path of the field, with dots, that is to be null. */
  readonly nullAt?: string
  readonly extraFields?: true
  /** The status that it shows in place of its own. */
  readonly showStatus?: string
}

export type ClockOrder =
  | { readonly advanceMs: number }
  /** Without `forMs` until it is set right. */
  | { readonly skewMs: number; readonly forMs?: number }

/** What is left out stays as it is. */
export interface LimiterOrder {
  readonly kind?: LimiterKind
  /** Null for no limit. */
  readonly limit?: number | null
}

/** A payment to create, as a customer of the merchant would. */
export interface CreateOrder {
  readonly kind: 'payin' | 'payout'
  readonly amount: number
  readonly currencyCode: string
  /** In a request, the first that the sandbox has when it is absent. */
  readonly operator: string
  /** Made when absent. */
  readonly id?: string
  readonly callbackUrl?: string
}

/** What came of a request that the page sent. */
export interface Sent {
  /** Null when no answer came in time. */
  readonly status: number | null
  readonly verdict: string | null
  /** Whether the answer would have reached a client whole. */
  readonly arrived: boolean
  readonly message: string
}

/** A request of the log that was sent again. */
export interface Resent extends Sent {
  /** Its own number in the log; null when it was not sent, because no token could be had for it. */
  readonly number: number | null
}

/** What is otherwise than in the request that is sent again. */
export interface ResendOrder {
  readonly path?: string
  readonly body?: string
}

export interface Created extends Sent {
  readonly kind: 'payin' | 'payout'
  readonly id: string
  /** Whether the sandbox holds a payment with that id now. */
  readonly held: boolean
}
