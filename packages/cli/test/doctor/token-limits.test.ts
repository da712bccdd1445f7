import { expect, test } from 'vitest'
import type { Reply } from '../../src/answer.js'
import { tryTokenLimits } from '../../src/token-limits.js'

interface Asked {
  readonly path: string
  readonly limit: { readonly amount: number; readonly currencyCode: string }
}

const money = { amount: 1, currencyCode: 'EUR' }
const isOfId = ({ path }: Asked) => path === '/payouts/w-1'
const isOfMoney = ({ limit }: Asked) => limit.amount === 1 && limit.currencyCode === 'EUR'

test.each<[name: string, allows: (asked: Asked) => boolean, found: object]>([
  ['keeps both', (asked) => isOfId(asked) && isOfMoney(asked), { idLimit: 'kept', moneyLimit: 'kept' }],
  ['keeps no id', isOfMoney, { idLimit: 'ignored', moneyLimit: 'kept' }],
  [
    'takes every id that begins as the one of the token',
    (asked) => asked.path.startsWith('/payouts/w-1') && isOfMoney(asked),
    { idLimit: 'ignored', moneyLimit: 'kept' },
  ],
  ['keeps no money', isOfId, { idLimit: 'kept', moneyLimit: 'ignored' }],
  [
    'compares amounts and no currencies',
    (asked) => isOfId(asked) && asked.limit.amount === 1,
    { idLimit: 'kept', moneyLimit: 'ignored' },
  ],
])('a gateway that %s is told', async (_, allows, found) => {
  const limits: Asked['limit'][] = []
  const reply = (status: number): Reply => ({
    kind: 'answered',
    status,

    tookMs: 1,
    body: '{}',
  })
  const told = await tryTokenLimits({
    id: 'w-1',
    money,
    body: { paymentRequested: { money } },
    mint: async (limit) => `token-${limits.push(limit)}`,
    ask: async ({ path, headers }) => {
      const { authorization = '' } = Object.fromEntries(Object.entries(headers ?? {}))
      const limit = limits[Number(String(authorization).replace('Bearer token-', '')) - 1] ?? money
      return reply(allows({ path, limit }) ? 200 : 403)
    },
  })
  expect(told).toEqual(found)
})
