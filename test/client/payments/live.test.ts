import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallbackReceiver } from '../../../src/callbacks/index.js'
import type { GatewayClient } from '../../../src/index.js'
import { caught } from '../../support/caught.js'
import { mockGateway, origin } from '../../support/gateway.js'
import { privatePem } from '../../support/vectors.js'

const gateway = mockGateway()
afterEach(() => vi.restoreAllMocks())

const id = 'order-12345678'
const request = {
  paymentRequested: { money: { amount: 25, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
}
const answer = (isTest: boolean | undefined) => ({
  paymentRequested: request.paymentRequested,
  process: { status: 'SUCCESS', ...(isTest === undefined ? {} : { isTest }) },
  paymentMethodResponse: { idPayin: id, idPayout: id, paymentMethodCode: 'BANK_TRANSFER' },
})

const wait = { maxWaitMs: 1_000 }
const looks: Record<string, (client: GatewayClient) => Promise<unknown>> = {
  'payins.retrieve': (client) => client.payins.retrieve(id),
  'payouts.retrieve': (client) => client.payouts.retrieve(id),
  'payins.waitFor': (client) => client.payins.waitFor(id, wait),
  'payouts.waitFor': (client) => client.payouts.waitFor(id, wait),
  'payins.watch': (client) => client.payins.watch(id, wait).next(),
  'payins.create, replayed': (client) => client.payins.create({ idPayin: id, ...request }),
  'payouts.create, replayed': (client) => client.payouts.create({ idPayout: id, ...request }),
}

const show = (isTest: boolean | undefined) =>
  gateway.answer(({ method }) =>
    method === 'POST' ? Response.json({}, { status: 409 }) : Response.json(answer(isTest)),
  )

describe.each(Object.entries(looks))('%s', (name, look) => {
  it.each([
    [true, true, /a test payment .* live money \(live: true\)/],
    [false, false, /a real payment .* for tests \(live: false\)/],
  ])('of a client with live: %s refuses what has isTest: %s, by name', async (live, isTest, sentence) => {
    show(isTest)
    const error = await caught(() => look(gateway.client({ live })))
    expect(error).toMatchObject({ code: 'configuration', option: 'live' })
    expect(error.idPayin ?? error.idPayout).toBe(id)
    expect(error.message).toMatch(sentence)
    expect(error.outcome).toBe(name.includes('create') ? 'accepted' : undefined)
  })

  it.each([
    [true, false],
    [true, undefined],
    [false, true],
    [false, undefined],
    [undefined, true],
    [undefined, false],
  ])('of a client with live: %s takes what has isTest: %s', async (live, isTest) => {
    show(isTest)
    expect(await look(gateway.client({ live }))).toBeDefined()
  })
})

describe('with live: true', () => {
  it('a test payment at the top of a response is one, too', async () => {
    gateway.answer({ status: 'SUCCESS', isTest: true })
    expect(await caught(() => gateway.client({ live: true }).payins.retrieve(id))).toMatchObject({
      option: 'live',
    })
  })

  it('a callback for a test payment never reaches the shop, which is told why', async () => {
    show(true)
    const onPayin = vi.fn()
    const onError = vi.fn()
    const callbacks = new CallbackReceiver({
      client: gateway.client({ live: true }),
      publicUrl: 'https://shop.example/callbacks',
      secrets: [randomBytes(32)],
      onPayin,
      onError,
    })
    const { status } = await callbacks.receive(callbacks.urlFor({ idPayin: id }))
    expect([status, onPayin.mock.calls]).toEqual([503, []])
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'configuration', option: 'live', idPayin: id })
  })
})

describe('with live: false, once a real payment was shown', () => {
  it.each([
    ['by a lookup', (client: GatewayClient) => client.payins.retrieve(id)],
    // Nothing says before the first payout that a gateway is a test gateway.
    [
      'by the response to the first payout',
      (client: GatewayClient) => client.payouts.create({ idPayout: id, ...request }),
    ],
  ])('%s, no payout is sent, and the process is warned', async (_, first) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const client = gateway.client({ live: false })
    gateway.answer(answer(false))
    expect(await caught(() => first(client))).toMatchObject({ code: 'configuration', option: 'live' })
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('sends no payout any more'),
        expect.objectContaining({ code: 'MERCHANT_GATEWAY_REAL_PAYMENT' }),
      ],
    ])
    const sent = gateway.business().length
    expect(await caught(() => client.payouts.create({ idPayout: id, ...request }))).toMatchObject({
      code: 'configuration',
      option: 'live',
      outcome: 'not-accepted',
      idPayout: id,
    })
    expect(gateway.business()).toHaveLength(sent)
  })
})

describe('with live: false, a payout that waits for its permit when a real payment is shown', () => {
  it('is not sent, and says so', async () => {
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const waiting: (() => void)[] = []
    let isOpen = true
    const acquire = () => (isOpen ? undefined : new Promise<void>((resolve) => waiting.push(resolve)))
    const client = gateway.client({ live: false, rateLimit: { acquire } })
    let show = () => {}
    const shown = new Promise<void>((resolve) => {
      show = resolve
    })
    gateway.answer(async () => {
      await shown
      return Response.json(answer(false))
    })
    const look = caught(() => client.payouts.retrieve(id))
    await vi.waitFor(() => expect(gateway.business()).toHaveLength(1))
    isOpen = false
    const created = caught(() => client.payouts.create({ idPayout: id, ...request }))
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    show()
    expect(await look).toMatchObject({ code: 'configuration', option: 'live' })
    isOpen = true
    for (const resolve of waiting) resolve()
    const error = await created
    expect(error).toMatchObject({
      code: 'configuration',
      option: 'live',
      outcome: 'not-accepted',
      idPayout: id,
    })
    expect(error.message).toMatch(
      /shown a real payment, .*so nothing was sent; this call created no payout; check baseUrl/,
    )
    expect(gateway.business()).toHaveLength(1)
  })
})

describe('without live, a test payment with SUCCESS warns the process once', () => {
  const onPayin = () => undefined
  type Package = typeof import('../../../src/index.js')
  type Callbacks = typeof import('../../../src/callbacks/index.js')
  const receivers = new WeakMap<GatewayClient, CallbackReceiver>()
  const receiver = ({ CallbackReceiver }: Callbacks, client: GatewayClient) => {
    const made =
      receivers.get(client) ??
      new CallbackReceiver({
        client,
        publicUrl: 'https://shop.example/callbacks',
        secrets: [randomBytes(32)],
        onPayin,
      })
    receivers.set(client, made)
    return made
  }
  type Way = (
    client: GatewayClient,
    modules: { fresh: Package; callbacks: Callbacks },
  ) => Promise<unknown> | unknown
  const ways: Record<string, Way> = {
    ...looks,
    'isPaid of a stored payment': (_, { fresh }) => expect(fresh.isPaid(answer(true))).toBe(true),
    'a callback': async (client, { callbacks }) => {
      const receiving = receiver(callbacks, client)
      expect(await receiving.receive(receiving.urlFor({ idPayin: id }))).toMatchObject({ status: 204 })
    },
    reconcile: async (client, { callbacks }) => {
      for await (const { error } of receiver(callbacks, client).catchUp([{ idPayin: id }])) {
        expect(error).toBeUndefined()
      }
    },
  }

  it.each(Object.entries(ways))('%s', async (_, way) => {
    // Once in a process: each way has its own copy of the package.
    vi.resetModules()
    const fresh: Package = await import('../../../src/index.js')
    const callbacks: Callbacks = await import('../../../src/callbacks/index.js')
    const { fetch } = globalThis
    const client = new fresh.GatewayClient({
      baseUrl: origin,
      merchantCode: 'M-0001',
      privateKey: privatePem,
      fetch,
    })
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    show(true)
    await way(client, { fresh, callbacks })
    await way(client, { fresh, callbacks })
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('a test payment'),
        expect.objectContaining({ code: 'MERCHANT_GATEWAY_TEST_PAYMENT' }),
      ],
    ])
  })
})
