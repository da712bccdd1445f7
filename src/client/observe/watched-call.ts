import { isGatewayError } from '../errors.js'
import type { Priority } from '../http/limit/limiter.js'
import { statusOf as statusOfPayment } from '../payments/status.js'
import type { Publish } from './channels.js'
import type {
  CallEnded,
  CallStarted,
  ObservedAttempt,
  ObservedCall,
  ObservedClient,
  RetryReason,
} from './events.js'
import { type Enter, runInside, WatchedAttempt } from './watched-attempt.js'

export interface CallFacts {
  readonly name: string
  readonly priority: Priority
  readonly route: string
  readonly idPayin?: string | undefined
  readonly idPayout?: string | undefined
}

export interface AttemptFacts {
  readonly number: number
  readonly route: string
  readonly retryReason: RetryReason | undefined
  readonly waitedForPermitMs: number
  readonly waitedForTokenMs: number
}

/** One call of a method, while somebody watches: makes its events and sums up what they say. */
export class WatchedCall {
  readonly call: ObservedCall
  readonly #publish: Publish
  readonly #startedAt = performance.now()
  #attempts = 0
  #waitedForPermitMs = 0
  #waitedForTokenMs = 0
  #status: number | undefined
  #replayed: boolean | undefined

  constructor(publish: Publish, client: ObservedClient, { route, idPayin, idPayout, ...facts }: CallFacts) {
    this.#publish = publish
    this.call = {
      client,
      ...facts,
      ...methodAndPath(route),
      ...(idPayin === undefined ? {} : { idPayin }),
      ...(idPayout === undefined ? {} : { idPayout }),
    }
  }

  /** @param errorOf the error of a call that failed without throwing it. */
  async run<T>(run: () => Promise<T>, errorOf: (value: T) => Error | undefined): Promise<T> {
    const enters: Enter[] = []
    const started: CallStarted = { call: this.call, runIn: (enter) => enters.push(enter) }
    this.#publish('merchant-gateway:call:start', started)
    try {
      const value = await runInside(enters, run)
      const error = errorOf(value)
      this.#end(error === undefined ? this.#success(value) : failureOf(error))
      return value
    } catch (thrown) {
      this.#end(failureOf(thrown))
      throw thrown
    }
  }

  /** A create: the gateway has the payment, from now on or from earlier. */
  created(replayed: boolean): void {
    this.#replayed = replayed
  }

  attempt({ route, retryReason, ...facts }: AttemptFacts): WatchedAttempt {
    this.#attempts++
    this.#waitedForPermitMs += facts.waitedForPermitMs
    this.#waitedForTokenMs += facts.waitedForTokenMs
    const attempt: ObservedAttempt = {
      call: this.call,
      ...facts,
      ...methodAndPath(route),
      ...(retryReason === undefined ? {} : { retryReason }),
    }
    return new WatchedAttempt(this.#publish, attempt, (status) => {
      this.#status = status
    })
  }

  #end(how: Pick<CallEnded, 'outcome' | 'replayed' | 'error' | 'paymentStatus'>): void {
    const status = statusOf(how.error) ?? this.#status
    this.#publish('merchant-gateway:call:end', {
      call: this.call,
      durationMs: performance.now() - this.#startedAt,
      attempts: this.#attempts,
      waitedForPermitMs: this.#waitedForPermitMs,
      waitedForTokenMs: this.#waitedForTokenMs,
      ...(status === undefined ? {} : { status }),
      ...how,
    })
  }

  #success(value: unknown): Pick<CallEnded, 'outcome' | 'replayed' | 'paymentStatus'> {
    if (this.#replayed !== undefined) return { outcome: 'accepted', replayed: this.#replayed }
    const { idPayin, idPayout, method } = this.call
    const isOfPayment = method === 'GET' && (idPayin ?? idPayout) !== undefined
    if (!isOfPayment || typeof value !== 'object' || value === null) return {}
    const paymentStatus = statusOfPayment(value)
    return paymentStatus === undefined ? {} : { paymentStatus }
  }
}

function failureOf(thrown: unknown): Pick<CallEnded, 'error' | 'outcome'> {
  const error = thrown instanceof Error ? thrown : new Error('something that is no Error was thrown')
  const outcome = isGatewayError(thrown) ? thrown.outcome : undefined
  return { error, ...(outcome === undefined ? {} : { outcome }) }
}

function statusOf(error: Error | undefined): number | undefined {
  return isGatewayError(error) && 'status' in error ? error.status : undefined
}

function methodAndPath(route: string): { readonly method: string; readonly pathTemplate: string } {
  const [method = '', pathTemplate = ''] = route.split(' ')
  return { method, pathTemplate }
}
