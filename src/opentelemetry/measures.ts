import type { Meter } from '@opentelemetry/api'
import { type CallbackEvent, type Outcome, onGatewayEvent, type PaymentKind } from '../index.js'
import {
  attemptEndAttributes,
  kindLabel,
  kinds,
  requestAttributes,
  resultAttributes,
  serverAttributes,
} from './attributes.js'

/** From a kept-alive response nearby to the end of a deadline, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const outcomes = ['accepted', 'not-accepted', 'unknown'] as const satisfies readonly Outcome[]
const callbackResults = ['succeeded', 'failed', 'unavailable'] as const
const catchUpResults = ['final', 'open', 'failed', 'unavailable'] as const

/**
 * The counters and histograms. No label holds an id, a path of the caller's own making or an amount.
 *
 * @returns what ends them.
 */
export function count(meter: Meter): readonly (() => void)[] {
  const histogram = (name: string, description: string) => {
    const options = { description, unit: 's', advice: { explicitBucketBoundaries } }
    return meter.createHistogram(`merchant_gateway.${name}`, options)
  }
  const counter = (name: string, one: string, description: string) =>
    meter.createCounter(`merchant_gateway.${name}`, { description, unit: `{${one}}` })

  const duration = histogram(
    'call.duration',
    'From the call of a method to its result, every wait and retry included.',
  )
  const creates = counter('creates', 'payment', 'Creates that ended, by what is known about the payment.')
  const created = (kind: PaymentKind, outcome: Outcome, payments: number) =>
    creates.add(payments, { ...kindLabel(kind), 'merchant_gateway.outcome': outcome })
  const permitWait = histogram('permit.wait', 'How long a request waited for its permit.')
  const attempts = counter('attempts', 'request', 'Requests that were sent, or came to nothing.')
  const rateLimited = counter('rate_limited', 'request', 'Requests that the gateway answered with 429.')
  const tokens = counter('tokens.minted', 'token', 'Tokens that the client got for itself.')
  const queued = meter.createUpDownCounter('merchant_gateway.queue.depth', {
    description: 'Requests that wait for a permit.',
    unit: '{request}',
  })
  const callbacks = counter('callbacks', 'callback', 'Callbacks that were answered.')
  const answered = ({ kind, result }: Pick<CallbackEvent, 'kind' | 'result'>, times: number) =>
    callbacks.add(times, { 'merchant_gateway.callback.result': result, ...kindLabel(kind) })
  const caughtUp = counter(
    'caught_up',
    'payment',
    'Payments that runs of catchUp looked up, by what was found.',
  )
  const found = (kind: PaymentKind, result: (typeof catchUpResults)[number], payments: number) =>
    caughtUp.add(payments, { ...kindLabel(kind), 'merchant_gateway.catch_up.result': result })

  // A counter that begins at 1 has not risen, for Prometheus: the first trouble would raise no alarm.
  answered({ result: 'refused' }, 0)
  for (const kind of kinds) {
    for (const result of callbackResults) answered({ kind, result }, 0)
    for (const outcome of outcomes) created(kind, outcome, 0)
    for (const result of catchUpResults) found(kind, result, 0)
  }

  return [
    onGatewayEvent('merchant-gateway:call:end', (ended) => {
      const { call, durationMs, outcome } = ended
      const labels = { ...serverAttributes(call.client), 'merchant_gateway.call': call.name }
      duration.record(durationMs / 1000, { ...labels, ...resultAttributes(ended) })
      if (outcome !== undefined) created(call.idPayout === undefined ? 'payin' : 'payout', outcome, 1)
    }),
    onGatewayEvent('merchant-gateway:attempt:end', (ended) => {
      const { call, waitedForPermitMs } = ended.attempt
      const server = serverAttributes(call.client)
      permitWait.record(waitedForPermitMs / 1000, { ...server, 'merchant_gateway.priority': call.priority })
      const request = { ...server, ...requestAttributes(ended.attempt) }
      attempts.add(1, { ...request, ...attemptEndAttributes(ended) })
      if (ended.status === 429) rateLimited.add(1, request)
    }),
    onGatewayEvent('merchant-gateway:token', ({ client, kind, scope }) => {
      if (kind !== 'minted' && kind !== 'refreshed') return
      const labels = { 'merchant_gateway.token.scope': scope, 'merchant_gateway.token.kind': kind }
      tokens.add(1, { ...serverAttributes(client), ...labels })
    }),
    onGatewayEvent('merchant-gateway:rate-limit', (event) => {
      if (!('priority' in event)) return
      const labels = { ...serverAttributes(event.client), 'merchant_gateway.priority': event.priority }
      queued.add(event.kind === 'queued' ? 1 : -1, labels)
    }),
    onGatewayEvent('merchant-gateway:callback', (event) => answered(event, 1)),
    onGatewayEvent('merchant-gateway:catch-up', (event) => {
      for (const result of catchUpResults) found(event.kind, result, event[result])
    }),
  ]
}
