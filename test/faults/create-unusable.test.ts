import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/index.js'
import { type Hit, type Row, rowTest } from './create-table.js'
import { found, handMadeGateway, json, type Reply, stallBody, text } from './servers.js'
import { clientOf, create, failure, idField, matrix } from './support.js'

const unusable = { name: 'UnusableResponseError', code: 'unusable_response' } as const
const accepted = { ...unusable, outcome: 'accepted' } as const
const unknown = { code: unusable.code, outcome: 'unknown' } as const

/** A 2xx without this payment's id may come from something in front of the gateway. */
const answered = (name: string, status: number, hit: Hit, outcome: Outcome = 'unknown'): Row => ({
  name,
  creates: [hit],
  expected: { ...unusable, outcome, status, attempts: 1 },
  payments: 1,
})

const processed = { kind: 'status', processed: true } as const
const mutated = (change: (json: unknown) => unknown) => ({ kind: 'mutate', change }) as const

/** The gateway said yes, and then something that cannot be used. */
const rows: readonly Row[] = [
  answered('a page', 200, { kind: 'html', status: 200, processed: true }),
  answered('nothing', 200, { ...processed, status: 200, body: '' }),
  answered('nothing (204)', 204, { ...processed, status: 204 }),
  answered('half of a JSON text', 201, { ...processed, status: 201, body: '{"paymentRequested":{"mon' }),
  answered('null', 200, { ...processed, status: 200, body: 'null' }),
  answered(
    'a list',
    200,
    mutated(() => []),
  ),
  answered(
    'a number',
    200,
    mutated(() => 7),
  ),
  answered('an object without a payment', 202, { ...processed, status: 202, body: {} }),
  answered(
    'a payment without its money',
    200,
    mutated((body) => ({ ...Object(body), paymentRequested: {} })),
    'accepted',
  ),
  answered(
    'a payment without its id',
    200,
    mutated((body) => ({ ...Object(body), paymentMethodResponse: { paymentMethodCode: 'X' } })),
  ),
  answered(
    'a payment with another id',
    200,
    mutated((body) => ({
      ...Object(body),
      paymentMethodResponse: { idPayin: 'order-2', idPayout: 'order-2' },
    })),
  ),
]

const long = 'x'.repeat(5000)

describe.each(matrix)(
  'a $kind is accepted, over $transport, and the outcome is what the answer proves:',
  (setup) => {
    for (const row of rows) rowTest(setup, row)

    const { kind, transport } = setup

    const failing = async (reply: Reply, lookUp: Reply = json(404, {})) => {
      await using gateway = await handMadeGateway({ create: [reply], lookUp: [lookUp] })
      await using client = clientOf(gateway.url, transport, { maxResponseBytes: 1000, timeoutMs: 600 })
      const error = await failure(create(client, kind))
      return { ...error, name: error.name, [idField(kind)]: error[idField(kind)] }
    }

    test.concurrent('larger than maxResponseBytes', async () => {
      expect(await failing(json(200, { long }))).toMatchObject({ ...unknown, status: 200, attempts: 1 })
    })

    test.concurrent('a 409 whose body is larger than maxResponseBytes: the look-up decides', async () => {
      await using gateway = await handMadeGateway({
        create: [text(409, long)],
        lookUp: [json(200, found(kind))],
      })
      await using client = clientOf(gateway.url, transport, { maxResponseBytes: 1000 })
      const result = create(client, kind).catch((error: unknown) => error)
      expect(await result).toSatisfy(
        (value: object) =>
          ('replayed' in value && value.replayed === true) ||
          ('outcome' in value && value.outcome === 'accepted'),
      )
    })

    test.concurrent('a 409 whose body stalls', async () => {
      const { outcome } = await failing(stallBody(409))
      // The status line has proved it; to call it unknown would be no lie, to call it refused would.
      expect(['accepted', 'unknown']).toContain(outcome)
    })

    test.concurrent('a 409, and the look-up shows another id, or nothing that ties it to the request', async () => {
      const bodies = [
        found(kind, 'order-2'),
        {},
        [],
        ...(kind === 'payout' ? [{ process: { status: 'X' } }] : []),
      ]
      for (const body of bodies) {
        await using gateway = await handMadeGateway({ create: [json(409, {})], lookUp: [json(200, body)] })
        await using client = clientOf(gateway.url, transport)
        const call = create(client, kind)
        // Answers got mixed up: the 409 may have been another's too. Of a payin, which may show nothing, a second one
        // settles it (replayed-payins.test.ts).
        if (kind === 'payout') expect(await failure(call)).toMatchObject({ ...unknown, status: 200 })
        else expect(await call).toMatchObject({ replayed: true })
      }
    })

    test.concurrent('a 409, and the look-up shows a status and nothing else', async () => {
      const status = json(200, { process: { status: 'SUCCESS' } })
      await using gateway = await handMadeGateway({ create: [json(409, {})], lookUp: [status] })
      await using client = clientOf(gateway.url, transport)
      const call = create(client, kind)
      // Of a payin the specification promises no more; what was not seen is named.
      if (kind === 'payout') expect(await failure(call)).toMatchObject(unknown)
      else {
        const notCompared = ['paymentMethodResponse.idPayin', 'paymentRequested.money.amount']
        expect(await call).toMatchObject({ replayed: true, notCompared: expect.arrayContaining(notCompared) })
      }
    })

    test.concurrent('a 409, and the look-up shows the money but no id', async () => {
      await using gateway = await handMadeGateway({
        create: [json(409, {})],
        lookUp: [
          json(200, { ...found(kind), paymentMethodResponse: { paymentMethodCode: 'BANK_TRANSFER' } }),
        ],
      })
      await using client = clientOf(gateway.url, transport)
      const call = create(client, kind)
      // The specification promises the id for payouts only.
      if (kind === 'payout')
        expect(await failure(call)).toMatchObject({ ...unknown, name: expect.any(String) })
      else
        expect(await call).toMatchObject({
          replayed: true,
          notCompared: expect.arrayContaining(['paymentMethodResponse.idPayin']),
        })
    })

    test.concurrent('a 409, and the look-up is a page', async () => {
      expect(await failing(json(409, {}), text(200, '<p>hello</p>'))).toMatchObject({ ...accepted })
    })

    test.concurrent('a 409, and the look-up is larger than maxResponseBytes', async () => {
      const error = await failing(json(409, {}), json(200, { ...found(kind), long }))
      expect(error).toMatchObject({ ...accepted, status: 200 })
    })

    test.concurrent('a 409, and the look-up redirects', async () => {
      const error = await failing(json(409, {}), json(302, {}, { location: 'https://elsewhere.example/' }))
      expect(error).toMatchObject({ ...accepted })
    })

    test.concurrent('a 409, and the caller gives up in the look-up', async () => {
      const controller = new AbortController()
      await using gateway = await handMadeGateway({
        create: [json(409, {})],
        lookUp: [() => controller.abort(new Error('enough'))],
      })
      await using client = clientOf(gateway.url, transport)
      const error = await failure(create(client, kind, {}, { signal: controller.signal }))
      expect({ ...error, name: error.name }).toMatchObject({ name: 'AbortedError', outcome: 'accepted' })
    })

    test.concurrent('a 409, and the call runs out of its deadline in the look-up', async () => {
      await using gateway = await handMadeGateway({ create: [json(409, {})], lookUp: [() => {}] })
      await using client = clientOf(gateway.url, transport)
      const error = await failure(create(client, kind, {}, { deadlineMs: 1500 }))
      expect({ ...error, name: error.name }).toMatchObject({ name: 'TimeoutError', outcome: 'accepted' })
    })

    test.concurrent('a 409, to a request that names no method', async () => {
      await using gateway = await handMadeGateway({
        create: [json(409, {})],
        lookUp: [json(200, found(kind))],
      })
      await using client = clientOf(gateway.url, transport)
      const request = { paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } } }
      const call =
        kind === 'payin'
          ? // @ts-expect-error the type asks for a method, the gateway may not
            client.payins.create({ idPayin: 'order-1', ...request })
          : // @ts-expect-error the type asks for a method, the gateway may not
            client.payouts.create({ idPayout: 'order-1', ...request })
      expect(await call).toMatchObject({ replayed: true })
    })
  },
)
