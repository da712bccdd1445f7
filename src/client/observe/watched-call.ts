import { isGatewayError } from '../errors.js'
import type { Priority } from '../http/limit/limiter.js'
import { isObject } from '../input/values.js'
import { statusOf as statusOfPayment } from '../payments/status.js'
import type { Route } from '../routes.js'
import { attempts, calls } from './channels.js'
import type {
  AttemptFailure,
  AttemptOutcome,
  AttemptStarted,
  CallStarted,
  ObservedAttempt,
  ObservedCall,
  ObservedClient,
  RetryReason,
} from './events.js'
import { trace } from './trace.js'

export interface CallFacts {
  readonly route: Route
  readonly priority: Priority
  readonly idPayin?: string | undefined
  readonly idPayout?: string | undefined
}

export interface AttemptFacts {
  readonly route: Route
  readonly permittedAt: number
  readonly number: number
  readonly retryReason: RetryReason | undefined
  readonly waitedForPermitMs: number
  readonly waitedForTokenMs: number
}

export interface AttemptEnd {
  readonly status?: number | undefined
  readonly outcome: AttemptOutcome
  readonly failure?: AttemptFailure
}

export type AddedHeaders = Readonly<Record<string, string>>

/** One call of a method while somebody watches: traces it and its requests, and sums up what they took. */
export class WatchedCall {
  readonly #call: ObservedCall
  readonly #startedAt = performance.now()
  #attempts = 0
  #waitedForPermitMs = 0
  #waitedForTokenMs = 0
  #status: number | undefined
  #replayed: boolean | undefined

  constructor(client: ObservedClient, { route, priority, idPayin, idPayout }: CallFacts) {
    const { name, method, template: pathTemplate } = route
    this.#call = {
      client,
      name,
      method,
      pathTemplate,
      priority,
      ...(idPayin === undefined ? {} : { idPayin }),
      ...(idPayout === undefined ? {} : { idPayout }),
    }
  }

  run<T>(run: () => Promise<T>, errorOf: (value: T) => Error | undefined): Promise<T> {
    return trace<T, CallStarted>(calls, { call: this.#call }, run, (settled) => {
      const error = 'error' in settled ? settled.error : errorOf(settled.value)
      return {
        durationMs: performance.now() - this.#startedAt,
        attempts: this.#attempts,
        waitedForPermitMs: this.#waitedForPermitMs,
        waitedForTokenMs: this.#waitedForTokenMs,
        status: this.#status,
        ...('value' in settled && error === undefined ? this.#success(settled.value) : failureOf(error)),
      }
    })
  }

  created(replayed: boolean): void {
    this.#replayed = replayed
  }

  attempt<T>(
    { route, permittedAt, retryReason, ...facts }: AttemptFacts,
    send: (added: AddedHeaders) => Promise<T>,
    endOf: (result: T) => AttemptEnd,
  ): Promise<T> {
    this.#attempts++
    this.#waitedForPermitMs += facts.waitedForPermitMs
    this.#waitedForTokenMs += facts.waitedForTokenMs
    const attempt: ObservedAttempt = {
      call: this.#call,
      ...facts,
      method: route.method,
      pathTemplate: route.template,
      ...(retryReason === undefined ? {} : { retryReason }),
    }
    const headers = new HeaderSetter()
    const event = { attempt, setHeader: headers.set }
    const run = () => send(headers.take())
    return trace<T, AttemptStarted>(attempts, event, run, (settled) => {
      if ('error' in settled) return settled
      const end = endOf(settled.value)
      this.#status = end.status
      return { durationMs: performance.now() - permittedAt, ...end }
    })
  }

  #success(value: unknown) {
    if (this.#replayed !== undefined) return { outcome: 'accepted', replayed: this.#replayed }
    const { idPayin, idPayout, method } = this.#call
    const isOfPayment = method === 'GET' && (idPayin ?? idPayout) !== undefined
    return { paymentStatus: isOfPayment && isObject(value) ? statusOfPayment(value) : undefined }
  }
}

/** The status of the error outweighs that of the last response: it may be a token request's. */
function failureOf(error: unknown) {
  if (!isGatewayError(error)) return { error }
  const { outcome } = error
  return 'status' in error && error.status !== undefined
    ? { error, outcome, status: error.status }
    : { error, outcome }
}

/** Subscribers can add headers to a request until it goes out. */
class HeaderSetter {
  readonly #headers: Record<string, string> = {}
  #areTaken = false

  take(): AddedHeaders {
    this.#areTaken = true
    return this.#headers
  }

  readonly set = (name: string, value: string): boolean => {
    const key = String(name).toLowerCase()
    const text = String(value)
    if (this.#areTaken || !/^[a-z0-9][\w-]*$/.test(key) || ownHeaders.test(key)) return false
    if (!/^[\x20-\x7e]*$/.test(text)) return false
    this.#headers[key] = text
    return true
  }
}

/** Of the client or the connection, or they change what the response is. */
const ownHeaders =
  /^(?:accept.*|authorization|connection|content-.*|cookie|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent|x-api-version|x-signature)$/
