import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isPaid, money } from '../../../../src/index.js'
import { payOut } from './payments.js'
import { type Place, rehearse, type Shop, sideBySide } from './stage.js'

/** An application that pays out, and says nothing of it. */
const paysOut =
  (idOf: (number: string) => string, accountOf = (_number: string) => ({})) =>
  ({ client }: Place): Shop => ({
    order: (number) => payOut(client, idOf(number), accountOf(number)),
  })

const oneIdPerOrder = paysOut((number) => `order-${number}`)
const newId = () => randomUUID()

const sentencesOf = async (open: (place: Place) => Shop, cases: string, more: readonly string[] = []) => {
  return (await rehearse(open, ['--payouts', '--cases', cases, ...more])).sentences
}

test(
  'an application with one id for each order makes one payment, and what can not be played says why',
  sideBySide,
  async () => {
    const expected = {
      clean: 'one payment',
      'answer-lost': 'one payment',
      'error-after': 'one payment',
      unavailable: 'one payment',
      killed: 'not played: nobody said how the application is started',
      'callback-never': 'not played: the creates name no callbackUrl',
      'callback-first': 'not played: the creates name no callbackUrl',
      'paid-too-little': 'not played: what a payout pays is what was asked for',
      'returned-unpaid': 'not played: a payout names no returnUrl',
      'payment-failed': 'not played: nobody said where the application shows that it is paid',
    }
    expect(await sentencesOf(oneIdPerOrder, Object.keys(expected).join(','))).toEqual(expected)
  },
)

test('an outbox that sends again with a new id, and not at once, is found out', sideBySide, async () => {
  const outbox = ({ client }: Place): Shop => {
    const send = () => payOut(client, newId())
    return { order: () => void send().catch(() => setTimeout(() => void send().catch(() => {}), 1000)) }
  }
  expect(await sentencesOf(outbox, 'answer-lost')).toMatchObject({
    'answer-lost': 'wrong: two payments: the application made a new id after the lost response',
  })
})

describe('an outbox that creates a payment when the next order is played', sideBySide, () => {
  /** Counts orders from 1. What it holds back of the third is created during the fourth. */
  const outbox =
    (idOf: (number: string) => string, holdsBack: boolean) =>
    ({ client }: Place): Shop => {
      const orders: string[] = []
      return {
        async order(number) {
          if (orders.at(-1) !== number) orders.push(number)
          const [, , third = ''] = orders
          if (orders.length === 3 && holdsBack) return
          if (orders.length === 4) await payOut(client, idOf(third))
          await payOut(client, idOf(number))
        },
      }
    }
  // Each is played alone, one after another.
  const more = ['--wait', '1']
  const none = 'wrong: none: the application says it went well, and the gateway holds no payment'

  test('is not called two payments where ids carry the number of the order', async () => {
    const open = outbox((number) => `order-${number}`, true)
    expect(await sentencesOf(open, 'slow,token-revoked', more)).toEqual({
      clean: 'one payment',
      slow: none,
      'token-revoked': 'one payment',
    })
  })

  test('gets “could not tell” where they do not', async () => {
    expect(await sentencesOf(outbox(newId, true), 'slow,answer-twice,error-after', more)).toMatchObject({
      slow: none,
      'answer-twice':
        'could not tell: two payments, and an earlier order that had none may have got one late',
      'error-after': 'wrong: two payments: the application made a new id after the 500',
    })
  })

  test('is found out when the earlier order had one already', async () => {
    let made = 0
    const open = outbox((number) => `order-${number}-${made++}`, false)
    expect(await sentencesOf(open, 'slow,token-revoked', more)).toEqual({
      clean: 'one payment',
      slow: 'wrong: a payout too many: it was created for the first time when a later order was played',
      'token-revoked': 'one payment',
    })
  })
})

test(
  'an application with an id for each action makes two when the response is lost, and the history shows both',
  sideBySide,
  async () => {
    const { cases, kind, sentences, stdout } = await rehearse(
      paysOut(() => `action-${randomUUID()}`),
      ['--cases', 'answer-lost', '--wait', '1'],
    )
    expect(kind).toBe('payout')
    expect(sentences).toEqual({
      clean: 'one payment',
      'answer-lost': 'wrong: two payments: the application made a new id after the lost response',
    })
    const history = cases[1]?.history.map(({ who, text }) => `${who}: ${text}`).join('\n')
    expect(history).toMatch(/application: POST \/payouts\/action-\S+: 200 and the response was lost/)
    expect(stdout).not.toContain('DE0212')
    expect(cases[1]?.payments.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
  },
)

test(
  'orders may have prices of their own; then an order is what its first create asked for',
  sideBySide,
  async () => {
    let cents = 1000
    const { kind, sentences } = await rehearse(
      ({ client }) => ({
        order(number) {
          cents += 1
          return client.payins.create({
            idPayin: `order-${number}`,
            paymentRequested: { money: money((cents / 100).toFixed(2), 'EUR') },
            paymentMethod: { paymentMethodCode: 'VAPAY' },
          })
        },
      }),
      ['--cases', 'answer-lost'],
    )
    expect(kind).toBe('payin')
    expect(sentences).toEqual({
      clean: 'one payment',
      'answer-lost': 'wrong: one payment, and a create of 10.04 EUR in place of 10.03 EUR',
    })
  },
)

describe('payouts of one price', sideBySide, () => {
  const idOf = (number: string) => `order-${number}`
  const to = (text: string | number) => ({ accountNumber: `DE02120300000000${text}` })

  test('may go to an account for each order', async () => {
    const open = paysOut(idOf, (number) => to(number.slice(-4)))
    expect(await sentencesOf(open, 'answer-lost')).toEqual({
      clean: 'one payment',
      'answer-lost': 'one payment',
    })
  })

  test('go to another account when the second create of their order does', async () => {
    let tries = 1000
    const open = paysOut(idOf, () => to(tries++))
    expect(await sentencesOf(open, 'answer-lost')).toMatchObject({
      'answer-lost': 'wrong: one payment, and a create to another account',
    })
  })
})

test.each<[string, (place: Place) => Shop, string]>([
  [
    'makes no payment',
    () => ({ order: () => {} }),
    'none: the application says it went well, and the gateway holds no payment',
  ],
  [
    'forgets the number of the order',
    paysOut(() => 'always'),
    'none for a second order: the action has to carry {n}, the number of the order',
  ],
])('an action that %s ends the lesson', sideBySide, async (_what, open, sentence) => {
  expect(await sentencesOf(open, 'slow', ['--wait', '1'])).toEqual({
    clean: `wrong: ${sentence}`,
    slow: 'not played: an order without a fault has to go well first',
  })
})

test('an application that says paid before the gateway does is found out', sideBySide, async () => {
  const open = (place: Place): Shop => ({ ...oneIdPerOrder(place), status: () => ({ state: 'paid' }) })
  expect(await sentencesOf(open, 'clean')).toEqual({
    clean: 'wrong: one payment, and the application said paid before the gateway did',
  })
})

describe('an application that takes longer than usual', sideBySide, () => {
  /** Says paid when it has been asked so often since the gateway does. */
  const slow =
    (most: number) =>
    (place: Place): Shop => {
      const asked = new Map<string, number>()
      return {
        ...oneIdPerOrder(place),
        async status(number) {
          const isThere = isPaid(await place.client.payouts.retrieve(`order-${number}`))
          const asks = (asked.get(number) ?? 0) + (isThere ? 1 : 0)
          asked.set(number, asks)
          return { state: asks > most ? 'paid' : 'open' }
        },
      }
    }

  test('is waited for where nobody has said how long it may take', async () => {
    // Asked every half a second, it takes longer than the usual ten.
    expect(await sentencesOf(slow(22), 'clean')).toEqual({
      clean: 'one payment, and the application says paid',
    })
  })

  test('is wrong where somebody has said how long it may take', async () => {
    expect(await sentencesOf(slow(4), 'clean', ['--wait', '1'])).toEqual({
      clean: "wrong: paid at the gateway, and the application doesn't say so",
    })
  })

  test('is not asked again before it has answered', async () => {
    let waiting = 0
    let most = 0
    const open = (place: Place): Shop => ({
      ...oneIdPerOrder(place),
      // Never answers when it is paid.
      async status(number) {
        waiting += 1
        most = Math.max(most, waiting)
        if (isPaid(await place.client.payouts.retrieve(`order-${number}`))) await new Promise(() => {})
        waiting -= 1
        return { state: 'open' }
      },
    })
    const { cases } = await rehearse(open, ['--cases', 'clean', '--patience', '5', '--wait', '11'])
    expect(most).toBe(1)
    expect(cases[0]?.sentence).toBe("paid at the gateway, and the application's status can't be read")
    expect(JSON.stringify(cases[0]?.history)).toContain('no response within 5 s')
  })
})

test('an application that polls until it is paid is not waited for until it rests', sideBySide, async () => {
  const open = ({ client }: Place): Shop => {
    const poll = async (id: string): Promise<void> => {
      if (!isPaid(await client.payouts.retrieve(id))) setTimeout(() => void poll(id).catch(() => {}), 10)
    }
    return {
      async order(number) {
        await payOut(client, `order-${number}`)
        void poll(`order-${number}`).catch(() => {})
      },
    }
  }
  // Much longer than a test may take.
  expect(await sentencesOf(open, 'error-after', ['--wait', '600'])).toEqual({
    clean: 'one payment',
    'error-after': 'one payment',
  })
})

test('no status request overtakes another of an application that has one at a time', sideBySide, async () => {
  const paid = new Set<string>()
  const open = ({ client }: Place): Shop => {
    const poll = async (number: string): Promise<void> => {
      if (isPaid(await client.payouts.retrieve(`order-${number}`))) paid.add(number)
      else setTimeout(() => void poll(number).catch(() => {}), 50)
    }
    return {
      async order(number) {
        await payOut(client, `order-${number}`)
        void poll(number).catch(() => {})
      },
      status: (number) => ({ state: paid.has(number) ? 'paid' : 'open' }),
    }
  }
  expect(await sentencesOf(open, 'stale-status')).toEqual({
    clean: 'one payment, and the application says paid',
    'stale-status': 'not played: the application has one status request at a time, which none overtakes',
  })
})

test('what an outbox does at a response that was held is waited for', sideBySide, async () => {
  const open = ({ client }: Place): Shop => {
    const send = async (number: string) => {
      await payOut(client, `order-${number}`)
      if (isPaid(await client.payouts.retrieve(`order-${number}`))) await payOut(client, newId())
    }
    return { order: (number) => void setTimeout(() => void send(number).catch(() => {}), 100) }
  }
  expect((await sentencesOf(open, 'callback-first-only'))['callback-first-only']).toContain('two payments')
})
