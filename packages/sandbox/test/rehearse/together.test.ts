import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { GatewayClient } from '../../../../src/index.js'
import type { RehearsalApplication } from '../../src/rehearse/application.js'
import { playAll } from '../../src/rehearse/play-all.js'
import { learnt, named, openStage, playCase, sideBySide } from './stage.js'

const done = { isDone: true, says: 'answered 200' }

async function payOut({ payouts }: GatewayClient, idPayout: string): Promise<void> {
  await payouts.create({
    idPayout,
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      account: { accountName: 'Ada', accountNumber: 'DE02120300000000202051' },
    },
  })
}

/** What failed is sent again beside the next order, with a new id. No id names its order. */
function sendsAgainBesideTheNext(client: GatewayClient): RehearsalApplication {
  const ordered = new Set<number>()
  let failed = 0
  return {
    async action(order) {
      for (; failed > 0; failed -= 1) payOut(client, randomUUID()).catch(() => undefined)
      if (ordered.has(order)) return done
      ordered.add(order)
      try {
        await payOut(client, randomUUID())
        return done
      } catch {
        failed += 1
        return { isDone: false, says: 'answered 502' }
      }
    },
  }
}

/** Each order has one id, which begins with the second in which it was made. */
function hasIdsWithTheTime(client: GatewayClient): RehearsalApplication {
  const ids = new Map<number, string>()
  return {
    async action(order) {
      const id = ids.get(order) ?? `${Math.floor(Date.now() / 1000)}-${order}`
      ids.set(order, id)
      await payOut(client, id)
      return done
    },
  }
}

/** Answers at once and pays out afterwards, one after another, with an id for each click. No id names its order. */
function paysOutLaterForEachClick(client: GatewayClient): RehearsalApplication {
  let last: Promise<void> = Promise.resolve()
  return {
    async action() {
      last = last.then(() => payOut(client, randomUUID()))
      return done
    },
  }
}

/** Plays these cases, and returns their outcomes. */
async function outcomesOf(open: (client: GatewayClient) => RehearsalApplication, names: readonly string[]) {
  await using stage = openStage()
  const outcomes: Record<string, string> = {}
  await playAll(stage.contextOf(open(stage.client), { calmMs: 300 }), {
    cases: names.map(named),
    kind: 'payout',
    add: ({ name, verdict }) => {
      outcomes[name] = verdict.outcome
    },
  })
  return outcomes
}

test(
  'a second payment that comes in the turn of another order is found out where creates name no order',
  sideBySide,
  async () => {
    const outcomes = await outcomesOf(sendsAgainBesideTheNext, ['answer-lost', 'slow'])
    expect(outcomes).toEqual({ clean: 'right', 'answer-lost': 'wrong', slow: 'right' })
  },
)

test(
  'a second payment is found out where creates name no order and one waits for the response to another',
  sideBySide,
  async () => {
    const outcomes = await outcomesOf(paysOutLaterForEachClick, ['double-click', 'slow'])
    expect(outcomes).toEqual({ clean: 'right', 'double-click': 'wrong', slow: 'right' })
  },
)

test('an id that holds the time beside the number of its order accuses nobody', sideBySide, async () => {
  const outcomes = await outcomesOf(hasIdsWithTheTime, ['double-click', 'answer-lost', 'unavailable', 'slow'])
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['right']))
})

test(
  'a payment that came when its order had been judged is paid before the next case',
  sideBySide,
  async () => {
    await using stage = openStage()
    const context = stage.contextOf(hasIdsWithTheTime(stage.client))
    const reference = await learnt(context, { kind: 'payout' })
    await payOut(stage.client, 'late')
    await playCase('clean', { reference, context })
    expect(stage.sandbox.payouts.find('late')?.status).toBe('SUCCESS')
  },
)
