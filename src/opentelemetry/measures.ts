import type { Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api'
import type {
  AttemptEnded,
  CallbackEvent,
  CallEnded,
  CatchUpEvent,
  Outcome,
  PaymentKind,
  RateLimitEvent,
  TokenEvent,
} from '../index.js'
import {
  attemptEndAttributes,
  kindLabel,
  kinds,
  requestAttributes,
  resultAttributes,
  serverAttributes,
} from './attributes.js'

/** From a kept-alive answer nearby to the end of a deadline, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** The counters and histograms. No label holds an id, a path of the caller's own making or an amount. */
export class Measures {
  readonly #callDuration: Histogram
  readonly #permitWait: Histogram
  readonly #attempts: Counter
  readonly #rateLimited: Counter
  readonly #tokens: Counter
  readonly #queued: UpDownCounter
  readonly #callbacks: Counter
  readonly #creates: Counter
  readonly #caughtUp: Counter

  constructor(meter: Meter) {
    const histogram = (name: string, description: string) =>
      meter.createHistogram(`merchant_gateway.${name}`, {
        description,
        unit: 's',
        advice: { explicitBucketBoundaries },
      })
    const counter = (name: string, one: string, description: string) =>
      meter.createCounter(`merchant_gateway.${name}`, { description, unit: `{${one}}` })
    this.#callDuration = histogram(
      'call.duration',
      'From the call of a method to its result, every wait and retry included.',
    )
    this.#permitWait = histogram('permit.wait', 'How long a request waited for its permit.')
    this.#attempts = counter('attempts', 'request', 'Requests that were sent, or came to nothing.')
    this.#rateLimited = counter('rate_limited', 'request', 'Requests that the gateway answered with 429.')
    this.#tokens = counter('tokens.minted', 'token', 'Tokens that the client got for itself.')
    this.#queued = meter.createUpDownCounter('merchant_gateway.queue.depth', {
      description: 'Requests that wait for a permit.',
      unit: '{request}',
    })
    this.#callbacks = counter('callbacks', 'callback', 'Callbacks that were answered.')
    this.#creates = counter('creates', 'payment', 'Creates that ended, by what is known about the payment.')
    this.#caughtUp = counter(
      'caught_up',
      'payment',
      'Payments that runs of catchUp looked up, by what was found.',
    )
    this.#beginAtZero()
  }

  callEnded(ended: CallEnded): void {
    const { call, durationMs } = ended
    this.#callDuration.record(durationMs / 1000, {
      ...serverAttributes(call.client),
      'merchant_gateway.call': call.name,
      ...resultAttributes(ended),
    })
    const kind = call.idPayout === undefined ? 'payin' : 'payout'
    if (ended.outcome !== undefined) this.#create(kind, ended.outcome, 1)
  }

  attemptEnded(ended: AttemptEnded): void {
    const { attempt, status } = ended
    const { call, waitedForPermitMs } = attempt
    const server = serverAttributes(call.client)
    const request = { ...server, ...requestAttributes(attempt) }
    this.#permitWait.record(waitedForPermitMs / 1000, {
      ...server,
      'merchant_gateway.priority': call.priority,
    })
    this.#attempts.add(1, { ...request, ...attemptEndAttributes(ended) })
    if (status === 429) this.#rateLimited.add(1, request)
  }

  token({ client, kind, scope }: TokenEvent): void {
    if (kind !== 'minted' && kind !== 'refreshed') return
    this.#tokens.add(1, {
      ...serverAttributes(client),
      'merchant_gateway.token.scope': scope,
      'merchant_gateway.token.kind': kind,
    })
  }

  rateLimit(event: RateLimitEvent): void {
    if (!('priority' in event)) return
    const { client, kind, priority } = event
    this.#queued.add(kind === 'queued' ? 1 : -1, {
      ...serverAttributes(client),
      'merchant_gateway.priority': priority,
    })
  }

  callback({ kind, result }: CallbackEvent): void {
    this.#callback(kind, result, 1)
  }

  catchUp(event: CatchUpEvent): void {
    for (const result of ['final', 'open', 'failed', 'unavailable'] as const) {
      const labels = { ...kindLabel(event.kind), 'merchant_gateway.catch_up.result': result }
      this.#caughtUp.add(event[result], labels)
    }
  }

  /** A counter that begins at 1 has not risen, for Prometheus: the first trouble would raise no alarm. */
  #beginAtZero(): void {
    this.#callback(undefined, 'refused', 0)
    for (const kind of kinds) {
      for (const result of ['succeeded', 'failed', 'unavailable'] as const) this.#callback(kind, result, 0)
      for (const outcome of ['accepted', 'not-accepted', 'unknown'] as const) this.#create(kind, outcome, 0)
      this.catchUp({ kind, final: 0, open: 0, failed: 0, unavailable: 0, oldestOpenMs: 0 })
    }
  }

  #callback(kind: CallbackEvent['kind'], result: CallbackEvent['result'], count: number): void {
    this.#callbacks.add(count, { 'merchant_gateway.callback.result': result, ...kindLabel(kind) })
  }

  #create(kind: PaymentKind, outcome: Outcome, count: number): void {
    this.#creates.add(count, { ...kindLabel(kind), 'merchant_gateway.outcome': outcome })
  }
}
