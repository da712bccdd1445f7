import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { isPaid, money } from '../../../../src/index.js'
import { listen } from '../../../../test/support/listening.js'
import type { RehearsalApplication } from '../../src/rehearse/application.js'
import { learn } from '../../src/rehearse/reference.js'
import { type Defect, openPlantedShop } from './shops/planted.js'
import { openStage, play, playCase, sideBySide } from './stage.js'

const price = { amount: 19.9, currencyCode: 'EUR' }

const planted: readonly [name: string, defect: Defect, sentence: string][] = [
  [
    'double-click',
    'an id for each click',
    'two payments: the application made a new id after the double click',
  ],
  [
    'two-tabs',
    'an id until the response comes',
    'two payments: the application made a new id after the second tab',
  ],
  ['callback-ten-times', 'delivers for each callback', 'one payment, and the order was delivered again'],
  [
    'callback-ten-times',
    'delivers between request and write',
    'one payment, and the order was delivered again',
  ],
  [
    'returned-unpaid',
    'believes the return',
    'one payment, and the application said paid before the gateway did',
  ],
  ['payment-failed', 'takes every end for paid', 'FAILED at the gateway, and the order was delivered'],
  ['payment-expired', 'takes every end for paid', 'EXPIRED at the gateway, and the order was delivered'],
  ['paid-too-little', 'looks at no amount', '0.01 paid at the gateway, and the order was delivered'],
  [
    'paid-in-another-currency',
    'looks at no amount',
    'another currency paid at the gateway, and the order was delivered',
  ],
  ['unknown-status', 'takes every end for paid', 'UNDER_REVIEW at the gateway, and the order was delivered'],
  ['stale-status', 'writes what it has read last', 'one payment, and the order was delivered again'],
  ['answer-lost', 'takes 409 for a failure', 'one payment, and every action failed after the 409'],
  ['callback-and-visit', 'delivers on the page, too', 'one payment, and the order was delivered again'],
  ['two-tabs', 'an id for each click', 'two payments: the application made a new id after the second tab'],
  ['lost-and-restarted', 'takes 409 for a failure', 'one payment, and every action failed after the 409'],
]

test.each(planted)('%s finds a shop that has one defect: %s', sideBySide, async (name, defect, sentence) => {
  await using stage = openStage()
  await using shop = await openPlantedShop(stage.client, defect)
  const { verdict } = await play(name, stage.contextOf(shop.application), { price })
  expect(verdict).toMatchObject({ outcome: 'wrong', rule: expect.any(String) })
  // How often depends on what else the machine does.
  expect(verdict.sentence.replace(/delivered \w+ times/, 'delivered again')).toBe(sentence)
})

test.each([...new Set(planted.map(([name]) => name))])(
  '%s passes the same shop without it',
  sideBySide,
  async (name) => {
    await using stage = openStage()
    await using shop = await openPlantedShop(stage.client)
    const { verdict } = await play(name, stage.contextOf(shop.application), { price })
    expect(verdict.outcome, verdict.sentence).toBe('right')
  },
)

test('a customer leaves a return page that never answers', sideBySide, async () => {
  await using stage = openStage()
  const silent = createServer()
  const returnUrl = `http://127.0.0.1:${await listen(silent)}/thanks`
  const { payins } = stage.client
  const context = stage.contextOf({
    async action(order) {
      const paymentMethod = { paymentMethodCode: 'VAPAY' }
      const paymentRequested = { money: price }
      await payins.create({ idPayin: `order-${order}`, paymentRequested, paymentMethod, returnUrl })
      return { isDone: true, says: 'answered 201' }
    },
    status: async (order) => (isPaid(await payins.retrieve(`order-${order}`)) ? 'paid' : 'nothing'),
  })
  const stay = { ...context, patienceMs: 300 }
  const reference = { kind: 'payin', others: 0, asked: undefined } as const
  const { history, verdict } = await playCase('returned-unpaid', { reference, context: stay })
  silent.close()
  expect(verdict.outcome, verdict.sentence).toBe('right')
  expect(JSON.stringify(history)).toContain('without having paid: no response within 0.3 s')
})

test.each(['within the order', 'by no one'])(
  'a status request goes wrong when the payment has succeeded, also where it was asked for before %s',
  sideBySide,
  async (when) => {
    for (const defect of ['answers 200 to a callback that it could not look up', undefined] as const) {
      await using stage = openStage()
      const { client, sandbox } = stage
      await using shop = await openPlantedShop(client, defect)
      const { action } = shop.application
      const looksUp: RehearsalApplication = {
        ...shop.application,
        async action(order, signal) {
          const answer = await action(order, signal)
          for (const { id } of sandbox.payins.list()) await client.payins.retrieve(id).catch(() => {})
          return answer
        },
      }
      const context = stage.contextOf(when === 'by no one' ? shop.application : looksUp)
      const { verdict } = await play('status-request-fails', context, { price })
      expect(verdict.outcome, verdict.sentence).toBe(defect === undefined ? 'right' : 'wrong')
    }
  },
)

const sentenceOf = async (
  defect: Defect | undefined,
  isRefund: boolean,
  wanted?: typeof price,
  actionText?: string,
) => {
  await using stage = openStage()
  await using shop = await openPlantedShop(stage.client, defect, isRefund)
  const context = stage.contextOf({ ...shop.application, ...(actionText && { actionText }) })
  const { result } = await learn(context, {
    kind: isRefund ? 'payout' : 'payin',
    ...(wanted && { price: wanted }),
  })
  return result.verdict.sentence
}

test.each(['payment-failed', 'paid-too-little'])(
  '%s finds a sweep that comes later',
  sideBySide,
  async (name) => {
    await using stage = openStage()
    const { client } = stage
    const orders = new Map<number, string>()
    const look = async (order: number) => {
      const { process } = await client.payins.retrieve(`order-${order}`)
      if (process?.status !== 'CREATED' && process?.status !== 'PENDING') orders.set(order, 'paid')
    }
    const sweep = setInterval(() => void Promise.allSettled([...orders.keys()].map(look)), 1500)
    try {
      const context = stage.contextOf({
        async action(order) {
          await client.payins.create({
            idPayin: `order-${order}`,
            paymentRequested: { money: money('19.90', 'EUR') },
            paymentMethod: { paymentMethodCode: 'VAPAY' },
          })
          orders.set(order, 'open')
          return { isDone: true, says: 'answered 200' }
        },
        status: async (order) => (orders.get(order) === 'paid' ? 'paid' : 'not paid'),
      })
      const { verdict } = await play(name, { ...context, waitMs: 10_000 })
      expect(verdict.sentence).toMatch(
        /^(?:FAILED|0\.01 paid) at the gateway, and the application says paid$/,
      )
    } finally {
      clearInterval(sweep)
    }
  },
)

test('an order without a fault has to cost what the user says', sideBySide, async () => {
  expect(await sentenceOf('sends cents', false, price)).toBe(
    'one payment, of 1,990.00 EUR in place of 19.90 EUR',
  )
  expect(await sentenceOf(undefined, false, price)).toContain('delivered once')
})

test('an order without a fault has to be delivered when it is paid, and not before', sideBySide, async () => {
  expect(await sentenceOf('delivers with the order', false)).toBe(
    'one payment, and the order was delivered before it was paid',
  )
})

test('an order without a fault has to send back to who has paid what was paid', sideBySide, async () => {
  expect(await sentenceOf('refunds cents', true)).toBe(
    'one payment, of 1,990.00 EUR for 19.90 EUR that was paid',
  )
  expect(await sentenceOf('refunds to another account', true)).toBe(
    'one payment, to another account than the one that has paid',
  )
  expect(await sentenceOf(undefined, true)).toBe('one payment')
})

test(
  'an order without a fault may be refunded to the account that the action names',
  sideBySide,
  async () => {
    const actionText = 'POST http://localhost/{n} iban=DE02 5001 0517 0137 0750 30'
    expect(await sentenceOf('refunds to another account', true, undefined, actionText)).toBe('one payment')
  },
)
