import { expect, test } from 'vitest'
import { isPaid, money } from '../../../../src/index.js'
import { isKilled } from '../../src/rehearse/case.js'
import { cases } from '../../src/rehearse/cases.js'
import { type Defect, plantedShop } from './shops/planted.js'
import { rehearse, sideBySide } from './stage.js'

const usual = ['--once', 'deliveries=1', '--price', '19.90 EUR']
const twice = 'wrong: one payment, and the order was delivered again'
const newId = 'wrong: two payments: the application made a new id after the'

/** How each defect is found, by the names of the cases. */
const planted: readonly [defect: Defect, found: Readonly<Record<string, string>>][] = [
  ['an id for each click', { 'double-click': `${newId} double click`, 'two-tabs': `${newId} second tab` }],
  ['an id until the response comes', { 'two-tabs': `${newId} second tab` }],
  ['delivers for each callback', { 'callback-ten-times': twice }],
  ['delivers between request and write', { 'callback-ten-times': twice }],
  ['delivers on the page, too', { 'callback-and-visit': twice }],
  [
    'delivers with the order',
    { clean: 'wrong: one payment, and the order was delivered before it was paid' },
  ],
  [
    'believes the return',
    { 'returned-unpaid': 'wrong: one payment, and the application said paid before the gateway did' },
  ],
  [
    'takes every end for paid',
    {
      'payment-failed': 'wrong: FAILED at the gateway, and the order was delivered',
      'payment-expired': 'wrong: EXPIRED at the gateway, and the order was delivered',
      'unknown-status': 'wrong: UNDER_REVIEW at the gateway, and the order was delivered',
    },
  ],
  [
    'looks at no amount',
    {
      'paid-too-little': 'wrong: 0.01 paid at the gateway, and the order was delivered',
      'paid-in-another-currency': 'wrong: another currency paid at the gateway, and the order was delivered',
    },
  ],
  ['writes what it has read last', { 'stale-status': twice }],
  ['takes 409 for a failure', { 'answer-lost': 'wrong: one payment, and every action failed after the 409' }],
  [
    'answers 200 to a callback that it could not look up',
    { 'status-request-fails': "wrong: paid at the gateway, and the application doesn't say so" },
  ],
  ['sends cents', { clean: 'wrong: one payment, of 1,990.00 EUR in place of 19.90 EUR' }],
]

test.each(planted)('a shop that %s is found', sideBySide, async (defect, found) => {
  const names = Object.keys(found).join(',')
  const wait = defect.startsWith('answers 200') ? ['--wait', '2'] : []
  const report = await rehearse((place) => plantedShop(place, defect), [...usual, ...wait, '--cases', names])
  // How often depends on what else the machine does.
  const sentences = Object.entries(report.sentences).map(([name, sentence]) => {
    return [name, sentence.replace(/delivered \w+ times/, 'delivered again')]
  })
  expect(Object.fromEntries(sentences)).toMatchObject(found)
  for (const { outcome, rule } of report.cases) if (outcome === 'wrong') expect(rule).toMatch(/\.$/)
})

test('the same shop without a defect passes all that needs no restart', sideBySide, async () => {
  const names = cases.flatMap((one) => (isKilled(one) || one.after === 'a while' ? [] : [one.name]))
  const { cases: told } = await rehearse(plantedShop, [
    ...usual,
    '--cases',
    names.join(','),
    '--patience',
    '4',
  ])
  expect(told.filter(({ outcome }) => outcome !== 'right')).toEqual([])
  expect(told).toHaveLength(names.length + 1)
  expect(told.map(({ sentence }) => sentence)).toContain(
    'one payment, the application says paid, and the order was delivered once',
  )
})

test.each([
  ['refunds cents', 'wrong: one payment, of 1,990.00 EUR for 19.90 EUR that was paid'],
  ['refunds to another account', 'wrong: one payment, to another account than the one that has paid'],
  [undefined, 'one payment'],
] as const)('a refund that %s', sideBySide, async (defect, sentence) => {
  const { sentences } = await rehearse(
    (place) => plantedShop(place, defect, true),
    ['--payouts', '--cases', 'clean'],
  )
  expect(sentences).toEqual({ clean: sentence })
})

test('a refund may go to the account that the action names', sideBySide, async () => {
  const action = 'POST {url}/orders/{n} iban=DE02 5001 0517 0137 0750 30'
  const { sentences } = await rehearse(
    (place) => plantedShop(place, 'refunds to another account', true),
    ['--payouts', '--cases', 'clean', '--action', action],
  )
  expect(sentences).toEqual({ clean: 'one payment' })
})

test('a customer leaves a return page that never answers', sideBySide, async () => {
  const { cases: told } = await rehearse(
    ({ client: { payins }, url }) => ({
      order: (number) =>
        payins.create({
          idPayin: `order-${number}`,
          paymentRequested: { money: money('19.90', 'EUR') },
          paymentMethod: { paymentMethodCode: 'VAPAY' },
          returnUrl: `${url}/back/${number}`,
        }),
      status: async (number) => ({
        state: isPaid(await payins.retrieve(`order-${number}`)) ? 'paid' : 'open',
      }),
      back: () => new Promise(() => {}),
    }),
    ['--cases', 'returned-unpaid', '--patience', '5'],
  )
  expect(told[1]?.outcome).toBe('right')
  expect(JSON.stringify(told[1]?.history)).toContain('without having paid: no response within 5 s')
})

test('a sweep that comes later is waited for', sideBySide, async () => {
  const orders = new Map<string, string>()
  let sweep: NodeJS.Timeout | undefined
  const { sentences } = await rehearse(
    ({ client }) => {
      const look = async (number: string) => {
        const { process } = await client.payins.retrieve(`order-${number}`)
        if (process?.status !== 'CREATED' && process?.status !== 'PENDING') orders.set(number, 'paid')
      }
      sweep = setInterval(() => void Promise.allSettled([...orders.keys()].map(look)), 1500)
      return {
        async order(number) {
          await client.payins.create({
            idPayin: `order-${number}`,
            paymentRequested: { money: money('19.90', 'EUR') },
            paymentMethod: { paymentMethodCode: 'VAPAY' },
          })
          orders.set(number, 'open')
        },
        status: (number) => ({ state: orders.get(number) }),
      }
    },
    ['--cases', 'payment-failed,paid-too-little'],
  )
  clearInterval(sweep)
  expect(sentences).toMatchObject({
    'payment-failed': 'wrong: FAILED at the gateway, and the application says paid',
    'paid-too-little': 'wrong: 0.01 paid at the gateway, and the application says paid',
  })
})
