import { channel } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient } from '../../src/index.js'
import { paymentRequest } from '../faults/support.js'
import { caught } from '../support/caught.js'
import { registerGlobals, sdk } from './sdk.js'

registerGlobals()
const otel = sdk()
let stop: () => void
beforeAll(async () => {
  stop = otel.instrument()
  // A day of a merchant, in short: a payout, one that meets a 429, one that is refused, a callback.
  const sandbox = createSandbox({ payAfterMs: false })
  await sandbox.listen()
  const client = new GatewayClient(sandbox.clientOptions())
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: 'https://shop.example/gateway/callbacks',
    secrets: ['a-secret-of-at-least-32-bytes-for-tests'],
    onPayout: () => undefined,
  })
  await client.payouts.create({ idPayout: 'order-1', ...paymentRequest() })
  sandbox.fault({
    route: 'POST /payouts/{idPayout}',
    times: 1,
    action: { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  })
  await client.payouts.create({ idPayout: 'order-2', ...paymentRequest() })
  await caught(() => client.payouts.create({ idPayout: 'order-1', ...paymentRequest('99.00') }))
  await callbacks.receive(callbacks.urlFor({ idPayout: 'order-1' }))
  await callbacks.receive('https://shop.example/gateway/callbacks/forged')
  const held = [{ idPayout: 'order-1' }, { idPayout: 'order-none' }]
  for await (const _ of callbacks.catchUp(held, { deliver: true }));
  await callbacks.drain()
  await client.close()
  await sandbox.close()
})
afterAll(async () => {
  stop()
  await otel.end()
})

/** Value or count of each point, by its labels. */
async function series(name: string, ...labels: readonly string[]): Promise<Record<string, unknown>> {
  const rows = (await otel.points(`merchant_gateway.${name}`)).map(({ attributes, value }) => {
    const key = labels
      .map((label) => attributes[`merchant_gateway.${label}`] ?? attributes[label] ?? '-')
      .join(' ')
    return [key, typeof value === 'object' && value !== null && 'count' in value ? value.count : value]
  })
  return Object.fromEntries(rows)
}

const attempt = ['http.request.method', 'url.template', 'http.response.status_code']

test.each<[name: string, labels: readonly string[], counts: Record<string, number>]>([
  [
    'call.duration',
    ['call', 'outcome', 'replayed', 'error.type'],
    {
      'payouts.create accepted false -': 2,
      'payouts.create accepted - idempotency_conflict': 1,
      'payouts.retrieve - - -': 2,
      'payouts.retrieve - - not_found': 1,
      'tokens.mint - - -': 2,
    },
  ],
  [
    'attempts',
    attempt,
    {
      'POST /auth-tokens 200': 2,
      'POST /payouts/{idPayout} 200': 2,
      'POST /payouts/{idPayout} 429': 1,
      'POST /payouts/{idPayout} 409': 1,
      'GET /payouts/{idPayout} 200': 3,
      'GET /payouts/{idPayout} 404': 2,
    },
  ],
  ['rate_limited', ['url.template'], { '/payouts/{idPayout}': 1 }],
  ['tokens.minted', ['token.scope', 'token.kind'], { 'payouts minted': 2 }],
  ['permit.wait', ['priority'], { token: 2, customer: 5, background: 4 }],
  // Nobody waits in the end.
  ['queue.depth', ['priority'], { token: 0, customer: 0, background: 0 }],
])('%s is told by %j', async (name, labels, counts) => {
  expect(await series(name, ...labels)).toEqual(counts)
})

test.each<[name: string, labels: readonly string[], counts: Record<string, number>]>([
  ['callbacks', ['callback.result', 'payment.kind'], { 'succeeded payout': 1, 'refused -': 1 }],
  ['creates', ['payment.kind', 'outcome'], { 'payout accepted': 3 }],
  ['caught_up', ['payment.kind', 'catch_up.result'], { 'payout open': 1, 'payout unavailable': 1 }],
])('%s are counted by %j, beside what has only begun', async (name, labels, counts) => {
  const all = Object.entries(await series(name, ...labels))
  expect(Object.fromEntries(all.filter(([, count]) => count !== 0))).toEqual(counts)
})

test('what alarms look at is there from the beginning, since a counter that begins at 1 has not risen', async () => {
  expect(Object.keys(await series('callbacks', 'callback.result'))).toEqual(
    expect.arrayContaining(['refused', 'succeeded', 'failed', 'unavailable']),
  )
  expect(await series('creates', 'payment.kind', 'outcome')).toMatchObject({
    'payin unknown': 0,
    'payout unknown': 0,
  })
  expect(await series('caught_up', 'payment.kind', 'catch_up.result')).toMatchObject({
    'payin failed': 0,
    'payout failed': 0,
  })
})

test('no label of any metric holds an id, an amount or anything of the customer', async () => {
  const names = [
    'call.duration',
    'permit.wait',
    'attempts',
    'rate_limited',
    'tokens.minted',
    'queue.depth',
    'callbacks',
    'creates',
    'reconciled',
    'callback.age',
    'open_payment.age',
    'token.time_left',
  ]
  const points = await Promise.all(names.map((name) => otel.points(`merchant_gateway.${name}`)))
  // The port is the operating system's choice, and may hold the digits of an amount.
  const labels = JSON.stringify(
    points.flat().map(({ attributes: { 'server.port': port, ...others } }) => {
      expect(Number(port ?? 1)).toBeGreaterThan(0)
      return others
    }),
  )
  expect(labels).not.toMatch(/order-|10\.5|99|Jana|0123456789|jana@/)
})

test('the rules and the dashboard of the guide name metrics and labels that are there, and no other', async () => {
  channel('merchant-gateway:balances').publish({
    unexplained: [{ currencyCode: 'EUR', amount: 0 }],
    oldestOpenMs: { payin: 0, payout: 0 },
  })
  const { names, labels } = await otel.vocabulary()
  const known = new Set([...names.flatMap((name) => [name, `${name}_total`, `${name}_bucket`]), ...labels])
  const read = (file: string) =>
    readFileSync(new URL(`../../docs/alerts/${file}`, import.meta.url), 'utf8').replaceAll('(_seconds)?', '')
  const named = `${read('rules.yml')}${read('dashboard.json')}`.match(/merchant_gateway_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(30)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})
