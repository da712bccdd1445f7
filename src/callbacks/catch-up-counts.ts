import { channel } from 'node:diagnostics_channel'
import { timeIn } from '../client/input/time-in.js'
import type { CatchUpEvent, PaymentKind } from '../index.js'

type Counts = Omit<CatchUpEvent, 'kind'>

/** What a run found of one payment. */
interface Found {
  readonly payment?: { readonly process?: { readonly createdAt?: string | null } | null } | undefined
  readonly final: boolean
  readonly delivery?: 'delivered' | 'nothing-new' | 'failed' | undefined
}

const ended = channel('merchant-gateway:catch-up')
const none: Counts = { final: 0, open: 0, failed: 0, unavailable: 0, oldestOpenMs: 0 }

/** What a run of catchUp has found of each kind, for metrics. */
export class CatchUpCounts {
  readonly #kinds = new Map<PaymentKind, Counts>()

  add(kind: PaymentKind, found: Found): void {
    const before = this.#kinds.get(kind) ?? none
    const result = resultOf(found)
    const oldestOpenMs = Math.max(before.oldestOpenMs, openMs(found))
    this.#kinds.set(kind, { ...before, [result]: before[result] + 1, oldestOpenMs })
  }

  publish(): void {
    if (!ended.hasSubscribers) return
    for (const [kind, counts] of this.#kinds) {
      const event: CatchUpEvent = { kind, ...counts }
      ended.publish(event)
    }
  }
}

function resultOf({ payment, final, delivery }: Found): Exclude<keyof Counts, 'oldestOpenMs'> {
  if (payment === undefined) return 'unavailable'
  if (delivery === 'failed') return 'failed'
  return final ? 'final' : 'open'
}

function openMs({ payment, final }: Found): number {
  const createdAt = final ? undefined : timeIn(payment?.process?.createdAt)
  return createdAt === undefined ? 0 : Date.now() - createdAt
}
