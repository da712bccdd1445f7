import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type DriftEvent, isFinal, isPaid, onGatewayEvent } from '../../src/index.js'
import { turns, until } from '../support/turns.js'
import { type RawReply, rawAnswer, rawGateway } from './copies.js'
import { listenToDrift } from './quiet.js'
import { clientOf, create, failure, paymentRequest, type TransportName } from './support.js'

listenToDrift()

const id = 'order-12345678'
const money = { amount: 10.5, currencyCode: 'EUR' }

/** What a gateway may show of a payin (specification, section 4.6: "status and details"), and whether that ties it. */
const bodies: readonly (readonly [
  name: string,
  tied: boolean,
  body: (id: string, status: string) => unknown,
])[] = [
  ['nothing', false, () => ({})],
  ['null', false, () => null],
  ['a number', false, () => 7],
  ['a text', false, (_, status) => status],
  ['an empty list', false, () => []],
  ['a list', false, (idPayin, status) => [{ idPayin, status }]],
  ['status', true, (_, status) => ({ status })],
  ['state', false, (_, state) => ({ state })],
  ['result', false, () => ({ result: 'OK' })],
  ['process without a status', false, () => ({ process: {} })],
  ['process.status', true, (_, status) => ({ process: { status } })],
  ['process.state', false, (_, state) => ({ process: { state } })],
  ['idPayin and status', true, (idPayin, status) => ({ idPayin, status })],
  ['id and state', true, (own, state) => ({ id: own, state })],
  ['reference', true, (reference) => ({ paymentMethodResponse: { reference } })],
  ['a text of its own', true, (text) => ({ anything: { at: [{ all: text }] } })],
  ['data with a status', false, (_, status) => ({ data: { status } })],
  ['data with id and status', true, (idPayin, status) => ({ data: { idPayin, status } })],
  ['data with money', true, () => ({ data: { money } })],
  ['data with amount and currencyCode', true, () => ({ data: money })],
  [
    'data as the specification has it',
    true,
    (idPayin) => ({ data: { paymentRequested: { money }, idPayin } }),
  ],
  ['payin with a status', false, (_, status) => ({ payin: { status } })],
  ['payin with id and status', true, (idPayin, status) => ({ payin: { idPayin, status } })],
  ['money', true, () => ({ money })],
  ['amount and currencyCode', true, () => money],
  ['amount alone', false, () => ({ amount: 10.5 })],
  ['a fee, which is no money of the payin', false, () => ({ fee: { amount: 1, currencyCode: 'EUR' } })],
  ['paymentRequested', true, () => ({ paymentRequested: { money } })],
]

/** Every field of the request that can be compared, and the id. */
const everything = [
  'paymentMethodResponse.idPayin',
  'paymentRequested.money.amount',
  'paymentRequested.money.currencyCode',
  'paymentMethod.paymentMethodCode',
  'paymentMethod.paymentOperatorCode',
  'paymentMethod.account.accountNumber',
  'paymentMethod.account.accountName',
]

const transports: readonly TransportName[] = ['undici', 'fetch']

/** How often the create went out. */
const creates = (requests: readonly { readonly method: string; readonly path: string }[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path === `/payins/${id}`).length

describe.each(transports)('over %s, a payin that was created before is found again,', (transport) => {
  describe.each(bodies)('where the gateway shows of it: %s', (name, tied, bodyOf) => {
    test('and the second 409 ends the doubt where nothing else does', async () => {
      const body = bodyOf(id, 'PENDING')
      await using gateway = await rawGateway(({ method }) =>
        method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, body),
      )
      await using client = clientOf(gateway.url, transport, { retries: 0 })
      const payin = await create(client, 'payin', { id })
      expect(payin).toMatchObject({ idPayin: id, replayed: true })
      expect(creates(gateway.requests)).toBe(tied ? 1 : 2)
      if (!tied) expect(payin).toMatchObject({ notCompared: everything })
      if (name.startsWith('data') || name.startsWith('payin')) expect(payin).toMatchObject(Object(body))
    })

    test('and no response about another payin, left over on a kept connection, is taken for its own', async () => {
      const other = { ...Object(bodyOf('another-order', 'SUCCESS')), isForeign: true }
      let leftOver = new Set<Socket>()
      const kept = new Set<Socket>()
      const reply: RawReply = ({ method }, socket) => {
        kept.add(socket)
        if (leftOver.delete(socket)) return method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, other)
        return method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, bodyOf(id, 'PENDING'))
      }
      await using gateway = await rawGateway(reply)
      await using client = clientOf(gateway.url, transport, { retries: 0 })
      // Some connections are kept, and the next request over each gets what is left over there.
      await Promise.all(
        [1, 2, 3].map(() => client.request({ method: 'GET', path: '/x', operations: ['GET /x'] })),
      )
      leftOver = new Set(kept)
      await turns()
      const payin = await create(client, 'payin', { id })
      // The guard lets go: a 409 on a connection that nothing was left over on is this payin's.
      expect(payin).toMatchObject({ idPayin: id, replayed: true })
      expect(payin).not.toHaveProperty('isForeign')
      expect(isPaid(payin)).toBe(false)
    })
  })

  test('and what is shown of another one, by its id, is not handed over', async () => {
    const others = [
      { idPayin: 'order-87654321', process: { status: 'SUCCESS' } },
      { data: { idPayin: 'order-87654321' }, status: 'SUCCESS' },
      { paymentMethodResponse: { idPayin: 'order-87654321' }, process: { status: 'SUCCESS' } },
      { paymentMethodResponse: { idPayout: 'order-87654321' }, process: { status: 'SUCCESS' } },
    ]
    for (const other of others) {
      await using gateway = await rawGateway(({ method }) =>
        method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, other),
      )
      await using client = clientOf(gateway.url, transport, { retries: 0 })
      expect(await create(client, 'payin', { id })).toEqual({
        idPayin: id,
        replayed: true,
        notCompared: everything,
      })
    }
  })

  test('and it is created where the 409 was not its own', async () => {
    let posts = 0
    const answer = { paymentRequested: { money }, paymentMethodResponse: { idPayin: id } }
    await using gateway = await rawGateway(({ method }) => {
      if (method === 'GET') return rawAnswer(200, {})
      return ++posts === 1 ? rawAnswer(409, {}) : rawAnswer(200, answer)
    })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    expect(await create(client, 'payin', { id })).toMatchObject({ replayed: false })
  })

  test.each([400, 503])(
    'and a %d to the second create leaves it in doubt, and says what ends that',
    async (status) => {
      let posts = 0
      await using gateway = await rawGateway(({ method }) => {
        if (method === 'GET') return rawAnswer(200, {})
        return ++posts === 1 ? rawAnswer(409, {}) : rawAnswer(status, {})
      })
      await using client = clientOf(gateway.url, transport, { retries: 0 })
      const error = await failure(create(client, 'payin', { id }))
      expect(error).toMatchObject({ outcome: 'unknown', idPayin: id, status })
      expect(error.message).toMatch(/option statuses; "merchant-gateway doctor --pay" finds it/)
    },
  )

  test('by a short id only where its name says that it is one', async () => {
    const shows = async (body: object) => {
      await using gateway = await rawGateway(({ method }) =>
        method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, body),
      )
      await using client = clientOf(gateway.url, transport, { retries: 0 })
      await client.payins.create({ idPayin: '7', ...paymentRequest() })
      return gateway.requests.filter(({ path }) => path === '/payins/7').length === 2
    }
    for (const name of [
      'id',
      'orderNumber',
      'merchant_order_id',
      'payinId',
      'IDPAYIN',
      'externalReference',
      'order-id',
    ]) {
      expect([name, await shows({ x: { [name]: '7' } })]).toEqual([name, true])
    }
    for (const name of ['paid', 'valid', 'count', 'provider', 'idle']) {
      expect([name, await shows({ x: { [name]: '7' } })]).toEqual([name, false])
    }
  })

  test('and a connection that was kept is ended before a new one is used', async () => {
    await using gateway = await rawGateway(({ method }) =>
      method === 'POST' ? rawAnswer(409, {}) : rawAnswer(200, {}),
    )
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    await client.request({ method: 'GET', path: '/x', operations: ['GET /x'] })
    await create(client, 'payin', { id })
    const used = gateway.requests
      .filter(({ path }) => path.startsWith('/payins'))
      .map(({ connection }) => connection)
    expect(new Set(used).size).toBe(3)
    await until(() => gateway.open.size <= 3)
  })
})

describe('a status at the top of a response without process', () => {
  test('drives watch, means neither paid nor final, and the drift says where to set its place', async () => {
    const drifts: DriftEvent[] = []
    const stopListening = onGatewayEvent('merchant-gateway:drift', (event) => drifts.push(event))
    let looks = 0
    await using gateway = await rawGateway(() =>
      rawAnswer(200, { status: ['NEW', 'SUCCESS'][looks++] ?? 'SUCCESS', data: {} }),
    )
    await using client = clientOf(gateway.url, 'undici')
    const seen: unknown[] = []
    const watching = async () => {
      for await (const payin of client.payins.watch(id, { maxWaitMs: 400 })) {
        seen.push(Reflect.get(payin, 'status'))
        expect([isPaid(payin), isFinal(payin)]).toEqual([false, false])
        client.payins.notify(id)
      }
    }
    const error = await failure(watching())
    expect(seen).toEqual(['NEW', 'SUCCESS'])
    stopListening()
    const mend = 'option statuses; "merchant-gateway doctor --pay" finds it'
    expect(drifts[0]?.issues.join()).toMatch(new RegExp(`process.status: no status found .*${mend}`))
    expect(error.code).toBe('wait_timeout')
    expect(error.message).toMatch(
      new RegExp(`its last status was SUCCESS, which is not in process.status .*${mend}`),
    )
  })
})
