import type { FaultHandle } from '../gateway/faults/fault.js'
import type { Activity } from './activity.js'
import type { FaultPlan } from './cases.js'
import type { RehearsalGateway } from './gateway.js'

/** What a case has armed at the gateway. */
export class Armed {
  readonly #faults: readonly FaultHandle[]
  readonly #lasts: boolean
  #hasEnded = false
  /** How long it holds an answer. */
  readonly holdMs: number

  /** @param activity whose requests and callbacks it is for */
  constructor(
    { fault, callbackFault, lasts, holdMs = 0 }: FaultPlan,
    gateway: RehearsalGateway,
    activity: Activity,
  ) {
    this.#faults = [
      ...(fault === undefined
        ? []
        : [gateway.fault({ ...fault, match: (request) => activity.owns(request) })]),
      ...(callbackFault === undefined
        ? []
        : [gateway.callbackFault({ ...callbackFault, match: (payment) => activity.isAbout(payment) })]),
    ]
    this.#lasts = lasts === true
    this.holdMs = holdMs
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  get hasHit(): boolean {
    return this.#faults.some(({ hits }) => hits > 0)
  }

  /** Whether it has met something and goes on. */
  get isMet(): boolean {
    return this.hasHit && !this.#hasEnded
  }

  /** Ends what goes on until somebody tries again, once it has met something. */
  endLasting(): void {
    if (!this.hasHit) return
    this.#hasEnded = true
    if (this.#lasts) this.disarm()
  }

  disarm(): void {
    for (const fault of this.#faults) fault.remove()
  }
}
