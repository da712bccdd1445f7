import type { LimiterKind } from '../../../gateway/engine/limiter.js'
import type { FieldForm } from '../../../gateway/faults/fault-field.js'

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

/** A fault that the page arms: as `sandbox.fault` or `sandbox.callbackFault` takes it, and checked by the same rules. */
export interface FaultOrder {
  readonly at: 'request' | 'callback'
  /** The endpoint, or `*`, for a fault of requests. */
  readonly route?: string
  /** `payin` or `payout`, for a fault of callbacks; both when absent. */
  readonly kind?: string
  readonly id?: string
  /** Null for all, because JSON has no Infinity. */
  readonly times?: number | null
  readonly skip?: number
  readonly probability?: number
  readonly action: { readonly kind: string; readonly [field: string]: unknown }
}

/** A kind of fault, and what a form asks for to arm it. */
export interface FaultForm {
  readonly at: 'request' | 'callback'
  readonly kind: string
  /** What it does, in words. */
  readonly label: string
  /** Where it means something: endpoints, and `*`. None for a callback. */
  readonly places: readonly string[]
  readonly fields: readonly (FieldForm & { readonly name: string; readonly isOptional: boolean })[]
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

export interface Created extends Sent {
  readonly kind: 'payin' | 'payout'
  readonly id: string
  /** Whether the sandbox holds a payment with that id now. */
  readonly held: boolean
}
