import type { Sandbox } from '../gateway/sandbox.js'
import type { RehearsalApplication } from './application.js'
import type { Reference } from './evidence.js'
import type { Orders } from './orders.js'

/** Against what a case is played, and how long anybody waits. */
export interface RunContext {
  readonly gateway: Sandbox
  /** What the gateway takes where orders are played one after another. */
  readonly rateLimit: number | false
  readonly application: RehearsalApplication
  /** Which payments are whose, of all orders of the same application. */
  readonly orders: Orders
  /** How long a person waits for an action before trying again, in ms. */
  readonly patienceMs: number
  /** How long the application may take until it has done and says what it should, in ms. */
  readonly waitMs: number
  /** How much longer where nobody has said that, as a sweep comes once a minute; 0 when that was in vain. */
  readonly longer?: { ms: number }
  /** How long the application was seen to take until it said paid, at most; in ms. */
  readonly pace: { ms: number }
  /** How long a customer takes to pay who takes long, in ms. */
  readonly whileMs: number
  /** How long nothing has to arrive until an action is over, in ms; three times that after trouble. */
  readonly calmMs: number
  /** Called when an order of a case begins. */
  begins?(name: string): void
  /** Ends the rehearsal. */
  readonly signal: AbortSignal
}

export interface Stage extends RunContext {
  readonly reference: Reference
}

/** Enough for a person, and for an application on the same machine. */
export const usualWaits = { patienceMs: 5000, waitMs: 10_000, calmMs: 300, whileMs: 30_000 } as const
