import type { CallbackLookUps, PaymentKind, PaymentLike } from '../index.js'
import { type Call, Delivery, type DeliveryParts, type Occasion, type SharedParts } from './delivery.js'
import { StatusRequests } from './status-requests.js'

/** Of one kind: for each payment one at a time, and one more for all callbacks that come meanwhile. */
export class Deliveries<P extends PaymentLike> {
  readonly parts: DeliveryParts<P>
  readonly #isFull: () => boolean
  readonly #latest = new Map<string, Delivery<P>>()

  constructor(
    shared: SharedParts & { readonly isFull: () => boolean },
    kind: PaymentKind,
    lookups: CallbackLookUps<P>,
    call: Call<P> | undefined,
  ) {
    this.parts = { ...shared, kind, call, requests: new StatusRequests(kind, lookups, shared) }
    this.#isFull = shared.isFull
  }

  get size(): number {
    return this.#latest.size
  }

  /** The delivery whose status request begins after this moment; undefined when too many wait. */
  join(id: string, occasion: Occasion): Delivery<P> | undefined {
    const latest = this.#latest.get(id)
    if (latest === undefined) return this.#isFull() ? undefined : this.#start(id, occasion)
    const delivery = latest.hasBegun ? this.#start(id, occasion, latest) : latest
    return delivery.join() ? delivery : undefined
  }

  /** Resolves when none is left. */
  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all([...this.#latest.values()].map(({ done }) => done))
  }

  #start(id: string, occasion: Occasion, previous?: Delivery<P>): Delivery<P> {
    const delivery = new Delivery(this.parts, id, occasion, previous)
    this.#latest.set(id, delivery)
    void delivery.done.then(() => {
      if (this.#latest.get(id) === delivery) this.#latest.delete(id)
    })
    return delivery
  }
}
