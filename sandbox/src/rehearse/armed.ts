import type { FaultHandle } from '../gateway/faults/fault.js'
import type { Activity } from './activity.js'
import type { FaultPlan } from './cases.js'
import type { RehearsalGateway } from './gateway.js'

/** What a case has armed at the gateway. */
export class Armed {
  readonly #faults: FaultHandle[]
  readonly #lasts: boolean
  /** Arms the same once more, where it lasts and is about look-ups. */
  #armOnce: (() => FaultHandle) | undefined
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
    if (this.#lasts && fault?.route.startsWith('GET ')) {
      this.#armOnce = () => gateway.fault({ ...fault, times: 1, match: (request) => activity.owns(request) })
    }
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

  /**
   * The payment is about to end. A look-up that shows the end goes wrong as well, and once: whether the fault has lasted
   * until here depends on when the look-ups before were made.
   */
  beforePayment(): void {
    if (this.#armOnce === undefined) return
    this.disarm()
    this.#faults.push(this.#armOnce())
    this.#armOnce = undefined
  }

  disarm(): void {
    for (const fault of this.#faults) fault.remove()
  }
}
