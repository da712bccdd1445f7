import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/src/index.js'
import type { RehearsalApplication } from '../../../sandbox/src/rehearse/application.js'
import { Carts } from '../../../sandbox/src/rehearse/carts.js'
import { caseNamed } from '../../../sandbox/src/rehearse/cases.js'
import type { RunContext } from '../../../sandbox/src/rehearse/context.js'
import { learn } from '../../../sandbox/src/rehearse/learn.js'
import { rehearse } from '../../../sandbox/src/rehearse/rehearsal.js'
import { GatewayClient } from '../../../src/index.js'
import { type Defect, openPlantedShop } from './shops/planted.js'

let sandbox: Sandbox
let client: GatewayClient

beforeEach(() => {
  sandbox = createSandbox({
    settleAfterMs: false,
    magicAmounts: [],
    callbackRetryAfterMs: 50,
    rateLimit: false,
  })
  client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
})

afterEach(async () => {
  await client.close()
  await sandbox.close()
})

const price = { amount: 19.9, currencyCode: 'EUR' }

function stageFor(application: RehearsalApplication): RunContext {
  const { signal } = new AbortController()
  const waits = { patienceMs: 10_000, waitMs: 2000, calmMs: 30 }
  return { gateway: sandbox, application, carts: new Carts(), signal, ...waits }
}

async function play(name: string, application: RehearsalApplication, route?: 'GET /payins/{idPayin}') {
  const one = caseNamed(name)
  if (one === undefined) throw new Error(`no case ${name}`)
  const context = stageFor(application)
  const { reference, result } = await learn(context, 1, undefined, price)
  expect(result.verdict.outcome).toBe('right')
  if (reference === undefined) throw new Error('nothing was learnt')
  return rehearse(one, 3, { reference, context, ...(route && { route }) })
}

const planted: readonly [name: string, defect: Defect, sentence: string][] = [
  [
    'double-click',
    'an id for each click',
    'two payments: the application made a new id after the double click',
  ],
  [
    'two-tabs',
    'an id until the answer comes',
    'two payments: the application made a new id after the second tab',
  ],
  ['callback-ten-times', 'delivers for each callback', 'one payment, and the cart was delivered ten times'],
  [
    'callback-ten-times',
    'delivers between look and write',
    'one payment, and the cart was delivered ten times',
  ],
  ['callback-and-visit', 'delivers on the page, too', 'one payment, and the cart was delivered two times'],
  [
    'returned-unpaid',
    'believes the return',
    'one payment, and the application said paid before the gateway did',
  ],
  ['payment-failed', 'takes every end for paid', 'FAILED at the gateway, and the cart was delivered'],
  ['payment-expired', 'takes every end for paid', 'EXPIRED at the gateway, and the cart was delivered'],
  ['paid-too-little', 'looks at no amount', '0.01 paid at the gateway, and the cart was delivered'],
  [
    'callbacks-cross',
    'delivers between look and write',
    'interleaving 2, which --interleaving 2 plays again: one payment, and the cart was delivered two times',
  ],
  [
    'callback-crosses-visit',
    'delivers on the page, too',
    'interleaving 5, which --interleaving 5 plays again: one payment, and the cart was delivered two times',
  ],
  [
    'acts-cross',
    'an id for each click',
    'interleaving 11, which --interleaving 11 plays again: two payments: the application made a new id after events that cross',
  ],
  [
    'lost-and-restarted',
    'takes 409 for a failure',
    "paid at the gateway, and the application doesn't say so",
  ],
]

describe('a shop with one defect is found out', () => {
  test.each(planted)('%s: %s', async (name, defect, sentence) => {
    await using shop = await openPlantedShop(client, defect)
    const { verdict } = await play(name, shop.application)
    expect(verdict).toMatchObject({ outcome: 'wrong', rule: expect.any(String) })
    // The page and the callback may come in any order.
    expect(verdict.sentence.replace('three times', 'two times')).toBe(sentence)
  })
})

describe('the same shop without it is right', () => {
  test.each([...new Set(planted.map(([name]) => name))])('%s', async (name) => {
    await using shop = await openPlantedShop(client)
    const { verdict } = await play(name, shop.application)
    expect(verdict.outcome, verdict.sentence).toBe('right')
  })
})

describe('a look-up goes wrong when the payment has succeeded, whatever was looked up before', () => {
  test.each(['within the order', 'by no one'])('looked up before %s', async (when) => {
    for (const defect of ['answers 200 to a callback that it could not look up', undefined] as const) {
      await using shop = await openPlantedShop(client, defect)
      const { act } = shop.application
      const looksUp: RehearsalApplication = {
        ...shop.application,
        async act(cart, signal) {
          const answer = await act(cart, signal)
          for (const { id } of sandbox.payins.list()) await client.payins.retrieve(id).catch(() => {})
          return answer
        },
      }
      const application = when === 'by no one' ? shop.application : looksUp
      const { verdict } = await play('unavailable', application, 'GET /payins/{idPayin}')
      expect(verdict.outcome, verdict.sentence).toBe(defect === undefined ? 'right' : 'wrong')
    }
  })
})

describe('a cart without a fault', () => {
  let cart = 1
  const learnt = async (defect: Defect | undefined, isRefund: boolean, wanted?: typeof price) => {
    await using shop = await openPlantedShop(client, defect, isRefund)
    cart += 2
    const { result } = await learn(stageFor(shop.application), cart, isRefund ? 'payout' : 'payin', wanted)
    return result.verdict.sentence
  }

  test('has to cost what the user says', async () => {
    expect(await learnt('sends cents', false, price)).toBe('one payment, of 1990 EUR in place of 19.9 EUR')
    expect(await learnt(undefined, false, price)).toContain('delivered once')
  })

  test('has to be delivered when it is paid, and not before', async () => {
    expect(await learnt('delivers with the order', false)).toBe(
      'one payment, and the cart was delivered before it was paid',
    )
  })

  test('has to send back to who has paid what was paid', async () => {
    expect(await learnt('refunds cents', true)).toBe('one payment, of 1990 EUR for 19.9 EUR that was paid')
    expect(await learnt('refunds to another account', true)).toBe(
      'one payment, to another account than the one that has paid',
    )
    expect(await learnt(undefined, true)).toBe('one payment')
  })

  test('may be refunded to the account that the act names', async () => {
    await using shop = await openPlantedShop(client, 'refunds to another account', true)
    const args = ['--act', 'POST http://localhost/{n} iban=DE02 5001 0517 0137 0750 30']
    const { result } = await learn(stageFor({ ...shop.application, args }), 1, 'payout')
    expect(result.verdict.sentence).toBe('one payment')
  })
})
