import {
  type CallOptions,
  checkCallOptions,
  checkWaitOptions,
  type WaitOptions,
} from '../input/call-options.js'
import { checkId } from '../input/payment-id.js'
import type { Lane } from '../observe/events.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf } from '../schemas/payment-kind.js'
import { type Creating, createPayment, type PaymentParts, type PaymentTraits } from './create.js'
import { Lookups } from './lookup.js'
import type { PaymentLike } from './status.js'
import { PaymentListeners, watchPayment } from './watch.js'

/** The idempotent create, the lookup and the waits that payins and payouts share. */
export class PaymentCalls<Created extends object, Found extends PaymentLike, Result> {
  readonly #creating: Creating<Created, Found, Result>
  readonly #listeners = new PaymentListeners<Found>()

  constructor(traits: PaymentTraits<Created, Found, Result>, parts: PaymentParts) {
    this.#creating = { traits, parts, lookups: new Lookups(traits.kind, traits.foundShape, parts) }
  }

  create(request: PaymentCreateInput, options: CallOptions | undefined): Promise<Result> {
    return createPayment(this.#creating, request, options)
  }

  async retrieve(
    id: string,
    options: CallOptions | undefined,
    lane: Lane = 'read',
    onSent?: () => void,
  ): Promise<Found> {
    const { traits, parts } = this.#creating
    checkId(id, idFieldOf[traits.kind], parts.maxIdLength)
    return this.#retrieve(id, checkCallOptions(options), lane, onSent)
  }

  async #retrieve(
    id: string,
    options: CallOptions | undefined,
    lane: Lane,
    onSent?: () => void,
  ): Promise<Found> {
    const { traits, parts, lookups } = this.#creating
    const { callbacks, http, liveGuard } = parts
    const { kind } = traits
    // Another process may have sent it: the response may quote it all the same.
    const callbackUrl = callbacks.urlFor(kind, id)
    if (callbackUrl !== undefined) http.known.callbackUrls.add(callbackUrl)
    const found = await http.request(lookups.request(id, lane), options, onSent)
    liveGuard.check(kind, id, found)
    return found
  }

  async waitFor(id: string, options: WaitOptions): Promise<Found> {
    const watching = this.watch(id, options)
    for (;;) {
      const step = await watching.next()
      if (step.done === true) return step.value
    }
  }

  watch(id: string, options: WaitOptions): AsyncGenerator<Found, Found> {
    const { traits, parts } = this.#creating
    const { http, callbacks, maxIdLength } = parts
    const { kind } = traits
    checkId(id, idFieldOf[kind], maxIdLength)
    const wait = checkWaitOptions(options)
    const retrieve = (deadlineMs: number, signal: AbortSignal) => {
      const limitMs = Math.max(1, Math.min(deadlineMs, http.defaultDeadlineMs))
      return this.#retrieve(id, { signal, deadlineMs: limitMs }, 'poll')
    }
    const source = { kind, id, retrieve, listeners: this.#listeners, closing: http.closing }
    return watchPayment({ ...source, callbacksArrive: () => callbacks.arrive() }, wait)
  }

  /** Something happened to this payment: whoever waits for it looks at once, or takes what was seen. */
  notify(id: string, seen?: Found): void {
    this.#listeners.notify(id, seen)
  }
}
