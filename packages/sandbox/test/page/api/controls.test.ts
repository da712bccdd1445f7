import { describe, expect, test } from 'vitest'
import { faultForms } from '../../../src/page/api/actions/faults.js'
import { bearer, masterToken, ORIGIN, privatePem, raw, rawRequest } from '../../support.js'
import { pageOf } from './page.js'

const HOUR = 3_600_000
const order = { kind: 'payin', amount: 5, currencyCode: 'EUR', operator: 'HARBOUR', id: 'order-1' }
/** A fault of any request. */
const any = (action: object) => ({ route: '*', action })

describe("the page's bar", () => {
  test('shows faults that were added by code, with all their parameters', async () => {
    await using page = await pageOf()
    const { sandbox } = page
    sandbox.fault({
      route: 'POST /payins/{idPayin}',
      id: 'order-1',
      skip: 2,
      times: Number.POSITIVE_INFINITY,
      probability: 0.5,
      action: { kind: 'status', status: 500, processed: true, headers: { 'x-a': 'b' }, body: { code: 'X' } },
    })
    sandbox.callbackFault({ kind: 'payout', times: 3, action: { kind: 'late', ms: 5000 } })
    sandbox.fault({
      route: 'GET /payouts/{idPayout}',
      action: { kind: 'null-for-string', field: 'process.status' },
    })
    expect((await page.ask('GET', 'state')).json).toMatchObject({
      faults: [
        {
          key: 'request-1',
          at: 'request',
          place: 'POST /payins/{idPayin}',
          id: 'order-1',
          kind: 'status',
          parameters: [
            ['status', '500'],
            ['processed', 'true'],
            ['headers', '{"x-a":"b"}'],
            ['body', '{"code":"X"}'],
          ],
          hits: 0,
          times: null,
          toSkip: 2,
          probability: 0.5,
        },
        { kind: 'null-for-string', parameters: [['field', 'process.status']] },
        {
          key: 'callback-1',
          at: 'callback',
          place: 'payout',
          kind: 'late',
          parameters: [['ms', '5000']],
          times: 3,
        },
      ],
    })
  })

  test.each(faultForms)(
    'adds $kind at every place of its form, with what stands there at first, for ever',
    async (form) => {
      await using page = await pageOf()
      const { at, kind, places, fields } = form
      const values = fields.map(({ name, input, value, choices }) => [
        name,
        choices?.[0]?.[0] ?? (input === 'json' && value !== undefined ? JSON.parse(`${value}`) : value),
      ])
      const action = { kind, ...Object.fromEntries(values) }
      for (const route of places) {
        expect(await page.ask('POST', 'faults', { at, route, times: null, action })).toMatchObject({
          status: 200,
        })
      }
      if (at === 'callback') await page.ask('POST', 'faults', { at, kind: 'payin', times: null, action })
      const state = await page.ask('GET', 'state')
      const armed = (places.length === 0 ? ['payin'] : places).map((place) =>
        expect.objectContaining({ at, kind, place, times: null }),
      )
      expect(state).toMatchObject({ json: { faults: armed } })
    },
  )

  test('removes one fault, and all of them, whoever added them', async () => {
    await using page = await pageOf()
    const { sandbox, ask } = page
    const byCode = sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
    await ask('POST', 'faults', { at: 'request', route: '*', action: { kind: 'timeout' } })
    await ask('POST', 'faults', { at: 'callback', action: { kind: 'missing' } })
    sandbox.clock.skew(HOUR)
    expect((await ask('DELETE', 'faults/request-1')).json).toMatchObject({
      faults: [{ kind: 'timeout' }, { kind: 'missing' }],
    })
    expect((await ask('DELETE', 'faults')).json).toMatchObject({ faults: [], clock: { skewMs: 0 } })
    expect(byCode.hits).toBe(0)
    expect((await sandbox.fetch(`${ORIGIN}/balances`, { headers: { 'x-api-version': '2' } })).status).toBe(
      406,
    )
  })

  test.each<[string, object]>([
    [
      'means nothing at GET /payins/{idPayin}',
      { route: 'GET /payins/{idPayin}', action: { kind: 'callback-first' } },
    ],
    [
      'means nothing at POST /payins/{idPayin}',
      { route: 'POST /payins/{idPayin}', action: { kind: 'hide', ms: 1 } },
    ],
    ['fault({ action: { kind } }) must be one of: drop-after, ', any({ kind: 'explode' })],
    ['means nothing at *', any({ kind: 'overtaken' })],
    ['means nothing at POST /auth-tokens', { route: 'POST /auth-tokens', action: { kind: 'revoke-token' } }],
    ['there is no id in GET /balances', { route: 'GET /balances', id: 'a', action: { kind: 'timeout' } }],
    ['an idPayin or idPayout', { route: '*', id: '', action: { kind: 'timeout' } }],
    ['action: { ms } }) of the kind timeout is not known', any({ kind: 'timeout', ms: 1 })],
    ['fault({ route }) must be', { route: 'GET /payins', action: { kind: 'timeout' } }],
    ['fault({ match }) must be', { route: '*', match: 'order', action: { kind: 'timeout' } }],
    ['fault({ until }) must be', { route: '*', until: 1, action: { kind: 'timeout' } }],
    ['fault({ times }) must be', { route: '*', times: 0, action: { kind: 'timeout' } }],
    ['fault({ skip }) must be', { route: '*', skip: -1, action: { kind: 'timeout' } }],
    ['fault({ probability }) must be', { route: '*', probability: 1.1, action: { kind: 'timeout' } }],
    ['action: { ms } }) must be', any({ kind: 'delay' })],
    ['jitterMs } }) must be', any({ kind: 'delay', ms: 1, jitterMs: -1 })],
    ['status } }) must be', any({ kind: 'status', status: 99 })],
    ['retryAfterSecs } }) must be', any({ kind: 'rate-limit', retryAfterSecs: 0.5 })],
    ['forMs } }) must be', any({ kind: 'skew-clock', ms: 1 })],
    ['fault({ often }) is not known', { route: '*', often: 1, action: { kind: 'timeout' } }],
    ['processed } }) must be on-arrival or late', any({ kind: 'delay', ms: 1, processed: true })],
    ['as } }) must be seconds or date', any({ kind: 'rate-limit', as: 'hours' })],
    ['change } }) must be', any({ kind: 'mutate', change: 'text' })],
    ['headers } }) must be', any({ kind: 'status', status: 500, headers: { a: 'b\nc' } })],
    ['headers } }) must be', any({ kind: 'status', status: 500, headers: { 'Content-Length': '1' } })],
  ])('refuses what makes no sense, as code does: %s', async (sentence, fault) => {
    await using page = await pageOf()
    const byCode = () =>
      page.sandbox.fault(Object.assign({ route: '*' as const, action: { kind: 'timeout' as const } }, fault))
    expect(byCode).toThrow(sentence)
    const refused = await page.ask('POST', 'faults', { at: 'request', ...fault })
    expect(refused).toMatchObject({ status: 400, json: { message: expect.stringContaining(sentence) } })
    expect((await page.ask('GET', 'state')).json).toMatchObject({ faults: [] })
  })

  test('moves a virtual clock on, and lets any clock be wrong', async () => {
    await using page = await pageOf({ clock: 'virtual', startAt: 0 })
    expect((await page.ask('POST', 'clock', { advanceMs: HOUR })).json).toMatchObject({
      clock: { mode: 'virtual', now: HOUR, skewMs: 0 },
    })
    expect((await page.ask('POST', 'clock', { skewMs: -HOUR, forMs: 1000 })).json).toMatchObject({
      clock: { now: 0, skewMs: -HOUR },
    })
    await page.ask('POST', 'clock', { advanceMs: 1000 })
    expect((await page.ask('GET', 'state')).json).toMatchObject({ clock: { now: HOUR + 1000, skewMs: 0 } })
    for (const wrong of [
      {},
      { advanceMs: -1 },
      { advanceMs: 1e15 },
      { skewMs: 'x' },
      { skewMs: 1, forMs: -1 },
    ]) {
      expect((await page.ask('POST', 'clock', wrong)).status).toBe(400)
    }
    await using real = await pageOf()
    expect(await real.ask('POST', 'clock', { advanceMs: 1 })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('Only a virtual clock') },
    })
  })

  test('exchanges the limiter, and says how full it is', async () => {
    await using page = await pageOf({ clock: 'virtual', rateLimit: 10 })
    await page.sandbox.fetch(`${ORIGIN}/balances`)
    expect((await page.ask('GET', 'state')).json).toMatchObject({
      limiter: { kind: 'sliding-window', limit: 10 },
    })
    expect((await page.ask('POST', 'limiter', { kind: 'evenly-spaced', limit: 2 })).json).toMatchObject({
      limiter: { kind: 'evenly-spaced', limit: 2 },
    })
    const statuses = await Promise.all(
      [1, 2].map(async () => (await page.sandbox.fetch(`${ORIGIN}/balances`)).status),
    )
    expect(statuses).toEqual([404, 429])
    expect((await page.ask('POST', 'limiter', { kind: 'evenly-spaced', limit: null })).json).toMatchObject({
      limiter: { limit: null },
    })
    expect(page.sandbox.clientOptions()).toMatchObject({ rateLimit: false })
    for (const wrong of [
      { kind: 'none', limit: 1 },
      { kind: 'fixed-window', limit: 0 },
      { kind: 'fixed-window', limit: 'none' },
    ]) {
      expect((await page.ask('POST', 'limiter', wrong)).status).toBe(400)
    }
  })

  test('sets a balance, and revokes all tokens', async () => {
    await using page = await pageOf({ merchantCode: 'M-0001', privateKey: privatePem })
    const { json } = await page.ask('POST', 'balances', { amount: 12.5, currencyCode: 'CHF' })
    expect(json).toMatchObject({ balances: expect.arrayContaining([{ amount: 12.5, currencyCode: 'CHF' }]) })
    expect((await page.ask('POST', 'balances', { amount: 1, currencyCode: 'chf' })).status).toBe(400)
    const token = await masterToken(page.sandbox)
    const statusOf = async () =>
      (await page.sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) })).status
    expect(await statusOf()).toBe(200)
    expect((await page.ask('DELETE', 'tokens')).status).toBe(200)
    expect(await statusOf()).toBe(401)
  })

  test('begins anew: no payments, logs and faults, and the balances of the start', async () => {
    await using page = await pageOf({ balances: { EUR: 100 }, payAfterMs: 0, clock: 'virtual' })
    const lost = { ...order, amount: 5001 }
    await page.ask('POST', 'create', lost)
    await page.sandbox.clock.advance(1)
    expect(page.sandbox.payins.get('order-1').status).toBe('SUCCESS')
    page.sandbox.callbackFault({ action: { kind: 'missing' } })
    expect((await page.ask('POST', 'reset', {})).json).toMatchObject({
      faults: [],
      balances: [{ amount: 100, currencyCode: 'EUR' }],
    })
    expect(page.sandbox).toMatchObject({ requests: [], callbacks: [], payins: { size: 0 } })
    // The magic value meets the first create again, and the id is free.
    expect((await page.ask('POST', 'create', lost)).json).toMatchObject({ arrived: false, held: true })
  })
})

describe('a payment on the page', () => {
  test('is given any status, processed or not', async () => {
    await using page = await pageOf()
    await page.ask('POST', 'create', order)
    await page.ask('POST', 'payments/payin/order-1/status', { status: 'UNDER_REVIEW', processed: true })
    expect(page.sandbox.payins.get('order-1')).toMatchObject({
      status: 'UNDER_REVIEW',
      processedAt: expect.any(String),
    })
    await page.ask('POST', 'payments/payin/order-1/status', { status: 'SUCCESS', processed: false })
    expect(page.sandbox.payins.get('order-1').processedAt).toBeUndefined()
  })

  test('sends its callback in any form, checked as by code', async () => {
    const sent: unknown[] = []
    await using page = await pageOf({
      clock: 'virtual',
      deliver: async ({ method, headers, body, chunked }) => {
        sent.push({ method, type: headers['content-type'], body, chunked })
        return { status: 204 }
      },
    })
    await page.ask('POST', 'create', { ...order, callbackUrl: 'https://shop.example/callbacks' })
    await page.sandbox.clock.advance(1)
    sent.length = 0
    const form = { method: 'PUT', contentType: 'text/plain', body: 'x', chunks: 3, chunkGapMs: 1, times: 2 }
    expect((await page.ask('POST', 'payments/payin/order-1/callback', form)).status).toBe(200)
    await page.sandbox.idle()
    const one = { method: 'PUT', type: 'text/plain', body: 'x', chunked: { chunks: 3, gapMs: 1 } }
    expect(sent).toEqual([one, one])
    await page.ask('POST', 'payments/payin/order-1/callback', { afterMs: 1000 })
    await page.sandbox.clock.advance(999)
    expect(sent).toHaveLength(2)
    await page.sandbox.clock.advance(1)
    expect(sent).toHaveLength(3)
    for (const wrong of [{ method: 'G T' }, { times: 0 }, { times: 1e6 }, { afterMs: -1 }]) {
      expect((await page.ask('POST', 'payments/payin/order-1/callback', wrong)).status).toBe(400)
    }
  })
})

test('a refusal of the page says what to do next', async () => {
  await using page = await pageOf()
  const next = async (method: string, path: string) => {
    const { status, json } = await page.ask(method, path, method === 'GET' ? undefined : {})
    return `${status} ${Object(json).message}`
  }
  for (const path of ['nothing', 'payments/payin/order-1/a/b']) {
    expect(await next('GET', path)).toMatch(/^404 .*docs\/sandbox-api\.md lists what can be asked/)
  }
  await page.ask('POST', 'create', order)
  expect(await next('POST', 'payments/payin/order-1/callback')).toMatch(
    /^409 .*create one that has a callbackUrl/,
  )
  const { port } = new URL(page.url)
  const answer = await raw(Number(port), rawRequest('GET', '/_sandbox/', { host: `evil.example:${port}` }))
  expect(answer.text).toMatch(/^HTTP\/1.1 403 [\s\S]*call it 127\.0\.0\.1 with its port/)
})
