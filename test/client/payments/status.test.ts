import { describe, expect, it, vi } from 'vitest'
import { readBy, readingOf, type StatusRules } from '../../../src/client/payments/reading.js'
import { isFinal, isPaid, statusOf } from '../../../src/client/payments/status.js'
import { type GatewayClient, refundId } from '../../../src/index.js'
import { mockGateway } from '../../support/gateway.js'

describe('a payment is final when it has succeeded or has been processed', () => {
  it.each([
    [true, { process: { status: 'SUCCESS' } }],
    [true, { process: { status: 'REJECTED', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [true, { process: { processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { process: { status: 'PENDING' } }],
    [false, { process: { status: 'SOMETHING_NEW' } }],
    [false, { process: { status: 'success' } }],
    [false, { process: { status: 'PENDING', processedAt: '' } }],
    [true, { process: { createdAt: '2026-11-21T06:59:59Z', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [true, { process: { createdAt: '2026-11-21T08:00:00+02:00', processedAt: '2026-11-21T07:00:00Z' } }],
    [false, { process: { createdAt: '2026-11-21T07:00:00Z', processedAt: '2026-11-21T06:59:59Z' } }],
    [true, { process: { createdAt: 'soon', processedAt: '2026-11-21 07:00:00' } }],
    [false, { process: {} }],
    [false, {}],
    [false, JSON.parse('{"process":null}')],
    [false, JSON.parse('{"process":{"status":"PENDING","processedAt":null}}')],
  ])('%s: %j', (expected, payment) => {
    expect(isFinal(payment)).toBe(expected)
  })

  it.each([
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000Z',
    '1970',
    '9999-12-31T23:59:59Z',
    'null',
    '-',
    '2026-13-01T00:00:00Z',
    '2026-11-21',
    '0',
  ])('and not by a processedAt that is no time: %s', (processedAt) => {
    expect(isFinal({ process: { status: 'PENDING', processedAt } })).toBe(false)
  })

  it.each([
    ['PENDING', false],
    ['COMPLETED', false],
    [undefined, false],
    ['REJECTED', true],
    ['CARD_EXPIRED', true],
  ])(
    'and not by a processedAt that equals createdAt, unless the status %s says that it failed: %s',
    (status, final) => {
      const at = '2026-11-21T07:00:00.000Z'
      expect(isFinal({ process: { ...(status && { status }), ...{ createdAt: at }, processedAt: at } })).toBe(
        final,
      )
    },
  )

  it('and not by a processedAt that is still to come, beyond what two clocks differ by', () => {
    const inMs = (ms: number) => ({ process: { processedAt: new Date(Date.now() + ms).toISOString() } })
    expect([isFinal(inMs(60_000)), isFinal(inMs(3_600_000)), isFinal(inMs(-1))]).toEqual([true, false, true])
  })

  it.each([
    ['PENDING', { process: { status: 'PENDING' } }],
    ['ÜBERFÄLLIG_2-B', { process: { status: 'ÜBERFÄLLIG_2-B' } }],
    [undefined, { process: { status: 'Jana Novak' } }],
    [undefined, { process: { status: 'jana@shop.example' } }],
    [undefined, { process: { status: 'X'.repeat(65) } }],
    [undefined, { process: { status: '' } }],
    [undefined, {}],
    [undefined, JSON.parse('{"process":null}')],
  ])('its status is %s where it shows %j', (status, payment) => {
    expect(statusOf(payment)).toBe(status)
  })
})

describe('what all objects have says nothing about a payment', () => {
  it('by the language, wherever the option statuses looks for the status', () => {
    const payment = { process: { status: 'PENDING' } }
    const statuses = { field: 'process.constructor.name', final: ['Object'] }
    readBy(readingOf('payin', { statuses, now: Date.now }), payment)
    expect(statusOf(payment)).toBeUndefined()
    expect(isFinal(payment)).toBe(false)
  })

  it('and what its own class has does', () => {
    class Order {
      get process() {
        return { status: 'SUCCESS' }
      }
    }
    expect(isPaid(new Order())).toBe(true)
  })
})

describe('a payment is paid when its status is SUCCESS, and by nothing else', () => {
  it.each([
    [true, { process: { status: 'SUCCESS' } }],
    [false, { process: { status: 'success' } }],
    [false, { process: { status: 'PAID', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { process: { processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { paymentRequested: {}, paymentMethodResponse: {} }],
    [false, {}],
  ])('%s: %j', (expected, payment) => {
    expect(isPaid(payment)).toBe(expected)
    expect([payment].filter((one) => isPaid(one))).toHaveLength(expected ? 1 : 0)
  })

  it.each([isPaid, isFinal, statusOf])('a promise of a payment has no status yet: %o', (read) => {
    const promise: object = Promise.resolve({ process: { status: 'SUCCESS' } })
    expect(() => read(promise)).toThrow('this is a promise of a payment: await it first')
  })

  it.each([true, 'true', 'True', 'TRUE ', 1, '1'])(
    'a test payment shows isTest: %j, and is none for live money',
    (isTest) => {
      const payment = JSON.parse(JSON.stringify({ process: { status: 'SUCCESS', isTest } }))
      expect([isPaid(payment, { live: true }), isPaid(payment, { live: false })]).toEqual([false, true])
    },
  )
})

describe('a payment that a client has found follows its option statuses', () => {
  const gateway = mockGateway()
  const statuses: StatusRules = {
    field: 'state',
    processedAtField: 'doneAt',
    paid: ['COMPLETED', 'Paid out'],
    final: ['REFUSED'],
  }
  // Before the time of the clients.
  const later = '2023-11-14T07:00:01Z'

  it.each<[answer: object, status: string | undefined, final: boolean, paid: boolean]>([
    [{ state: 'COMPLETED' }, 'COMPLETED', true, true],
    [{ state: 'Paid out' }, 'Paid out', true, true],
    [{ state: 'SUCCESS' }, 'SUCCESS', true, true],
    [{ state: 'REFUSED' }, 'REFUSED', true, false],
    [{ state: 'OPEN' }, 'OPEN', false, false],
    [{ state: 'ODD', doneAt: later }, 'ODD', true, false],
    [{ state: 'ODD', doneAt: later, createdAt: later }, 'ODD', false, false],
    [{ state: 'Jana Novak' }, undefined, false, false],
    [{ state: 5 }, undefined, false, false],
    [{ process: { status: 'SUCCESS', processedAt: later } }, undefined, false, false],
  ])('%j: %s, final: %s, paid: %s', async (answer, status, final, paid) => {
    gateway.answer(answer)
    const payin = await gateway.client({ statuses }).payins.retrieve('p-1')
    expect([statusOf(payin), isFinal(payin), isPaid(payin)]).toEqual([status, final, paid])
    expect(payin).toEqual(answer)
    expect(JSON.stringify(payin)).toBe(JSON.stringify(answer))
  })

  it('as does a copy by spreading, and one of its JSON does not', async () => {
    gateway.answer({ process: { status: 'COMPLETED' } })
    const payin = await gateway.client({ statuses: { paid: ['COMPLETED'] } }).payins.retrieve('p-1')
    expect([isPaid(payin), isPaid({ ...payin }), isPaid(structuredClone(payin))]).toEqual([true, true, false])
  })

  it('and a payout is read in process.status where it shows nothing else, as the specification promises', async () => {
    const payout = {
      paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
      paymentMethodResponse: { idPayout: 'w-1' },
    }
    gateway.answer({ ...payout, process: { status: 'REFUSED' } })
    const client = gateway.client({ statuses })
    expect(statusOf(await client.payouts.waitFor('w-1', { maxWaitMs: 60_000 }))).toBe('REFUSED')
    gateway.answer({ ...payout, state: 'COMPLETED', process: { status: 'REFUSED' } })
    expect(isPaid(await client.payouts.retrieve('w-1'))).toBe(true)
  })

  it('found after a 409, too', async () => {
    gateway.answer(({ method }) =>
      method === 'POST' ? new Response('{}', { status: 409 }) : Response.json({ state: 'COMPLETED' }),
    )
    const payin = await gateway.client({ statuses }).payins.create({
      idPayin: 'p-1',
      paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    expect([payin.replayed, isPaid(payin)]).toEqual([true, true])
  })

  it('and a refund is made of what it calls paid', async () => {
    const payin = { state: 'COMPLETED', paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } } }
    const made = {
      paymentRequested: { money: { amount: 5, currencyCode: 'EUR' } },
      paymentMethodResponse: { idPayout: refundId('p-1', 1) },
    }
    gateway.answer(({ method }) => (method === 'GET' ? Response.json(payin) : Response.json(made)))
    const refund = {
      idPayin: 'p-1',
      number: 1,
      money: { amount: 5, currencyCode: 'EUR' },
      account: { accountName: 'A', accountNumber: '1' },
    }
    await expect(gateway.client({ statuses }).payins.refund(refund)).resolves.toMatchObject({ number: 1 })
    const without = gateway.client({ statuses: { field: 'state' } })
    await expect(without.payins.refund(refund)).rejects.toMatchObject({ reason: 'not-paid' })
  })
})

describe('a status that leaves a payment unpaid in silence is said once', () => {
  const gateway = mockGateway()
  const created = '2023-11-14T07:00:00Z'
  const processed = '2023-11-14T07:00:01Z'

  it.each([
    ['success', {}, /status success is SUCCESS but for its case/],
    ['DONE', { processedAt: processed }, /status DONE ends payments \(processedAt\)/],
    ['Completed', {}, /status Completed sounds paid/],
    ['PAID', {}, /status PAID sounds paid/],
    ['UNPAID', {}, undefined],
    ['COMPLETING', {}, undefined],
    ['PENDING', {}, undefined],
    ['FAILED', { processedAt: processed }, undefined],
    ['WAITING', { processedAt: created }, undefined],
  ])('%s, with %j', async (status, more, sentence) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    gateway.answer({ process: { status, createdAt: created, ...more } })
    const client: GatewayClient = gateway.client()
    for (let time = 0; time < 3; time++) await client.payins.retrieve('p-1')
    const said = warned.mock.calls
      .map(([message]) => String(message))
      .filter((text) => text.includes('option statuses'))
    expect(said).toHaveLength(sentence === undefined ? 0 : 1)
    if (sentence !== undefined) expect(said[0]).toMatch(sentence)
  })
})
