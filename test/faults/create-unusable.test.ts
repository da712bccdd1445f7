import { describe, expect, test } from 'vitest'
import type { CallOptions, Outcome } from '../../src/index.js'
import type { SomeOptions } from '../support/client-options.js'
import { createOver, type Hit, type Row, rowTest } from './create-table.js'
import { found, handMadeGateway, json, type Reply, stall, stallBody, text } from './servers.js'
import { clientOf, matrix } from './support.js'

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

const list = () => []
const seven = () => 7
const withoutMoney = (body: unknown) => ({ ...Object(body), paymentRequested: {} })
const shows = (paymentMethodResponse: object) => (body: unknown) => ({
  ...Object(body),
  paymentMethodResponse,
})
const withoutId = shows({ paymentMethodCode: 'X' })
const withAnotherId = shows({ idPayin: 'order-2', idPayout: 'order-2' })

/** The gateway said yes, and then something that cannot be used. */
const rows: readonly Row[] = [
  answered('a page', 200, { kind: 'html', status: 200, processed: true }),
  answered('nothing', 200, { ...processed, status: 200, body: '' }),
  answered('nothing (204)', 204, { ...processed, status: 204 }),
  answered('half of a JSON text', 201, { ...processed, status: 201, body: '{"paymentRequested":{"mon' }),
  answered('null', 200, { ...processed, status: 200, body: 'null' }),
  answered('a list', 200, mutated(list)),
  answered('a number', 200, mutated(seven)),
  answered('an object without a payment', 202, { ...processed, status: 202, body: {} }),
  answered('a payment without its money', 200, mutated(withoutMoney), 'accepted'),
  answered('a payment without its id', 200, mutated(withoutId)),
  answered('a payment with another id', 200, mutated(withAnotherId)),
]

const long = 'x'.repeat(5000)

describe.each(matrix)(
  'a $kind is accepted, over $transport, and the outcome is what the response proves:',
  (setup) => {
    for (const row of rows) rowTest(setup, row)

    const { kind, transport } = setup

    const ends = (
      reply: Reply,
      lookUp: Reply = json(404, {}),
      options: SomeOptions = {},
      call: CallOptions = {},
    ) => createOver(setup, { create: [reply], lookUp: [lookUp] }, options, call)
    const limits = { maxResponseBytes: 1000 }

    test.concurrent('larger than maxResponseBytes', async () => {
      const error = await ends(json(200, { long }), undefined, limits)
      expect(error).toMatchObject({ ...unknown, status: 200, attempts: 1 })
    })

    test.concurrent('a 409 whose body is larger than maxResponseBytes: the lookup decides', async () => {
      const result = await ends(text(409, long), json(200, found(kind)), limits)
      expect(result).toSatisfy(
        (value: object) =>
          ('replayed' in value && value.replayed === true) ||
          ('outcome' in value && value.outcome === 'accepted'),
      )
    })

    test.concurrent('a 409 whose body stalls', async () => {
      const error = await ends(stallBody(409), undefined, { timeoutMs: 600 })
      // The status line has proved it; to call it unknown would be no lie, to call it refused would.
      expect(error).toMatchObject({ outcome: expect.stringMatching(/^(accepted|unknown)$/) })
    })

    test.concurrent('a 409, and the lookup shows another id, or nothing that ties it to the request', async () => {
      const bodies = [
        found(kind, 'order-2'),
        {},
        [],
        ...(kind === 'payout' ? [{ process: { status: 'X' } }] : []),
      ]
      for (const body of bodies) {
        // Answers got mixed up: the 409 may have been another's too. Of a payin, which may show nothing, a second one
        // settles it (replayed-payins.test.ts).
        const expected = kind === 'payout' ? { ...unknown, status: 200 } : { replayed: true }
        expect(await ends(json(409, {}), json(200, body))).toMatchObject(expected)
      }
    })

    test.concurrent('a 409, and the lookup shows a status and nothing else', async () => {
      // Of a payin the specification promises no more; what was not seen is named.
      const notCompared = ['paymentMethodResponse.idPayin', 'paymentRequested.money.amount']
      expect(await ends(json(409, {}), json(200, { process: { status: 'SUCCESS' } }))).toMatchObject(
        kind === 'payout' ? unknown : { replayed: true, notCompared: expect.arrayContaining(notCompared) },
      )
    })

    test.concurrent('a 409, and the lookup shows the money but no id', async () => {
      const paymentMethodResponse = { paymentMethodCode: 'BANK_TRANSFER' }
      const notCompared = expect.arrayContaining(['paymentMethodResponse.idPayin'])
      // The specification promises the id for payouts only.
      expect(await ends(json(409, {}), json(200, { ...found(kind), paymentMethodResponse }))).toMatchObject(
        kind === 'payout' ? unknown : { replayed: true, notCompared },
      )
    })

    test.concurrent('a 409, and the lookup is a page', async () => {
      expect(await ends(json(409, {}), text(200, '<p>hello</p>'))).toMatchObject(accepted)
    })

    test.concurrent('a 409, and the lookup is larger than maxResponseBytes', async () => {
      const error = await ends(json(409, {}), json(200, { ...found(kind), long }), limits)
      expect(error).toMatchObject({ ...accepted, status: 200 })
    })

    test.concurrent('a 409, and the lookup redirects', async () => {
      const error = await ends(json(409, {}), json(302, {}, { location: 'https://elsewhere.example/' }))
      expect(error).toMatchObject(accepted)
    })

    test.concurrent('a 409, and the caller gives up in the lookup', async () => {
      const controller = new AbortController()
      const giveUp = () => controller.abort(new Error('enough'))
      const error = await ends(json(409, {}), giveUp, {}, { signal: controller.signal })
      expect(error).toMatchObject({ name: 'AbortedError', outcome: 'accepted' })
    })

    test.concurrent('a 409, and the call runs out of its deadline in the lookup', async () => {
      const error = await ends(json(409, {}), stall, {}, { deadlineMs: 1500 })
      expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'accepted' })
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
