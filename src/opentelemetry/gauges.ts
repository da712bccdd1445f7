import type { Attributes, Meter, ObservableGauge, ObservableResult } from '@opentelemetry/api'
import type { BalancesEvent, CallbackEvent, CatchUpEvent, TokenEvent } from '../index.js'
import { kindLabel, kinds, serverAttributes } from './attributes.js'

/** Another process may make the next run, and its figures are the newer ones then. */
const runShownForMs = 3_600_000

/** Gauges by which it is seen that something stands still. */
export class Gauges {
  readonly #callback: Latest
  readonly #openPayment: Latest
  readonly #unexplained: Latest
  readonly #token: Latest

  constructor(meter: Meter) {
    const gauge = (name: string, unit: string, description: string) =>
      new Latest(meter.createObservableGauge(name, { unit, description }))
    this.#callback = gauge(
      'merchant_gateway.callback.age',
      's',
      'Time since the last signed callback or, where none came, since the metrics began.',
    )
    this.#openPayment = gauge(
      'merchant_gateway.open_payment.age',
      's',
      'Age of the oldest open payment that was found within the last hour, by catchUp or reconcileBalances.',
    )
    this.#unexplained = gauge(
      'merchant_gateway.balances.unexplained',
      '{currency}',
      'What no known payment explains when balances are reconciled, for an hour.',
    )
    this.#token = gauge(
      'merchant_gateway.token.time_left',
      's',
      'Time until the newest token ends; 0 where there is none.',
    )
    this.#callbackCame()
  }

  callback({ kind }: CallbackEvent): void {
    // Anybody can send one that is not signed.
    if (kind !== undefined) this.#callbackCame()
  }

  openPayment({ kind, oldestOpenMs }: Pick<CatchUpEvent, 'kind' | 'oldestOpenMs'>): void {
    this.#openPayment.show(kindLabel(kind), runShownForMs, () => oldestOpenMs / 1000)
  }

  balances({ unexplained, oldestOpenMs }: BalancesEvent): void {
    for (const kind of kinds) this.openPayment({ kind, oldestOpenMs: oldestOpenMs[kind] })
    for (const { currencyCode, amount } of unexplained) {
      this.#unexplained.show({ 'merchant_gateway.currency': currencyCode }, runShownForMs, () => amount)
    }
  }

  token({ client, scope, kind, lifetimeMs }: TokenEvent): void {
    // Of the others there are many: one for each payment, or for each list of operations.
    if (scope === 'payment' || scope === 'operations' || kind === 'uncached') return
    const labels = { ...serverAttributes(client), 'merchant_gateway.token.scope': scope }
    // None where the token was dropped.
    const forMs = lifetimeMs ?? 0
    const endsAt = performance.now() + forMs
    this.#token.show(labels, forMs, (now) => (endsAt - now) / 1000)
  }

  stop(): void {
    for (const gauge of [this.#callback, this.#openPayment, this.#unexplained, this.#token]) gauge.stop()
  }

  #callbackCame(): void {
    const cameAt = performance.now()
    this.#callback.show({}, Number.POSITIVE_INFINITY, (now) => (now - cameAt) / 1000)
  }
}

interface Figure {
  readonly labels: Attributes
  readonly valueAt: (now: number) => number
  readonly endsAt: number
}

/** Shows by a gauge what was heard last for each set of labels, and 0 when that is too old. */
class Latest {
  readonly #gauge: ObservableGauge
  readonly #figures = new Map<string, Figure>()

  constructor(gauge: ObservableGauge) {
    this.#gauge = gauge
    gauge.addCallback(this.#observe)
  }

  /** @param valueAt the value by the monotonic clock, which is in milliseconds. */
  show(labels: Attributes, forMs: number, valueAt: Figure['valueAt']): void {
    this.#figures.set(JSON.stringify(labels), { labels, valueAt, endsAt: performance.now() + forMs })
  }

  stop(): void {
    this.#gauge.removeCallback(this.#observe)
  }

  readonly #observe = (result: ObservableResult) => {
    const now = performance.now()
    for (const { labels, valueAt, endsAt } of this.#figures.values()) {
      // The SDK would go on showing a value that is not observed any more.
      result.observe(now < endsAt ? valueAt(now) : 0, labels)
    }
  }
}
