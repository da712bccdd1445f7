import type { FaultHandle, FaultOptions } from '../gateway/faults/fault.js'
import type { Activity } from './activity.js'
import { type Case, faultOf, holdMsOf, type Place } from './case.js'
import type { Stage } from './context.js'
import type { PaymentName } from './orders.js'

export class Armed {
  readonly #faults: FaultHandle[] = []
  /** Whether it goes on until somebody tries again. */
  readonly lasts: boolean
  /** Arms the same for the end of the payment, where it lasts and is about status requests. */
  #armForEnd: (() => FaultHandle) | undefined
  #hasEnded = false
  /** How long it holds a response. */
  readonly holdMs: number

  /** @param stage its `calmMs` is also how long status requests go wrong that show the end of the payment */
  constructor(one: Case, stage: Place & Pick<Stage, 'calmMs' | 'gateway'>, activity: Activity) {
    const { calmMs, gateway, reference } = stage
    const { callbackFault } = one
    const fault = faultOf(one, stage)
    if (fault !== undefined) {
      this.#faults.push(gateway.fault({ ...fault, match: (request) => activity.owns(request) }))
    }
    if (callbackFault !== undefined) {
      const match = (payment: PaymentName) => activity.isAbout(payment)
      this.#faults.push(gateway.callbackFault({ ...callbackFault, kind: reference.kind, match }))
    }
    this.holdMs = holdMsOf(one, stage)
    this.lasts = one.fault?.lasts === 'until tried again'
    if (this.lasts && fault?.route.startsWith('GET ')) {
      let end = Number.POSITIVE_INFINITY
      const match: FaultOptions['match'] = (request) => {
        if (!activity.owns(request)) return false
        end = Math.min(end, performance.now() + calmMs)
        return performance.now() < end
      }
      this.#armForEnd = () => gateway.fault({ ...fault, match })
    }
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
    if (this.lasts) this.disarm()
  }

  /** The status requests that show the end go wrong for a moment, also one that an earlier callback asked for. */
  beforePayment(): void {
    if (this.#armForEnd === undefined) return
    this.disarm()
    this.#faults.push(this.#armForEnd())
    this.#armForEnd = undefined
  }

  disarm(): void {
    for (const fault of this.#faults) fault.remove()
  }
}
