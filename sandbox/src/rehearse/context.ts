import type { RehearsalApplication } from './application.js'
import type { RehearsalGateway } from './gateway.js'

/** Against what a case is played, and how long anybody waits. */
export interface RunContext {
  readonly gateway: RehearsalGateway
  readonly application: RehearsalApplication
  /** How long a person waits for an act before trying again, in ms. */
  readonly patienceMs: number
  /** How long the application may take until it has done and says what it should, in ms. */
  readonly waitMs: number
  /**
   * How long the gateway has to hear nothing until an act's consequences count as over, in ms; three times that
   * after trouble, because an application may try again by itself.
   */
  readonly calmMs: number
  /** Ends the rehearsal. */
  readonly signal: AbortSignal
}

/** Enough for an application on the same machine. */
export const usualCalmMs = 300
