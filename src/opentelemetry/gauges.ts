import type { Attributes, Meter, ObservableGauge, ObservableResult } from '@opentelemetry/api'
import { onGatewayEvent, type PaymentKind } from '../index.js'
import { kindLabel, kinds, serverAttributes } from './attributes.js'

/** Another process may make the next run, and its figures are the newer ones then. */
const runShownForMs = 3_600_000

/** Gauges by which it is seen that something stands still. @returns what ends them. */
export function gauge(meter: Meter): readonly (() => void)[] {
  const latest = (name: string, unit: string, description: string) =>
    new Latest(meter.createObservableGauge(`merchant_gateway.${name}`, { unit, description }))

  const callback = latest(
    'callback.age',
    's',
    'Time since the last signed callback or, where none came, since the metrics began.',
  )
  const callbackArrived = () => {
    const arrivedAt = performance.now()
    callback.show({}, Number.POSITIVE_INFINITY, (now) => (now - arrivedAt) / 1000)
  }
  callbackArrived()
  const openPayment = latest(
    'open_payment.age',
    's',
    'Age of the oldest open payment that was found within the last hour, by catchUp or reconcileBalances.',
  )
  const showOpen = (kind: PaymentKind, oldestOpenMs: number) =>
    openPayment.show(kindLabel(kind), runShownForMs, () => oldestOpenMs / 1000)
  const unexplained = latest(
    'balances.unexplained',
    '{currency}',
    'What no known payment explains when balances are reconciled, for an hour.',
  )
  const token = latest('token.time_left', 's', 'Time until the newest token ends; 0 where there is none.')

  return [
    ...[callback, openPayment, unexplained, token].map((one) => () => one.stop()),
    onGatewayEvent('merchant-gateway:callback', ({ kind }) => {
      // Anybody can send one that is not signed.
      if (kind !== undefined) callbackArrived()
    }),
    onGatewayEvent('merchant-gateway:catch-up', ({ kind, oldestOpenMs }) => showOpen(kind, oldestOpenMs)),
    onGatewayEvent('merchant-gateway:balances', (event) => {
      for (const kind of kinds) showOpen(kind, event.oldestOpenMs[kind])
      for (const { currencyCode, amount } of event.unexplained) {
        unexplained.show({ 'merchant_gateway.currency': currencyCode }, runShownForMs, () => amount)
      }
    }),
    // Nothing is left of one that was dropped.
    onGatewayEvent('merchant-gateway:token', ({ client, scope, kind, lifetimeMs = 0 }) => {
      // Of the others there are many: one for each payment, or for each list of operations.
      if (scope === 'payment' || scope === 'operations' || kind === 'uncached') return
      const endsAt = performance.now() + lifetimeMs
      const labels = { ...serverAttributes(client), 'merchant_gateway.token.scope': scope }
      token.show(labels, lifetimeMs, (now) => (endsAt - now) / 1000)
    }),
  ]
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
