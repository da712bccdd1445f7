import type { Publish } from './channels.js'
import type { AttemptFailure, AttemptOutcome, ObservedAttempt } from './events.js'

/** Enters a context, calls the function, and leaves the context. */
export type Enter = (run: () => void) => void

/** Runs a function once, inside the contexts of subscribers, the first one outermost. One that throws or forgets to run it changes nothing. */
export function runInside<T>(enters: readonly Enter[], run: () => T): T {
  let result: { readonly value: T } | undefined
  const once = (): T => {
    result ??= { value: run() }
    return result.value
  }
  try {
    enters.reduceRight<() => void>((inner, enter) => () => enter(inner), once)()
  } catch {
    // A payment goes on without the context of whoever watches it.
  }
  return once()
}

export interface AttemptEnd {
  readonly status?: number | undefined
  readonly outcome: AttemptOutcome
  readonly failure?: AttemptFailure
}

export class WatchedAttempt {
  readonly #publish: Publish
  readonly #attempt: ObservedAttempt
  readonly #onStatus: (status: number | undefined) => void
  readonly #startedAt = performance.now()
  readonly #enters: Enter[] = []
  readonly #headers: Record<string, string> = {}
  #headersTaken = false

  constructor(publish: Publish, attempt: ObservedAttempt, onStatus: (status: number | undefined) => void) {
    this.#publish = publish
    this.#attempt = attempt
    this.#onStatus = onStatus
    publish('merchant-gateway:attempt:start', {
      attempt,
      runIn: (enter) => this.#enters.push(enter),
      setHeader: (name, value) => this.#setHeader(String(name).toLowerCase(), String(value)),
    })
  }

  /** What subscribers send along: from now on nothing can be added. */
  get headers(): Readonly<Record<string, string>> {
    this.#headersTaken = true
    return this.#headers
  }

  run<T>(run: () => T): T {
    return runInside(this.#enters, run)
  }

  end({ status, outcome, failure }: AttemptEnd): void {
    this.#onStatus(status)
    this.#publish('merchant-gateway:attempt:end', {
      attempt: this.#attempt,
      durationMs: performance.now() - this.#startedAt,
      ...(status === undefined ? {} : { status }),
      outcome,
      ...(failure === undefined ? {} : { failure }),
    })
  }

  #setHeader(name: string, value: string): boolean {
    if (this.#headersTaken || !/^[a-z0-9][\w-]*$/.test(name) || ownHeaders.test(name)) return false
    if (!/^[\x20-\x7e]*$/.test(value)) return false
    this.#headers[name] = value
    return true
  }
}

/** Headers that are the client's, or the connection's, or that change what the response is. */
const ownHeaders =
  /^(?:accept.*|authorization|connection|content-.*|cookie|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent|x-api-version|x-signature)$/
