import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isPaid } from '../../../../src/index.js'
import { payIn, payOut } from './payments.js'
import { type Place, rehearse, type Shop, sideBySide } from './stage.js'

/** What failed is sent again beside the next order, with a new id. No id names its order. */
function sendsAgainBesideTheNext({ client }: Place): Shop {
  const ordered = new Set<string>()
  let failed = 0
  return {
    async order(number) {
      for (; failed > 0; failed -= 1) payOut(client, randomUUID()).catch(() => undefined)
      if (ordered.has(number)) return
      ordered.add(number)
      await payOut(client, randomUUID()).catch((error: unknown) => {
        failed += 1
        throw error
      })
    },
  }
}

/** Each order has one id, which begins with the second in which it was made. */
function hasIdsWithTheTime({ client }: Place): Shop {
  const ids = new Map<string, string>()
  return {
    async order(number) {
      const id = ids.get(number) ?? `${Math.floor(Date.now() / 1000)}-${number}`
      ids.set(number, id)
      await payOut(client, id)
    },
  }
}

/** Answers at once and pays out afterwards, one after another, with an id for each click. No id names its order. */
function paysOutLaterForEachClick({ client }: Place): Shop {
  let last: Promise<unknown> = Promise.resolve()
  return {
    order() {
      last = last.then(() => payOut(client, randomUUID())).catch(() => {})
    },
  }
}

test.each([
  [
    'a second payment in the turn of another order is found out where creates name no order',
    sendsAgainBesideTheNext,
    { clean: 'right', 'answer-lost': 'wrong', slow: 'right' },
  ],
  [
    'a second payment is found out where creates name no order and one waits for the response to another',
    paysOutLaterForEachClick,
    { clean: 'right', 'double-click': 'wrong', slow: 'right' },
  ],
  [
    'an id that holds the time beside the number of its order accuses nobody',
    hasIdsWithTheTime,
    { clean: 'right', 'double-click': 'right', 'answer-lost': 'right', unavailable: 'right', slow: 'right' },
  ],
])('%s', sideBySide, async (_title, open, wanted) => {
  const { cases } = await rehearse(open, ['--payouts', '--cases', Object.keys(wanted).join(',')])
  expect(Object.fromEntries(cases.map(({ name, outcome }) => [name, outcome]))).toEqual(wanted)
})

test(
  'a payment that came when its order had been judged is paid before the next case',
  sideBySide,
  async () => {
    const later: boolean[] = []
    const orders: string[] = []
    await rehearse(
      ({ client }) => ({
        async order(number) {
          orders.push(number)
          if (orders.length === 4) later.push(isPaid(await client.payins.retrieve('late')))
          await payOut(client, `order-${number}`)
        },
        async status(number) {
          const isPaidThere = isPaid(await client.payouts.retrieve(`order-${number}`))
          // Of the first case, which is paid.
          if (isPaidThere && orders.length === 3) await payIn(client, 'late')
          return { state: isPaidThere ? 'paid' : 'open' }
        },
      }),
      ['--payouts', '--cases', 'answer-twice,token-revoked'],
    )
    expect(later).toEqual([true])
  },
)
