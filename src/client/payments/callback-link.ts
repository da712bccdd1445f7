import { ConfigurationError } from '../errors.js'
import type { CallOptions } from '../input/call-options.js'
import type { Payin } from '../schemas/payins.js'
import type { PaymentKind, PaymentStatus } from '../schemas/payment.js'
import type { Payout } from '../schemas/payouts.js'
import type { PaymentLike } from './status.js'

/** What a receiver of callbacks offers the client that it is attached to. */
export interface CallbackReceiving {
  /** Where the gateway reports about this payment: `callbackUrl` of a create that has none. */
  urlFor(kind: PaymentKind, id: string): string
  /** Whether callbacks are known to arrive, so that waits may poll less. */
  arrive(): boolean
  /** The texts of its secrets: what the client shows of the gateway's responses holds none of them. */
  secrets?(): readonly string[]
}

/** Looking payments of one kind up on behalf of callbacks. */
export interface CallbackLookUps<P> {
  /** Looks once, in the background, where callbacks go before polls. `onSent`: it goes out now. */
  lookUp(id: string, flow: 'callback' | 'poll', options?: CallOptions, onSent?: () => void): Promise<P>
  /** The payment as it was just seen: whoever waits for it takes it from here. */
  seen(id: string, payment: P): void
  /** Something may have happened to the payment: whoever waits for it looks at once. */
  changed?(id: string): void
}

/** What the client offers the receiver in turn. */
export interface CallbackPort {
  /** Looks payins up. */
  readonly payin: CallbackLookUps<Payin>
  /** Looks payouts up. */
  readonly payout: CallbackLookUps<Payout>
  /** `isFinal` of the client's package. */
  readonly isFinal: (payment: PaymentLike) => boolean
  /** `statusOf` of the client's package; without it, what this package exports under that name. */
  readonly statusOf?: (payment: PaymentLike) => PaymentStatus | undefined
}

export class CallbackLink {
  #receiving: CallbackReceiving | undefined

  /** @throws for a second one: creates would name the callback URLs of one of them by chance ({@link ConfigurationError}). */
  attach(receiving: CallbackReceiving): void {
    if (this.#receiving !== undefined) {
      throw new ConfigurationError(
        'this client has a receiver of callbacks already; make one receiver for each client, or another client.',
        { option: 'client' },
      )
    }
    this.#receiving = receiving
  }

  urlFor(kind: PaymentKind, id: string): string | undefined {
    return this.#receiving?.urlFor(kind, id)
  }

  arrive(): boolean {
    return this.#receiving?.arrive() ?? false
  }
}

/** Who waits for which payment, so that a callback ends the wait before its time. */
export class PaymentListeners<P> {
  readonly #listeners = new Map<string, Set<(seen: P | undefined) => void>>()

  notify(id: string, seen: P | undefined): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(seen)
  }

  listen(id: string, listener: (seen: P | undefined) => void): () => void {
    const all = this.#listeners
    const listeners = all.get(id) ?? new Set()
    listeners.add(listener)
    all.set(id, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && all.get(id) === listeners) all.delete(id)
    }
  }
}
