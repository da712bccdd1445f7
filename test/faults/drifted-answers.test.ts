import { describe, expect, test } from 'vitest'
import { customerAccountPath, methods } from '../support/methods.js'
import { listenToDrift } from './quiet.js'
import { found, handMadeGateway, json } from './servers.js'
import { clientOf, create, type Kind } from './support.js'

listenToDrift()

/** The gateway of next year: fields that nobody knows, values of no list, and null where nothing is. */
function drifted(kind: Kind) {
  const known = found(kind)
  return {
    ...known,
    paymentRequested: { ...known.paymentRequested, taxes: [{ rate: 0.2 }] },
    process: {
      status: 'AWAITING_REGULATOR',
      createdAt: null,
      processedAt: null,
      isTest: 'no',
      steps: [{ at: '2027-01-01', by: null }],
    },
    fee: null,
    paymentMethodResponse: {
      ...known.paymentMethodResponse,
      paymentMethodCode: null,
      account: null,
      money: { amount: '10.50', currencyCode: 978 },
      expireAt: 1_800_000_000,
      reference: null,
      qr: { png: 'iVBORw0KGgo=' },
    },
    risk: { score: 12.5, rules: ['A', 'B'] },
    null: null,
    '': 'no name',
  }
}

describe.each(['payin', 'payout'] as const)('a %s of a gateway that has moved on', (kind) => {
  test('nothing of it is lost or changed, in retrieve and in both responses of create', async () => {
    await using gateway = await handMadeGateway({
      create: [json(200, drifted(kind)), json(409, {})],
      lookUp: [json(200, drifted(kind))],
    })
    await using client = clientOf(gateway.url, 'undici')
    const resource = kind === 'payin' ? client.payins : client.payouts
    expect(await resource.retrieve('order-1')).toEqual(drifted(kind))
    expect(await create(client, kind)).toMatchObject({ ...drifted(kind), replayed: false })
    expect(await create(client, kind)).toMatchObject({ ...drifted(kind), replayed: true })
  })
})

describe('the other responses', () => {
  const later = { list: [{ code: 'NEW', extra: null }], next: { page: 2 }, data: [] }

  test('come as they were sent', async () => {
    await using gateway = await handMadeGateway({
      create: [json(200, later)],
      lookUp: [json(200, { ...later, channelInfo: { name: 'Shop', colour: '#fff' } })],
    })
    await using client = clientOf(gateway.url, 'undici', { customerAccountPath })
    const answer = { ...later, channelInfo: { name: 'Shop', colour: '#fff' } }
    for (const [name, call] of Object.entries(methods)) {
      if (/^pay(?:in|out)s\.(?:create|retrieve)|oken/.test(name)) continue
      const result = await call(client, 'order-1')
      const expected = name === 'payins.paymentOptions' ? later : answer
      expect(name === 'balances.list' ? Object(result).balances : result, name).toEqual(expected)
    }
  })

  test('a token response with more in it is a token response', async () => {
    await using gateway = await handMadeGateway({
      token: [json(200, { token: 'a.b.c', expiresAt: null, scope: ['new'], refresh: { token: null } })],
      lookUp: [json(200, later)],
    })
    await using client = clientOf(gateway.url, 'undici')
    expect(await client.currencies.list()).toEqual(later)
    expect(gateway.requests.at(-1)?.headers.authorization).toBe('Bearer a.b.c')
  })
})
