import type { CallbackReply, CallbackRequest, DeliverCallback } from './delivery.js'

/** A callback on its way to a listener, who delivers it where the sandbox can't and says what was answered. */
export interface ForwardedCallback {
  /** Names it in the response. */
  readonly key: number
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the merchant answered to the listener, or why there was no response. */
export type ForwardedAnswer = CallbackReply | { readonly error: string }

/** Who takes callbacks in place of the network. */
export interface CallbackListener {
  take(callback: ForwardedCallback): void
  /** Somebody else takes them from now on. */
  replaced(): void
}

interface Waiting {
  readonly listener: CallbackListener
  answer(answer: ForwardedAnswer): void
}

/** Hands callbacks to the newest listener, and delivers them where there is none: no merchant gets one twice. */
export class Forwarder {
  readonly #direct: DeliverCallback
  readonly #waiting = new Map<number, Waiting>()
  #listener: CallbackListener | undefined
  #next = 1

  constructor(direct: DeliverCallback) {
    this.#direct = direct
  }

  /** Returns how to leave. What the listener has not answered by then has failed, and is tried again. */
  join(listener: CallbackListener): () => void {
    const earlier = this.#listener
    this.#listener = listener
    if (earlier !== undefined) {
      this.#drop(earlier)
      earlier.replaced()
    }
    return () => {
      if (this.#listener === listener) this.#listener = undefined
      this.#drop(listener)
    }
  }

  /** False when nobody waits for it: too late, or answered before. */
  answer(key: number, answer: ForwardedAnswer): boolean {
    const waiting = this.#waiting.get(key)
    waiting?.answer(answer)
    return waiting !== undefined
  }

  readonly deliver: DeliverCallback = (callback) => {
    const listener = this.#listener
    return listener === undefined ? this.#direct(callback) : this.#forward(callback, listener)
  }

  #forward({ url, method, headers, body, signal }: CallbackRequest, listener: CallbackListener) {
    const key = this.#next++
    return new Promise<CallbackReply>((resolve, reject) => {
      const finish = (act: () => void) => {
        this.#waiting.delete(key)
        signal.removeEventListener('abort', onAbort)
        act()
      }
      const onAbort = () => finish(() => reject(signal.reason))
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.set(key, {
        listener,
        answer: (answer) =>
          finish(() => ('status' in answer ? resolve(answer) : reject(new Error(answer.error)))),
      })
      listener.take({ key, url, method, headers, body })
    })
  }

  #drop(gone: CallbackListener): void {
    for (const { listener, answer } of [...this.#waiting.values()]) {
      if (listener === gone) answer({ error: 'Whoever listened for callbacks has left.' })
    }
  }
}
