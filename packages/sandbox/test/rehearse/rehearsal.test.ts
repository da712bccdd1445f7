import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { GatewayClient } from '../../../../src/index.js'
import type { RehearsalApplication } from '../../src/rehearse/application.js'
import { clean } from '../../src/rehearse/cases.js'
import { Orders } from '../../src/rehearse/orders.js'
import { type Expected, learn } from '../../src/rehearse/reference.js'
import { rehearse } from '../../src/rehearse/rehearsal.js'
import { resultOf, withSurplus } from '../../src/rehearse/result.js'
import { learnt, openStage, play, playCase, sideBySide } from './stage.js'

interface Payout {
  readonly idPayout: string
  readonly accountNumber?: string
}

async function payOut(client: GatewayClient, { idPayout, accountNumber = 'DE02120300000000202051' }: Payout) {
  await client.payouts.create({
    idPayout,
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'Ada', accountNumber } },
  })
  return { isDone: true, says: 'answered 200' }
}

type Shop = (client: GatewayClient) => RehearsalApplication

/** An application in this process. */
const shop =
  (payoutOf: (order: number) => Payout, more: Partial<RehearsalApplication> = {}): Shop =>
  (client) => ({ action: (order) => payOut(client, payoutOf(order)), ...more })

const ofOrder = (order: number) => ({ idPayout: `order-${order}` })
const oneIdPerOrder = shop(ofOrder)
const oneIdPerAction = shop(() => ({ idPayout: `action-${randomUUID()}` }))

async function sentenceOf(name: string, open: Shop, lesson: Expected = {}): Promise<string> {
  await using stage = openStage()
  const context = stage.contextOf(open(stage.client))
  return (await play(name, context, { kind: 'payout', ...lesson })).verdict.sentence
}

test.each(['answer-lost', 'error-after', 'unavailable'])(
  'an application with one id for each order makes one payment: %s',
  sideBySide,
  async (name) => {
    expect(await sentenceOf(name, oneIdPerOrder)).toBe('one payment')
  },
)

test(
  "an outbox that creates an earlier order's payment late is not called two payments",
  sideBySide,
  async () => {
    await using stage = openStage()
    const { client, sandbox } = stage
    sandbox.fault({
      route: 'POST /payouts/{idPayout}',
      action: { kind: 'status', status: 503, processed: false },
    })
    await expect(payOut(client, ofOrder(0))).rejects.toThrow()
    const context = stage.contextOf({
      async action(order) {
        if (order === 3) await payOut(client, ofOrder(0))
        return payOut(client, ofOrder(order))
      },
    })
    const { verdict } = await play('clean', context, { kind: 'payout' })
    expect(verdict.sentence).toBe('one payment')
    expect(sandbox.payouts.size).toBe(4)
  },
)

test.each(['answer-lost', 'killed'])(
  'an outbox that sends again with a new id, and not at once, is found out: %s',
  sideBySide,
  async (name) => {
    const sentence = await sentenceOf(name, (client) => {
      const send = () => payOut(client, { idPayout: randomUUID() })
      const sendLater = () => setTimeout(() => void send().catch(() => {}), 1000)
      return {
        async action() {
          send().catch(sendLater)
          return { isDone: true, says: 'answered 202' }
        },
        // Only what was killed is without a response then.
        restart: async () => void (name === 'killed' && sendLater()),
      }
    })
    expect(sentence).toContain('two payments: the application made a new id after')
  },
)

describe(
  'an outbox that creates a payment for the first time when the next order is played',
  sideBySide,
  () => {
    const from = 1_764_000_001
    /** Answers at once. What it holds back of this order is created during the next one. */
    const outbox =
      (lateOrder: number, payoutOf: (order: number) => Payout): Shop =>
      (client) => ({
        async action(order) {
          if (order === lateOrder) return { isDone: true, says: 'answered 202' }
          if (order === lateOrder + 1) await payOut(client, payoutOf(lateOrder))
          return payOut(client, payoutOf(order))
        },
      })
    const playThree = async (open: Shop) => {
      await using stage = openStage()
      const orders = new Orders(stage.sandbox, from)
      const context = stage.contextOf(open(stage.client), { waitMs: 50, orders })
      const reference = await learnt(context, { kind: 'payout' })
      const results = []
      for (const one of [clean, clean, clean]) results.push(await rehearse(one, { ...context, reference }))
      const sentences = results.map((rounds) => resultOf(clean, rounds).verdict.sentence)
      const surplus = results.flatMap((rounds) => {
        return withSurplus(resultOf(clean, rounds), rounds, reference)?.order ?? []
      })
      return { sentences, surplus }
    }

    test('is not called two payments where ids carry the number of the order', async () => {
      const { sentences, surplus } = await playThree(outbox(from + 2, ofOrder))
      expect(sentences).toEqual([
        'none: the application says it went well, and the gateway holds no payment',
        'one payment',
        'one payment',
      ])
      expect(surplus).toEqual([])
    })

    test('gets “could not tell” where they do not', async () => {
      const { sentences } = await playThree(outbox(from + 2, () => ({ idPayout: randomUUID() })))
      expect(sentences[1]).toBe(
        'could not tell: two payments, and an earlier order that had none may have got one late',
      )
      expect(sentences[2]).toBe('one payment')
    })

    test('is found out when the earlier order had one already', async () => {
      let made = 0
      const payoutOf = (order: number) => ({ idPayout: `order-${order}-${made++}` })
      const { sentences, surplus } = await playThree((client) => ({
        async action(order) {
          if (order === from + 3) await payOut(client, payoutOf(from + 2))
          return payOut(client, payoutOf(order))
        },
      }))
      expect(sentences).toEqual(['one payment', 'one payment', 'one payment'])
      expect(surplus).toEqual([from + 2])
    })
  },
)

test(
  'an application with an id for each action makes two when the response is lost, and the history shows both',
  sideBySide,
  async () => {
    await using stage = openStage()
    const context = stage.contextOf(oneIdPerAction(stage.client))
    const { reference, result } = await learn(context)
    expect(result.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    if (reference === undefined) throw new Error('nothing was learnt')
    expect(reference).toMatchObject({ kind: 'payout', others: 0, asked: { money: { amount: 10 } } })
    const lost = await playCase('answer-lost', { reference, context })
    expect(lost.verdict.sentence).toBe('two payments: the application made a new id after the lost response')
    const history = lost.history.map(({ who, text }) => `${who}: ${text}`).join('\n')
    expect(history).toMatch(/application: POST \/payouts\/action-\S+: 200 and the response was lost/)
    expect(JSON.stringify(lost)).not.toContain('DE0212')
    expect(lost.payments.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
  },
)

test(
  'orders may have prices of their own; then an order is what its first create asked for',
  sideBySide,
  async () => {
    await using stage = openStage()
    let cents = 1000
    const context = stage.contextOf({
      async action(order) {
        cents += 1
        await stage.client.payins.create({
          idPayin: `order-${order}`,
          paymentRequested: { money: { amount: cents / 100, currencyCode: 'EUR' } },
          paymentMethod: { paymentMethodCode: 'VAPAY' },
        })
        return { isDone: true, says: '' }
      },
    })
    const reference = await learnt(context)
    expect(reference).toMatchObject({ kind: 'payin', others: 0, asked: undefined })
    const lost = await playCase('answer-lost', { reference, context })
    expect(lost.verdict.sentence).toBe('one payment, and a create of 10.04 EUR in place of 10.03 EUR')
  },
)

test(
  'payouts of one price, each to an account of its own, are no payments to another account',
  sideBySide,
  async () => {
    await using stage = openStage()
    const open = shop((order) => ({ ...ofOrder(order), accountNumber: `DE0212030000000020${order}` }))
    const context = stage.contextOf(open(stage.client))
    const reference = await learnt(context, { kind: 'payout' })
    expect(reference.asked).toEqual({ money: { amount: 10, currencyCode: 'EUR' }, account: undefined })
    const lost = await playCase('answer-lost', { reference, context })
    expect(lost.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
  },
)

test('a payout goes to another account when the second create of its order does', sideBySide, async () => {
  let tries = 0
  const open = shop((order) => ({ ...ofOrder(order), accountNumber: `DE0212030000000020${tries++}` }))
  expect(await sentenceOf('answer-lost', open)).toBe('one payment, and a create to another account')
})

test.each([
  [
    'that makes no payment',
    (): RehearsalApplication => ({ action: async () => ({ isDone: true, says: '' }) }),
    'none: the application says it went well, and the gateway holds no payment',
  ],
  [
    'that forgets the number of the order',
    shop(() => ({ idPayout: 'always' })),
    'none for a second order: the action has to carry {n}, the number of the order',
  ],
] satisfies [string, Shop, string][])(
  'an action %s ends the lesson',
  sideBySide,
  async (_what, open, sentence) => {
    await using stage = openStage()
    const { reference, result } = await learn(stage.contextOf(open(stage.client), { waitMs: 50 }))
    expect(reference).toBeUndefined()
    expect(result.verdict.sentence).toBe(sentence)
  },
)

test('an application that says paid before the gateway does is found out', sideBySide, async () => {
  await using stage = openStage()
  const context = stage.contextOf({ ...oneIdPerOrder(stage.client), status: async () => 'paid' })
  const { result } = await learn(context, { kind: 'payout' })
  expect(result.verdict.sentence).toBe('one payment, and the application said paid before the gateway did')
})

describe('an application that takes longer than usual', sideBySide, () => {
  /** Says paid when it has been asked often enough. */
  const slow = (asks: number): Shop => {
    const asked = new Map<number, number>()
    return shop(ofOrder, {
      async status(order) {
        asked.set(order, (asked.get(order) ?? 0) + 1)
        const isFirst = order < 3
        return (asked.get(order) ?? 0) > (isFirst ? 1 : asks) ? 'paid' : 'not paid'
      },
    })
  }
  const playSlow = async (longer?: { ms: number }) => {
    await using stage = openStage()
    const context = stage.contextOf(slow(4)(stage.client), { waitMs: 50, ...(longer && { longer }) })
    return (await play('error-after', context)).verdict.sentence
  }

  test('is not called wrong where nobody has said how long it may take', async () => {
    expect(await playSlow({ ms: 10_000 })).toBe('one payment, and the application says paid')
  })

  test('is wrong, where somebody has', async () => {
    expect(await playSlow()).toBe("paid at the gateway, and the application doesn't say so")
  })

  test('is waited for no longer when it has ended by itself', async () => {
    await using stage = openStage()
    const ended = { ...slow(4)(stage.client), ended: async () => 'exit code 1' }
    const context = stage.contextOf(ended, { waitMs: 50, longer: { ms: 60_000 } })
    expect((await play('error-after', context)).verdict.outcome).toBe('not yet')
  })

  test('is waited for once only in vain', async () => {
    const longer = { ms: 60 }
    expect(await playSlow(longer)).toBe("paid at the gateway, and the application doesn't say so")
    expect(longer.ms).toBe(0)
  })
})

test('an application that has not answered yet is not asked again', sideBySide, async () => {
  await using stage = openStage()
  let asks = 0
  let waiting = 0
  let most = 0
  const context = stage.contextOf({
    ...oneIdPerOrder(stage.client),
    async status() {
      asks += 1
      waiting += 1
      most = Math.max(most, waiting)
      // Much longer than anybody waits for it.
      if (asks > 20) await new Promise((resolve) => setTimeout(resolve, 900))
      waiting -= 1
      return asks > 20 ? 'paid' : 'not paid'
    },
  })
  const { result } = await learn({ ...context, patienceMs: 100, waitMs: 20_000 }, { kind: 'payout' })
  expect(most).toBe(1)
  expect(JSON.stringify(result.history)).toContain('no response within 0.1 s')
})

test('the first orders may take as long as all others', sideBySide, async () => {
  await using stage = openStage()
  const asked = new Map<number, number>()
  const context = stage.contextOf({
    ...oneIdPerOrder(stage.client),
    async status(order) {
      const { process } = await stage.client.payouts.retrieve(ofOrder(order).idPayout)
      if (process?.status === 'SUCCESS') asked.set(order, (asked.get(order) ?? 0) + 1)
      // Asked again and again, until the wait of 50 ms is long over.
      return (asked.get(order) ?? 0) > 3 ? 'paid' : 'not paid'
    },
  })
  const { result } = await learn({ ...context, waitMs: 50, longer: { ms: 60_000 } }, { kind: 'payout' })
  expect(result.verdict.sentence).toBe('one payment, and the application says paid')
})

test(
  'a case that is paid late waits for a sweep that comes later than anything else',
  sideBySide,
  async () => {
    await using stage = openStage()
    const cancelled = new Set<number>()
    let laterMs = 0
    const context = stage.contextOf(
      {
        ...oneIdPerOrder(stage.client),
        async restart(_signal, ms = 0) {
          laterMs = ms
          return undefined
        },
        async status(order) {
          if (laterMs > 0) setTimeout(() => cancelled.add(order), 700)
          const { process } = await stage.client.payouts.retrieve(ofOrder(order).idPayout)
          const isPaid = process?.status === 'SUCCESS' && !cancelled.has(order)
          const read = cancelled.has(order) ? 'state is cancelled' : 'state is open'
          return { says: isPaid ? 'paid' : 'not paid', read, clockMs: Date.now() + laterMs }
        },
      },
      { waitMs: 1500 },
    )
    const { verdict } = await play('paid-late', context, { kind: 'payout' })
    expect(verdict.sentence).toBe("paid at the gateway, and the application doesn't say so")
  },
)

test.each([
  ['does nothing', 'could not tell'],
  ['looks it up, and says no', 'wrong'],
  ['gives the order up', 'wrong'],
])('an application that %s while its clock is later: %s', sideBySide, async (what, outcome) => {
  await using stage = openStage()
  const { client } = stage
  const givenUp = new Set<number>()
  let laterMs = 0
  const isPaid = async (order: number) => {
    const { process } = await client.payouts.retrieve(ofOrder(order).idPayout)
    return process?.status === 'SUCCESS'
  }
  const says = async (order: number) => {
    if (laterMs > 0 && what === 'gives the order up') givenUp.add(order)
    if (givenUp.has(order) || (laterMs > 0 && what === 'does nothing')) return 'not paid'
    return (await isPaid(order)) && laterMs === 0 ? 'paid' : 'not paid'
  }
  const context = stage.contextOf({
    ...oneIdPerOrder(client),
    async restart(_signal, ms = 0) {
      laterMs = ms
      return undefined
    },
    status: async (order) => ({ says: await says(order), read: '', clockMs: Date.now() + laterMs }),
  })
  const { verdict } = await play('paid-late', context, { kind: 'payout' })
  expect(verdict.outcome, verdict.sentence).toBe(outcome)
})

test('an application that polls until it is paid is not waited for until it rests', sideBySide, async () => {
  await using stage = openStage()
  const { client } = stage
  const poll = async (order: number): Promise<void> => {
    const { process } = await client.payouts.retrieve(ofOrder(order).idPayout)
    if (process?.status !== 'SUCCESS') setTimeout(() => void poll(order), 10)
  }
  const context = stage.contextOf({
    async action(order) {
      const answer = await payOut(client, ofOrder(order))
      void poll(order)
      return answer
    },
  })
  // Much longer than a test may take.
  const { verdict } = await play('error-after', { ...context, waitMs: 600_000 }, { kind: 'payout' })
  expect(verdict.sentence).toBe('one payment')
})

test('what an outbox does at a response that was held is waited for', sideBySide, async () => {
  const sentence = await sentenceOf('callback-first-only', (client) => {
    const send = async (order: number) => {
      await payOut(client, ofOrder(order))
      const { process } = await client.payouts.retrieve(ofOrder(order).idPayout)
      if (process?.status === 'SUCCESS') await payOut(client, { idPayout: randomUUID() })
    }
    return {
      async action(order) {
        setTimeout(() => void send(order), 100)
        return { isDone: true, says: 'answered 202' }
      },
    }
  })
  expect(sentence).toContain('two payments')
})

test.each([
  ['killed', 'not played: nobody said how the application is started'],
  ['callback-never', 'not played: the creates name no callbackUrl'],
  ['callback-first', 'not played: the creates name no callbackUrl'],
  ['paid-too-little', 'not played: what a payout pays is what was asked for'],
  ['returned-unpaid', 'not played: a payout names no returnUrl'],
])('what can not be played says why: %s', sideBySide, async (name, sentence) => {
  expect(await sentenceOf(name, oneIdPerOrder)).toBe(sentence)
})

test('an action that is the application itself is killed with it', sideBySide, async () => {
  const program: Shop = (client) => ({ ...oneIdPerAction(client), actionIsProgram: true })
  expect(await sentenceOf('killed', program)).toBe(
    'two payments: the application made a new id after it was killed',
  )
})

test('ends when its signal fires, and leaves no fault armed', sideBySide, async () => {
  await using stage = openStage()
  const abort = new AbortController()
  const action = () => {
    abort.abort(new Error('enough'))
    return new Promise<never>(() => {})
  }
  const context = stage.contextOf({ action }, { signal: abort.signal })
  const reference = { kind: 'payout', others: 0, asked: undefined } as const
  await expect(playCase('answer-lost', { reference, context })).rejects.toThrow('enough')
  await payOut(stage.client, ofOrder(9))
  expect(stage.sandbox.requests.filter(({ fault }) => fault !== undefined)).toEqual([])
})
