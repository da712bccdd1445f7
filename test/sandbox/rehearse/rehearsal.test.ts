import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/src/index.js'
import type { RehearsalApplication } from '../../../sandbox/src/rehearse/application.js'
import { Carts } from '../../../sandbox/src/rehearse/carts.js'
import { type Case, caseNamed } from '../../../sandbox/src/rehearse/cases.js'
import type { RunContext } from '../../../sandbox/src/rehearse/context.js'
import { learn } from '../../../sandbox/src/rehearse/learn.js'
import { rehearse } from '../../../sandbox/src/rehearse/rehearsal.js'
import { GatewayClient } from '../../../src/index.js'

let sandbox: Sandbox
let client: GatewayClient

beforeEach(() => {
  sandbox = createSandbox({ settleAfterMs: false, magicAmounts: [] })
  client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
})

afterEach(async () => {
  await client.close()
  await sandbox.close()
})

/** Long enough for any machine; nothing here is meant to be waited for. */
const stageFor = (application: RehearsalApplication): RunContext => {
  const { signal } = new AbortController()
  return {
    gateway: sandbox,
    application,
    carts: new Carts(),
    patienceMs: 10_000,
    waitMs: 2000,
    calmMs: 30,
    signal,
  }
}

/** An application in this process. */
const shop = (
  idOf: (cart: number) => string,
  more: Partial<RehearsalApplication> = {},
): RehearsalApplication => ({
  async act(cart) {
    await client.payouts.create({
      idPayout: idOf(cart),
      paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        account: { accountName: 'Ada', accountNumber: 'DE02120300000000202051' },
      },
    })
    return { isDone: true, says: 'answered 200' }
  },
  ...more,
})

const oneIdPerCart = shop((cart) => `cart-${cart}`)
let made = 0
const oneIdPerAct = shop(() => `act-${made++}`)

function named(name: string): Case {
  const one = caseNamed(name)
  if (one === undefined) throw new Error(`no case ${name}`)
  return one
}

async function sentenceOf(name: string, application: RehearsalApplication, cart = 1): Promise<string> {
  const context = stageFor(application)
  const { reference } = await learn(context, cart, 'payout')
  if (reference === undefined) throw new Error('nothing was learnt')
  return (await rehearse(named(name), cart + 2, { reference, context })).verdict.sentence
}

describe('an application with one id for each cart', () => {
  test.each(['answer-lost', 'error-after', 'unavailable'])('makes one payment: %s', async (name) => {
    expect(await sentenceOf(name, oneIdPerCart)).toBe('one payment')
  })
})

test("an outbox that creates an earlier cart's payment late is not accused of two", async () => {
  sandbox.fault({
    route: 'POST /payouts/{idPayout}',
    action: { kind: 'status', status: 503, processed: false },
  })
  const first = shop((cart) => `cart-${cart}`)
  const { signal } = new AbortController()
  await expect(first.act(0, signal)).rejects.toThrow()
  const outbox = shop((cart) => `cart-${cart}`, {
    async act(cart, signal) {
      if (cart === 3) await first.act(0, signal)
      return first.act(cart, signal)
    },
  })
  expect(await sentenceOf('clean', outbox)).toBe('one payment')
  expect(sandbox.payouts.size).toBe(4)
})

describe('an outbox that creates a payment for the first time when the next cart is played', () => {
  const from = 1_764_000_001
  /** Answers at once. What it holds back of this cart is created during the next one. */
  const outbox = (lateCart: number, idOf: (cart: number) => string): RehearsalApplication => {
    const { act } = shop(idOf)
    return {
      async act(cart, signal) {
        if (cart === lateCart) return { isDone: true, says: 'answered 202' }
        if (cart === lateCart + 1) await act(lateCart, signal)
        return act(cart, signal)
      },
    }
  }
  const play = async (application: RehearsalApplication) => {
    const context = { ...stageFor(application), waitMs: 50 }
    const { reference } = await learn(context, from, 'payout')
    if (reference === undefined) throw new Error('nothing was learnt')
    const results = []
    for (const cart of [from + 2, from + 3, from + 4])
      results.push(await rehearse(named('clean'), cart, { reference, context }))
    return { sentences: results.map(({ verdict }) => verdict.sentence), surplus: context.carts.takeSurplus() }
  }

  test('is not accused of two where ids carry the number of the cart', async () => {
    const { sentences, surplus } = await play(outbox(from + 2, (cart) => `cart-${cart}`))
    expect(sentences).toEqual([
      'none: the application says it went well, and the gateway holds no payment',
      'one payment',
      'one payment',
    ])
    expect(surplus).toEqual([])
  })

  test('is told that nobody can tell where they do not', async () => {
    const { sentences } = await play(outbox(from + 2, () => randomUUID()))
    expect(sentences[1]).toBe(
      'could not tell: two payments, and an earlier cart that had none may have got one late',
    )
    expect(sentences[2]).toBe('one payment')
  })

  test('is found out when the earlier cart had one already', async () => {
    let made = 0
    const { act } = shop((cart) => `cart-${cart}-${made++}`)
    const { sentences, surplus } = await play({
      async act(cart, signal) {
        if (cart === from + 3) await act(from + 2, signal)
        return act(cart, signal)
      },
    })
    expect(sentences).toEqual(['one payment', 'one payment', 'one payment'])
    expect(surplus).toEqual([from + 2])
  })
})

describe('an application with an id for each act', () => {
  test('makes two when the answer is lost, and the history shows both', async () => {
    const context = stageFor(oneIdPerAct)
    const { reference, result } = await learn(context, 1)
    expect(result.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    if (reference === undefined) throw new Error('nothing was learnt')
    expect(reference).toMatchObject({ kind: 'payout', others: 0, order: { money: { amount: 10 } } })
    const lost = await rehearse(named('answer-lost'), 3, { reference, context })
    expect(lost.verdict.sentence).toBe('two payments: the application made a new id after the lost answer')
    const history = lost.history.map(({ who, text }) => `${who}: ${text}`).join('\n')
    expect(history).toMatch(/application: POST \/payouts\/act-\d+: 200 and the answer was lost/)
    expect(JSON.stringify(lost)).not.toContain('DE0212')
    expect(lost.payments.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
  })
})

test('carts may have prices of their own; then a cart is what its first create asked for', async () => {
  let cents = 1000
  const context = stageFor({
    async act(cart) {
      cents += 1
      await client.payins.create({
        idPayin: `cart-${cart}`,
        paymentRequested: { money: { amount: cents / 100, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'VAPAY' },
      })
      return { isDone: true, says: '' }
    },
  })
  const { reference } = await learn(context, 1)
  expect(reference).toMatchObject({ kind: 'payin', others: 0, order: undefined })
  if (reference === undefined) throw new Error('nothing was learnt')
  const lost = await rehearse(named('answer-lost'), 3, { reference, context })
  expect(lost.verdict.sentence).toBe('one payment, and a create of 10.04 EUR in place of 10.03 EUR')
})

describe('payouts of one price, each to an account of its own', () => {
  const ownAccounts = (accountOf: (cart: number) => string): RehearsalApplication => ({
    async act(cart) {
      await client.payouts.create({
        idPayout: `cart-${cart}`,
        paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
        paymentMethod: {
          paymentMethodCode: 'BANK_TRANSFER',
          account: { accountName: 'Ada', accountNumber: accountOf(cart) },
        },
      })
      return { isDone: true, says: '' }
    },
  })

  test('are no payments to another account', async () => {
    const application = ownAccounts((cart) => `DE0212030000000020${cart}`)
    const { reference, result } = await learn(stageFor(application), 1, 'payout')
    expect(result.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    expect(reference?.order).toEqual({ money: { amount: 10, currencyCode: 'EUR' }, account: undefined })
    expect(await sentenceOf('answer-lost', application, 11)).toBe('one payment')
  })

  test('go to another account when the second create of a cart does', async () => {
    let tries = 0
    const application = ownAccounts(() => `DE0212030000000020${tries++}`)
    expect(await sentenceOf('answer-lost', application)).toBe('one payment, and a create to another account')
  })
})

test('an act that makes no payment ends the lesson', async () => {
  const idle = stageFor({ act: async () => ({ isDone: true, says: '' }) })
  const { reference, result } = await learn({ ...idle, waitMs: 50 }, 1)
  expect(reference).toBeUndefined()
  expect(result.verdict.sentence).toMatch(/^none: the application says it went well/)
})

test('an act that forgets the number of the cart is told so', async () => {
  const { reference, result } = await learn({ ...stageFor(shop(() => 'always')), waitMs: 50 }, 1)
  expect(reference).toBeUndefined()
  expect(result.verdict.sentence).toBe(
    'none for a second cart: the act has to carry {n}, the number of the cart',
  )
})

test('an application that says paid before the gateway does is found out', async () => {
  const { result } = await learn(stageFor({ ...oneIdPerCart, status: async () => 'paid' }), 1, 'payout')
  expect(result.verdict.sentence).toBe('one payment, and the application said paid before the gateway did')
})

describe('an application that takes longer than usual', () => {
  /** Says paid when it has been asked often enough. */
  const slow = (asks: number): RehearsalApplication => {
    const asked = new Map<number, number>()
    return {
      ...oneIdPerCart,
      async status(cart) {
        asked.set(cart, (asked.get(cart) ?? 0) + 1)
        const isFirst = cart < 3
        return (asked.get(cart) ?? 0) > (isFirst ? 1 : asks) ? 'paid' : 'not paid'
      },
    }
  }
  const play = async (longer?: { ms: number }) => {
    const context = { ...stageFor(slow(4)), waitMs: 50, ...(longer && { longer }) }
    const { reference } = await learn(context, 1)
    if (reference === undefined) throw new Error('nothing was learnt')
    return (await rehearse(named('error-after'), 3, { reference, context })).verdict.sentence
  }

  test('is not accused, where nobody has said how long it may take', async () => {
    expect(await play({ ms: 10_000 })).toBe('one payment, and the application says paid')
  })

  test('is wrong, where somebody has', async () => {
    expect(await play()).toBe("paid at the gateway, and the application doesn't say so")
  })

  test('is waited for once only in vain', async () => {
    const longer = { ms: 60 }
    expect(await play(longer)).toBe("paid at the gateway, and the application doesn't say so")
    expect(longer.ms).toBe(0)
  })
})

test('what can not be played says why', async () => {
  expect(await sentenceOf('killed', oneIdPerCart)).toBe(
    'not played: nobody said how the application is started',
  )
  expect(await sentenceOf('refused', oneIdPerCart, 11)).toBe("not played: this gateway can't stop listening")
})

test('an act that is the application itself is killed with it', async () => {
  const program = { ...oneIdPerAct, actIsProgram: true }
  expect(await sentenceOf('killed', program)).toBe(
    'two payments: the application made a new id after it was killed',
  )
})

test('ends when its signal fires, and leaves no fault armed', async () => {
  const abort = new AbortController()
  const waiting = stageFor({
    act: () => {
      abort.abort(new Error('enough'))
      return new Promise(() => {})
    },
  })
  const reference = { kind: 'payout', others: 0, order: undefined } as const
  await expect(
    rehearse(named('answer-lost'), 1, { reference, context: { ...waiting, signal: abort.signal } }),
  ).rejects.toThrow('enough')
  await oneIdPerCart.act(9, new AbortController().signal)
  expect(sandbox.requests.filter(({ fault }) => fault !== undefined)).toEqual([])
})
