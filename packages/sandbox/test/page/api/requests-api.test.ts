import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayClient, money } from '../../../../../src/index.js'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.js'
import type { RequestDetail, RequestListing } from '../../../src/page/api/requests/requests.js'

const { privateKey: wrongKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secret = 'a-secret-of-the-merchant'

let sandbox: Sandbox
let client: GatewayClient
let base: string

beforeEach(() => open({}))
afterEach(close)

async function open(options: SandboxOptions): Promise<void> {
  sandbox = createSandbox({
    rateLimit: false,
    payAfterMs: false,
    merchantSecret: secret,
    callbackTries: 1,
    deliver: async () => ({ status: 503 }),
    ...options,
  })
  const { url } = await sandbox.listen({ page: true })
  base = `${url}/_sandbox/api/`
  client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
}

async function close(): Promise<void> {
  await client.close()
  await sandbox.close()
}

/** Nothing happens by itself from here on. */
async function onAStandingClock(): Promise<void> {
  await close()
  await open({ clock: 'virtual' })
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(base + path)
  expect(response.status).toBe(200)
  return JSON.parse(await response.text())
}

const list = (query = '') => ask<RequestListing>(`requests?limit=50&${query}`)
const detail = (key: string) => ask<RequestDetail>(`requests/${key}`)

function payin(idPayin: string, amount = '12.50', callbackUrl?: string) {
  return client.payins.create({
    idPayin,
    paymentRequested: { money: money(amount, 'EUR') },
    paymentMethod: {
      paymentMethodCode: 'VAPAY',
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  })
}

async function wrongKeyFirst(): Promise<void> {
  const stranger = new GatewayClient({ ...sandbox.clientOptions(), privateKey: wrongKey, retries: 0 })
  await expect(stranger.payins.retrieve('order-1')).rejects.toMatchObject({ status: 401 })
  await stranger.close()
}

describe('the list of requests', () => {
  test('has a wrong key, what it means, and how to fix it', async () => {
    await wrongKeyFirst()
    const { held, total, rows, counts } = await list()
    // The client asks once more after a 401.
    expect({ held, total, counts }).toMatchObject({ held: 2, total: 2, counts: { refused: 2, ok: 0 } })
    expect(rows[1]).toMatchObject({
      number: 1,
      method: 'POST',
      path: '/auth-tokens',
      result: 'refused',
      status: 401,
      code: 'SIGNATURE_INVALID',
      payment: null,
    })
    expect(rows[1]?.what).toMatch(/known public key/)
    const found = await detail('1')
    expect(found.fix).toMatch(/private key/)
    expect(found.response?.body).toContain('SIGNATURE_INVALID')
    expect(found.tookMs).toBeGreaterThan(0)
  })

  test('is newest first', async () => {
    await payin('order-1')
    expect((await list()).rows.map(({ path }) => path)).toEqual(['/payins/order-1', '/auth-tokens'])
    await payin('order-2')
    expect((await list('offset=1')).rows.map(({ number }) => number)).toEqual([2, 1])
    expect((await ask<RequestListing>('requests?limit=1&offset=1')).rows.map(({ number }) => number)).toEqual(
      [2],
    )
  })

  test('filters by kind, result, fault and payment', async () => {
    await payin('order-1')
    await client.payouts
      .create({
        idPayout: 'refund-1',
        paymentRequested: { money: money('99.00', 'EUR') },
        paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1-2' } },
      })
      .catch(() => {})
    await client.merchantInfo.retrieve()
    await expect(client.payins.retrieve('nobody')).rejects.toMatchObject({ status: 404 })
    sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'status', status: 503 } })
    await expect(client.payins.retrieve('order-1')).rejects.toMatchObject({ status: 503 })
    sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'drop-after' } })
    await expect(client.payins.retrieve('order-1')).rejects.toThrow()
    await fetch(`${base.replace('/_sandbox/api/', '')}/nowhere`)

    const paths = async (query: string) =>
      [...new Set((await list(query)).rows.map(({ path }) => path))].sort()
    expect(await paths('kind=tokens')).toEqual(['/auth-tokens'])
    expect(await paths('kind=payins')).toEqual(['/payins/nobody', '/payins/order-1'])
    expect(await paths('kind=payouts')).toEqual(['/payouts/refund-1'])
    expect(await paths('kind=info')).toEqual(['/merchant-info'])
    expect(await paths('result=refused')).toEqual(['/nowhere', '/payins/nobody'])
    expect(await paths('result=failed')).toEqual(['/payins/order-1'])
    expect(await paths('fault=yes')).toEqual(['/payins/order-1'])
    expect(await paths('payment=payout/refund-1')).toEqual(['/auth-tokens', '/payouts/refund-1'])
    const lost = await list('result=unanswered')
    expect(lost.rows).toMatchObject([{ status: null, result: 'unanswered', fault: 'drop-after' }])
    expect(lost.counts).toMatchObject({ refused: 3, failed: 1, unanswered: 1, fault: 2 })
  })

  test('finds what is shown: amounts as they are written, ids, references, paths and codes', async () => {
    // No time and no reference that holds what is searched for.
    await close()
    await open({ clock: 'virtual', startAt: Date.UTC(2026, 0, 1), seed: 1 })
    const first = await payin('order-1', '4001.00')
    await payin('order 2 ü', '12.50')
    await wrongKeyFirst()
    const found = async (search: string) =>
      (await list(`search=${encodeURIComponent(search)}`)).rows.map(({ number }) => number)
    expect(await found('4,001.00')).toEqual([2])
    expect(await found('4,001.00 eur')).toEqual([2])
    expect(await found('12.50')).toEqual([3])
    expect(await found('order-1')).toContain(2)
    expect(await found('order 2 ü')).toEqual([3])
    expect(await found('/payins/order%202')).toEqual([3])
    expect(await found(first.paymentMethodResponse?.reference ?? 'none')).toEqual([2])
    expect(await found('signature_invalid')).toEqual([5, 4])
    expect(await found('public key')).toEqual([5, 4])
    // The port of this test, which is in the header Host of all, may hold it.
    expect((await found('401')).slice(0, 2)).toEqual([5, 4])
    expect(await found('nothing like this')).toEqual([])
    const payments = await ask<{ rows: { id: string }[] }>('payments?limit=9&search=4,001.00')
    expect(payments.rows.map(({ id }) => id)).toEqual(['order-1'])
  })

  test('knows no request by a number that none has', async () => {
    for (const key of ['1', '0', 'c1', 'x', '-1', '1e9']) {
      expect((await fetch(`${base}requests/${key}`)).status).toBe(404)
    }
  })
})

describe('how long a response took', () => {
  test("is by the sandbox's clock", async () => {
    await onAStandingClock()
    sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'delay', ms: 3000 } })
    const created = payin('order-1')
    await expect.poll(() => sandbox.payins.size).toBe(1)
    expect((await detail('2')).tookMs).toBeNull()
    expect((await list('result=unanswered')).rows).toMatchObject([{ number: 2, status: null }])
    await sandbox.clock.advance(3000)
    await created
    expect(await detail('2')).toMatchObject({ tookMs: 3000, status: 200 })
  })
})

describe('a refusal', () => {
  const toFix = async () => (await list('toFix=yes')).rows.map(({ status, path }) => [status, path])

  test('is harmless for the same create again and for what is not there, and not for another create', async () => {
    await payin('order-1')
    const conflict = await payin('order-1', '13.00').catch(() => 'conflict')
    expect(conflict).toBe('conflict')
    await payin('order-1')
    await client.payins.retrieve('order-2').catch(() => 'not found')
    const { rows } = await list('result=refused')
    // The client asks once more with a new token.
    expect(rows.map(({ status, isHarmless }) => [status, isHarmless])).toEqual([
      [404, true],
      [404, true],
      [409, true],
      [409, false],
    ])
  })

  test('is to be fixed until something is accepted under its id, or a token is made', async () => {
    await wrongKeyFirst()
    expect(await toFix()).toEqual([
      [401, '/auth-tokens'],
      [401, '/auth-tokens'],
    ])
    await payin('order-1', '0.00').catch(() => 'refused')
    expect(await toFix()).toEqual([[400, '/payins/order-1']])
    await payin('order-1')
    expect(await toFix()).toEqual([])
  })

  test('that a fault forced is not to be fixed', async () => {
    sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'status', status: 400 } })
    await expect(payin('order-1')).rejects.toMatchObject({ status: 400 })
    expect(await toFix()).toEqual([])
  })
})
