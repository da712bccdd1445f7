import { expect, test } from 'vitest'
import { isPaid, money } from '../../../../src/index.js'
import { account, payIn, payOut } from './payments.js'
import { type Place, rehearse, type Shop, sideBySide } from './stage.js'

/** What a clerk does: refunds the order that a customer has paid before. */
const refunds = ({ client }: Place): Shop => ({
  before: (number) => payIn(client, `order-${number}`),
  async order(number) {
    if (!isPaid(await client.payins.retrieve(`order-${number}`))) throw new Error('not paid')
    await payOut(client, `refund-${number}`)
  },
})

test('what goes before the action is paid when it begins, and is not counted', sideBySide, async () => {
  const { cases, kind, sentences } = await rehearse(refunds, ['--cases', 'clean'])
  expect(sentences).toEqual({ clean: 'one payment' })
  expect(kind).toBe('payout')
  expect(cases[0]?.payments.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    `payout refund-${cases[0]?.order}`,
  ])
  expect(cases[0]?.history[0]?.text).toBe('has done what goes before: answered 200')
})

test('nothing begins when what goes before the action fails', sideBySide, async () => {
  const actions: string[] = []
  const { sentences } = await rehearse(
    () => ({ before: () => Promise.reject(new Error('no')), order: () => actions.push('one') }),
    ['--cases', 'clean'],
  )
  expect(sentences).toEqual({
    clean: 'wrong: not begun: what goes before the action failed (answered 502)',
  })
  expect(actions).toEqual([])
})

/** A marketplace: a customer pays, and when the payin is paid, the seller is. A callback that fails comes again. */
const marketplace =
  (idOf: (number: string) => string) =>
  ({ client, url }: Place): Shop => {
    const sent = new Set<string>()
    return {
      order: (number) => payIn(client, `order-${number}`, { callbackUrl: `${url}/callback/${number}` }),
      async callback(number) {
        const payin = await client.payins.retrieve(`order-${number}`)
        // Two callbacks may come at once.
        if (!isPaid(payin) || sent.has(number)) return
        sent.add(number)
        await client.payouts
          .create({
            idPayout: idOf(number),
            paymentRequested: { money: money('9.00', 'EUR') },
            paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
          })
          .catch((error: unknown) => {
            sent.delete(number)
            throw error
          })
      },
    }
  }

test(
  'a payout that follows when its payin is paid is waited for, and meets what happens while a create is answered',
  sideBySide,
  async () => {
    const { cases } = await rehearse(
      marketplace((number) => `seller-${number}`),
      ['--payouts', '--cases', 'answer-lost,two-tabs,callback-first-only'],
    )
    const [clean, ...others] = cases
    expect(clean?.payments.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'payin SUCCESS',
      'payout SUCCESS',
    ])
    const meets = {
      'answer-lost': ['lost', undefined],
      'two-tabs': ['held back', (order: number) => `places order ${order}`],
      'callback-first-only': ['held back', (order: number) => `payout seller-${order} is SUCCESS`],
    } as const
    for (const { name, history, order = 0, sentence } of others) {
      expect(sentence).toBe('one payment')
      const texts = history.map(({ text }) => text.replace(/seller-\d+…?\d*/, `seller-${order}`))
      const [how, line] = meets[name as keyof typeof meets]
      const at = texts.indexOf(`POST /payouts/seller-${order}: 200 and the response was ${how}`)
      expect(at, texts.join('\n')).toBeGreaterThan(-1)
      if (line !== undefined) expect(texts.indexOf(line(order), at)).toBeGreaterThan(at)
    }
  },
)

test(
  'a payout that gets a new id when its callback comes again is found, although the action went well',
  sideBySide,
  async () => {
    let tries = 0
    const { sentences } = await rehearse(
      marketplace((number) => `seller-${number}-${tries++}`),
      ['--payouts', '--cases', 'answer-lost'],
    )
    expect(sentences['answer-lost']).toMatch(
      /^wrong: .*payments: the application made a new id after the lost response$/,
    )
  },
)

test('an order that makes no payout says so, although it makes a payin', sideBySide, async () => {
  const { sentences } = await rehearse(
    ({ client }) => ({ order: (number) => payIn(client, `order-${number}`) }),
    ['--payouts', '--cases', 'clean', '--wait', '1'],
  )
  expect(sentences).toEqual({
    clean: 'wrong: none: the application says it went well, and the gateway holds no payout',
  })
})
