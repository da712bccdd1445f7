import { describe, expect, test } from 'vitest'
import { privatePem } from '../faults/keys.js'
import { listeningSandbox } from '../faults/sandbox.js'
import { found, handMadeGateway, json } from '../faults/servers.js'
import {
  clientOf,
  create,
  createRoute,
  failure,
  idField,
  type Kind,
  matrix,
  paymentRequest,
} from '../faults/support.js'

describe.each(matrix)('a $kind over $transport', ({ kind, transport }) => {
  const id = { [idField(kind)]: 'order-1' }

  test('PEER 10: the same id with anything else that can be seen is an error that names it', async () => {
    const shown = {
      ...found(kind),
      paymentMethodResponse: {
        ...id,
        paymentMethodCode: 'BANK_TRANSFER',
        account: { accountName: 'JANA  NOVAK', accountNumber: '0001230123456789', bankCode: 'HARBOUR' },
      },
    }
    await using gateway = await handMadeGateway({ create: [json(409, {})], lookUp: [json(200, shown)] })
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    const send = (change: (request: ReturnType<typeof paymentRequest>) => void) => {
      const request = paymentRequest()
      change(request)
      return kind === 'payin'
        ? client.payins.create({ idPayin: 'order-1', ...request })
        : client.payouts.create({ idPayout: 'order-1', ...request })
    }
    expect(await send(() => {})).toMatchObject({ replayed: true, notCompared: [] })
    const changes: [field: string, change: Parameters<typeof send>[0]][] = [
      ['paymentRequested.money.amount', ({ paymentRequested }) => (paymentRequested.money.amount = '10.51')],
      ['paymentRequested.money.currencyCode', (it) => (it.paymentRequested.money.currencyCode = 'USD')],
      ['paymentMethod.paymentMethodCode', (it) => (it.paymentMethod.paymentMethodCode = 'VAPAY')],
      ['paymentMethod.paymentOperatorCode', (it) => (it.paymentMethod.paymentOperatorCode = 'OTHER')],
      ['paymentMethod.account.accountNumber', (it) => (it.paymentMethod.account.accountNumber = '1')],
      ['paymentMethod.account.accountName', (it) => (it.paymentMethod.account.accountName = 'Jan Novak')],
    ]
    for (const [field, change] of changes) {
      const error = await failure(send(change))
      expect(error).toMatchObject({ code: 'idempotency_conflict', differences: [field], ...id })
      expect(error.outcome).toBe('accepted')
      expect(error.message).toContain(field)
    }
  })

  test('PEER 10: what the found payment does not show is said to be not compared', async () => {
    await using gateway = await handMadeGateway({
      create: [json(409, {})],
      lookUp: [json(200, found(kind))],
    })
    await using client = clientOf(gateway.url, transport)
    expect(await create(client, kind)).toMatchObject({
      replayed: true,
      notCompared: [
        'paymentMethod.paymentOperatorCode',
        'paymentMethod.account.accountNumber',
        'paymentMethod.account.accountName',
      ],
    })
  })

  test('PEER 11: a 409 is a conflict only where it was seen to be one', async () => {
    await using gateway = await handMadeGateway({
      create: [json(409, { code: 'SOMETHING_ELSE' })],
      lookUp: [json(409, {})],
    })
    await using client = clientOf(gateway.url, transport)
    const custom = { method: 'POST', path: '/reports', operations: ['POST /reports'], body: {} } as const
    expect((await failure(client.request(custom))).name).toBe('InvalidRequestError')
    expect((await failure(client.payins.retrieve('order-1'))).name).toBe('InvalidRequestError')
    const money = { amount: 1, currencyCode: 'EUR' }
    expect((await failure(client.payins.paymentOptions(money))).name).toBe('InvalidRequestError')
    // A create whose look-up is answered 409, too, knows of no difference.
    expect(await failure(create(client, kind))).toMatchObject({
      code: 'invalid_request',
      outcome: 'accepted',
    })
  })

  test.concurrent.each([400, 401, 403, 404, 422])(
    'PEER 12: a %d on the retry of a call that had timed out does not say that nothing was created',
    async (status) => {
      await using sandbox = await listeningSandbox()
      await using client = clientOf(sandbox.url, transport, { privateKey: privatePem })
      const route = createRoute(kind)
      sandbox.fault({ route, action: { kind: 'timeout', processed: true } })
      sandbox.fault({ route, times: 2, action: { kind: 'status', status } })
      const error = await failure(create(client, kind, {}, { timeoutMs: 150 }))
      expect(error).toMatchObject({ outcome: 'unknown', status, ...id })
      expect(error.message).toContain('never create it under another id')
      // The way out that the error names: the payment is there, and there is one.
      sandbox.clearFaults()
      expect(await create(client, kind)).toMatchObject({ replayed: true, ...id })
      expect(storeOf(sandbox, kind).size).toBe(1)
    },
  )
})

function storeOf(sandbox: Awaited<ReturnType<typeof listeningSandbox>>, kind: Kind) {
  return kind === 'payin' ? sandbox.payins : sandbox.payouts
}

describe('an id', () => {
  test('of the other kind is refused: a payout with a fresh id would be paid by every retry', async () => {
    await using gateway = await handMadeGateway({})
    await using client = clientOf(gateway.url, 'undici')
    // @ts-expect-error the id of the other kind
    const payout = await failure(client.payouts.create({ idPayin: 'order-1', ...paymentRequest() }))
    // @ts-expect-error the same the other way round
    const payin = await failure(client.payins.create({ idPayout: 'order-1', ...paymentRequest() }))
    expect([payout.code, payin.code]).toEqual(['invalid_input', 'invalid_input'])
    expect(gateway.requests).toEqual([])
  })

  test('that is undefined or null is refused: a fresh one in its place would pay again', async () => {
    await using gateway = await handMadeGateway({})
    await using client = clientOf(gateway.url, 'undici')
    for (const idPayout of [undefined, null]) {
      // @ts-expect-error what a database gives for a row that is not there
      const error = await failure(client.payouts.create({ idPayout, ...paymentRequest() }))
      expect(error).toMatchObject({ code: 'invalid_input', field: 'idPayout' })
    }
    expect(gateway.requests).toEqual([])
  })

  test('that the client made stays the same through all attempts, and is on the error', async () => {
    await using gateway = await handMadeGateway({ create: [json(500, {})] })
    await using client = clientOf(gateway.url, 'undici', { retries: 2 })
    const error = await failure(client.payouts.create(paymentRequest()))
    const paths = gateway.requests.filter(({ path }) => path.startsWith('/payouts/')).map(({ path }) => path)
    expect(paths).toEqual(Array(3).fill(`/payouts/${error.idPayout}`))
    expect(error.idPayout).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('and the request are what they were when create was called, whatever the caller does to its object', async () => {
    const request = { idPayout: 'order-1', ...paymentRequest() }
    await using gateway = await handMadeGateway({
      create: [
        (response, seen) => {
          // The caller's loop goes on to the next order and uses its object again.
          request.idPayout = 'order-2'
          request.paymentRequested.money.amount = 99
          json(409, {})(response, seen)
        },
      ],
      lookUp: [json(200, found('payout'))],
    })
    await using client = clientOf(gateway.url, 'undici')
    expect(await client.payouts.create(request)).toMatchObject({ idPayout: 'order-1', replayed: true })
  })
})
