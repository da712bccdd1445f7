import type { FaultHandle } from '../gateway/faults/fault.js'
import type { SandboxPayment } from '../gateway/payments/payment.js'
import type { Activity } from './activity.js'
import { type Case, faultOf, holdMsOf, type Place } from './case.js'
import type { Stage } from './context.js'
import type { PaymentName } from './orders.js'

export class Armed {
  readonly #faults: FaultHandle[] = []
  #withheld: FaultHandle | undefined
  /** Whether it goes on until somebody tries again. */
  readonly lasts: boolean
  #hasEnded = false
  /** How long it holds a response. */
  readonly holdMs: number

  constructor(one: Case, stage: Place & Pick<Stage, 'gateway'>, activity: Activity) {
    const { gateway, reference } = stage
    const { callbackFault } = one
    const fault = faultOf(one, stage)
    if (fault !== undefined) {
      this.#faults.push(gateway.fault({ ...fault, match: (request) => activity.owns(request) }))
    }
    const place = { kind: reference.kind, match: (payment: PaymentName) => activity.isAbout(payment) }
    if (callbackFault !== undefined) this.#faults.push(gateway.callbackFault({ ...callbackFault, ...place }))
    if (one.withholds) {
      const action = { kind: 'missing' } as const
      this.#withheld = gateway.callbackFault({ times: Number.POSITIVE_INFINITY, action, ...place })
    }
    this.holdMs = holdMsOf(one, stage)
    this.lasts = one.fault?.lasts === 'until tried again'
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

  /** Callbacks come again, and those about these payments that have waited come now. */
  release(payments: readonly SandboxPayment[] = []): void {
    const waiting = this.#withheld?.hits ?? 0
    this.#withheld?.remove()
    this.#withheld = undefined
    if (waiting > 0) for (const payment of payments) payment.sendCallback()
  }

  disarm(): void {
    for (const fault of this.#faults) fault.remove()
  }
}
