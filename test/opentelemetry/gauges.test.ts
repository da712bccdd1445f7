import { channel } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GatewayEventName, GatewayEvents } from '../../src/index.js'
import { sdk } from './sdk.js'

const otel = sdk()
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  stop = otel.instrument()
})
afterEach(() => stop())
afterAll(() => otel.end())

const client = { serverAddress: 'gateway.example', serverPort: 443, basePath: '' }
const hourMs = 3_600_000

function publish<Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]): void {
  channel(name).publish(event)
}

/** Values by the last of their labels. */
async function shown(name: string): Promise<Record<string, unknown>> {
  const points = await otel.points(`merchant_gateway.${name}`)
  return Object.fromEntries(
    points.map(({ attributes, value }) => [String(Object.values(attributes).at(-1) ?? ''), value]),
  )
}

test('the age of the last callback begins with the metrics, and again with each callback that is signed', async () => {
  vi.advanceTimersByTime(5_000)
  expect(await shown('callback.age')).toEqual({ '': 5 })
  publish('merchant-gateway:callback', { result: 'refused', status: 404, durationMs: 1 })
  expect(await shown('callback.age')).toEqual({ '': 5 })
  publish('merchant-gateway:callback', { kind: 'payin', result: 'failed', status: 500, durationMs: 1 })
  vi.advanceTimersByTime(2_000)
  expect(await shown('callback.age')).toEqual({ '': 2 })
})

test('the age of the oldest open payment is that of the last run, and 0 after an hour', async () => {
  const figures = { final: 1, open: 1, failed: 0, unavailable: 0 }
  publish('merchant-gateway:catch-up', { kind: 'payout', ...figures, oldestOpenMs: 90_000 })
  publish('merchant-gateway:catch-up', { kind: 'payin', ...figures, open: 0, oldestOpenMs: 0 })
  vi.advanceTimersByTime(hourMs - 1)
  expect(await shown('open_payment.age')).toEqual({ payout: 90, payin: 0 })
  vi.advanceTimersByTime(1)
  expect(await shown('open_payment.age')).toEqual({ payout: 0, payin: 0 })
})

test('what no payment explains is shown by currency, also where it is nothing', async () => {
  publish('merchant-gateway:balances', {
    unexplained: [
      { currencyCode: 'EUR', amount: -20.5 },
      { currencyCode: 'CZK', amount: 0 },
    ],
    oldestOpenMs: { payin: 0, payout: 7_000 },
  })
  expect(await shown('open_payment.age')).toEqual({ payin: 0, payout: 7 })
  expect(await shown('balances.unexplained')).toEqual({ EUR: -20.5, CZK: 0 })
})

test('the time that a token has left is shown until it ends or is dropped', async () => {
  publish('merchant-gateway:token', { client, kind: 'minted', scope: 'payins', lifetimeMs: 60_000 })
  publish('merchant-gateway:token', { client, kind: 'taken', scope: 'payouts', lifetimeMs: 90_000 })
  publish('merchant-gateway:token', { client, kind: 'minted', scope: 'payment', lifetimeMs: 90_000 })
  vi.advanceTimersByTime(50_000)
  expect(await shown('token.time_left')).toEqual({ payins: 10, payouts: 40 })
  publish('merchant-gateway:token', { client, kind: 'dropped', scope: 'payouts', why: 'refused' })
  vi.advanceTimersByTime(10_000)
  expect(await shown('token.time_left')).toEqual({ payins: 0, payouts: 0 })
})

test('no gauge goes on when the metrics have ended', async () => {
  expect(await shown('callback.age')).toEqual({ '': 0 })
  stop()
  vi.advanceTimersByTime(5_000)
  expect(await shown('callback.age')).toEqual({ '': 0 })
})
