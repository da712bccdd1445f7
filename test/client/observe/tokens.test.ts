import { beforeEach, expect, it, vi } from 'vitest'
import { TokenKeeper } from '../../../src/client/auth/token-keeper.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf, paymentRequest } from '../../faults/support.js'
import { Listening } from './support.js'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
const { fetch } = fetchGateway(() => Response.json(found('payin')))
const brief = ({ tokens }: Listening) =>
  tokens.map(({ kind, scope, why, lifetimeMs }) => `${kind} ${scope} ${why ?? lifetimeMs}`)

it('a token is minted, refreshed while it serves, and dropped when it is too old', async () => {
  await using client = clientOf('https://gateway.example', 'undici', { fetch })
  using heard = new Listening()
  await client.payins.retrieve('order-1')
  vi.advanceTimersByTime(890_000)
  await client.payins.retrieve('order-1')
  await vi.advanceTimersByTimeAsync(0)
  vi.advanceTimersByTime(900_000)
  await client.payins.retrieve('order-1')
  expect(brief(heard)).toEqual([
    'minted payins 900000',
    'refreshed payins 900000',
    'dropped payins expired',
    'minted payins 900000',
  ])
  expect(new Set(heard.tokens.map((event) => event.client)).size).toBe(1)
})

it('a token that is replaced in time is not dropped', async () => {
  await using client = clientOf('https://gateway.example', 'undici', { fetch })
  using heard = new Listening()
  await client.payins.retrieve('order-1')
  vi.advanceTimersByTime(890_000)
  await client.payins.retrieve('order-1')
  await vi.advanceTimersByTimeAsync(0)
  await client.payins.retrieve('order-1')
  expect(heard.tokens.map(({ kind }) => kind)).toEqual(['minted', 'refreshed'])
})

it('what a token is for is said in a word that holds no id', async () => {
  const options = { tokens: 'per-payment', customerAccountPath: '/accounts/{idPayin}' } as const
  const any = fetchGateway(() =>
    Response.json({
      ...found('payin'),
      paymentMethodResponse: { idPayin: 'order-1', idPayout: 'order-1' },
      data: [],
    }),
  )
  await using client = clientOf('https://gateway.example', 'undici', {
    ...options,
    fetch: any.fetch,
    rateLimit: false,
  })
  using heard = new Listening()
  await client.payins.create({ idPayin: 'order-1', ...paymentRequest() })
  await client.payouts.create({ idPayout: 'order-1', ...paymentRequest() })
  await client.payins.customerAccount('order-1')
  await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR' })
  await client.currencies.list()
  await client.request({ method: 'GET', path: '/orders/order-1', operations: ['GET /orders/order-1'] })
  expect(heard.tokens.map(({ scope }) => scope)).toEqual([
    'payment',
    'payment',
    'payment',
    'payins',
    'account',
    'operations',
  ])
})

it('the oldest of too many tokens is evicted', async () => {
  const told: string[] = []
  const closing = new AbortController().signal
  const keeper = new TokenKeeper<{ key: string }>(
    { mint: async () => ({ token: 't', lifetimeMs: 900_000 }) },
    {
      token: ({ key }, change) => {
        if (change.kind === 'dropped') told.push(`${key} ${change.why}`)
      },
    },
  )
  for (let n = 0; n <= 1001; n++) {
    await keeper.mint({ key: `scope ${n}` }, { ms: 1000, retries: 0, signal: undefined, closing })
  }
  expect(told).toEqual(['scope 0 evicted', 'scope 1 evicted'])
})
