import type { LimiterKind } from '../../packages/sandbox/src/index.js'
import type { ClockErrors } from './world/machine.js'

/** All that a run is made of: the same plan plays the same way, to the byte. JSON, so that a story can keep it. */
export interface Plan {
  readonly seed: number
  readonly settings: Settings
  readonly orders: readonly Order[]
  readonly faults: readonly Fault[]
  /** When the last fault is over, in milliseconds from the start. */
  readonly faultsEndMs: number
}

/** What a changed limiter may become, by the variant of its fault. */
export const limiters = ['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced'] as const

/** Whether the gateway spaces requests evenly, at some time at least: then it refuses what the network brings too close together. */
export function spacesEvenly({ settings, faults }: Pick<Plan, 'settings' | 'faults'>): boolean {
  const becomesEven = ({ kind, variant }: Fault) =>
    kind === 'limiter-changed' && limiters[variant % limiters.length] === 'evenly-spaced'
  return settings.limiter === 'evenly-spaced' || faults.some(becomesEven)
}

/** How the merchant, the gateway and the network are set up. Durations are in milliseconds. */
export interface Settings {
  readonly hosts: number
  /** One host alone; each host with its share of the ten; all of them over a store. */
  readonly rateLimit: 'alone' | 'shares' | 'shared'
  readonly limiter: LimiterKind
  readonly retryAfter: 'seconds' | 'date' | false
  /** How long a message takes, and how much more at most. */
  readonly baseMs: number
  readonly jitterMs: number
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  readonly tokens: 'per-family' | 'per-payment'
  readonly tokenValiditySecs: number
  /** Where the receiver remembers what the merchant's functions have dealt with. */
  readonly seen: 'memory' | 'stored'
  /** Whether the merchant looks after open orders every ten minutes, or leaves it to callbacks. */
  readonly sweeps: boolean
  readonly payAfterMs: number
  readonly clocks: readonly ClockErrors[]
}

/** What somebody wants: one payment, however often it is asked for. */
export interface Order {
  readonly number: number
  readonly kind: 'payin' | 'payout'
  readonly atMs: number
  readonly host: number
  readonly amount: number
  /** Whether the merchant gives the id; otherwise the client makes one. */
  readonly givesId: boolean
  /** The customer gives up so long after the first press of the button. */
  readonly abortAfterMs?: number
  /** Somebody waits for the end of it, for so long. */
  readonly waitMs?: number
  /** Further presses of the same button, or further jobs for the same payout. */
  readonly again: readonly Again[]
  /** Ordered when all is well again: the first call has to succeed. */
  readonly isCalm?: boolean
}

/** The same order once more. */
export interface Again {
  readonly afterMs: number
  readonly host: number
  /** By mistake with this much money. */
  readonly amount?: number
}

/** What goes wrong, from when, for how long, and with what share of the messages that it is about. */
export interface Fault {
  readonly kind: FaultKind
  readonly atMs: number
  readonly forMs: number
  readonly share: number
  /** One host only. */
  readonly host?: number
  /** Which of the ways in which this goes wrong. */
  readonly variant: number
}

/** What goes wrong with messages. */
export const messageFaults = [
  'refused',
  'request-lost',
  'request-late',
  'repeated',
  'answer-lost',
  'answer-cut',
  'answer-late',
  'proxy',
  'server-error',
  'refusal',
  'too-many',
  'hidden',
  'token-revoked',
  'more-fields',
  'callback-lost',
  'callback-late',
  'callback-twice',
  'callback-answer-lost',
  'function-fails',
  'database-fails',
  'seen-forgets',
  'queue-loses',
  'rate-limit-store-away',
] as const

/** What goes wrong at a moment. */
export const momentFaults = [
  'crash',
  'deploy',
  'freeze',
  'clock-set',
  'gateway-down',
  'tokens-revoked',
  'limiter-changed',
  'rate-limit-store-forgets',
] as const

export type MessageFault = (typeof messageFaults)[number]
export type FaultKind = MessageFault | (typeof momentFaults)[number]
