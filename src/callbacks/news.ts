import type { CallbackBroadcast, CalledBack } from './broadcast.js'

/** For how long after a callback that brought news others are expected, so that waits may poll less. */
const arrivingMs = 600_000

/** What callbacks brought, here and in the other processes. */
export class News {
  readonly #broadcast: CallbackBroadcast | undefined
  readonly #unsubscribe: (() => void) | undefined
  readonly #onError: (error: unknown, payment: CalledBack) => void
  #lastAt = Number.NEGATIVE_INFINITY

  /** @param onHeard is told of payments that were called back in another process. */
  constructor(
    broadcast: CallbackBroadcast | undefined,
    onHeard: (payment: CalledBack) => void,
    onError: (error: unknown, payment: CalledBack) => void,
  ) {
    this.#broadcast = broadcast
    this.#onError = onError
    this.#unsubscribe = broadcast?.subscribe((payment) => {
      this.#lastAt = performance.now()
      onHeard(payment)
    })
  }

  /** Whether there were any lately. */
  get arrive(): boolean {
    return performance.now() - this.#lastAt < arrivingMs
  }

  /** A callback brought a status that was not known: the other processes are told. */
  add(payment: CalledBack): void {
    this.#lastAt = performance.now()
    const publish = async () => this.#broadcast?.publish(payment)
    publish().catch((error: unknown) => this.#onError(error, payment))
  }

  close(): void {
    this.#unsubscribe?.()
  }
}
