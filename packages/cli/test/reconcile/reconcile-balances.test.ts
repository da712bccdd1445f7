import { type BalancesEvent, GatewayClient, type Money, onGatewayEvent } from 'merchant-gateway'
import {
  type BalancesReconciled,
  type KnownPayment,
  type Opening,
  type OwnPayment,
  type ReconcileOptions,
  reconcileBalances,
} from 'merchant-gateway-cli'
import { createSandbox, type SandboxOptions } from 'merchant-gateway-sandbox'
import { describe, expect, test } from 'vitest'
import { turns } from '../../../../test/support/turns.js'
import { withLookUps } from './look-ups.js'

const day = 86_400_000

/** A gateway whose time stands still, a client, and the merchant's own list. */
function shop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    rateLimit: false,
    clock: 'virtual',
    startAt: new Date('2026-11-24T22:00:00Z'),
    balances: { EUR: 1000, JPY: 90_000 },
    ...options,
  })
  const client = new GatewayClient({ ...sandbox.clientOptions(), tokenValiditySecs: 90 * 86_400 })
  const own: OwnPayment[] = []
  const pay = async (kind: 'payin' | 'payout', id: string, amount: number, currencyCode = 'EUR') => {
    const paymentRequested = { money: { amount, currencyCode } }
    if (kind === 'payin') {
      own.push({ idPayin: id })
      await client.payins.create({
        idPayin: id,
        paymentRequested,
        paymentMethod: { paymentMethodCode: 'VAPAY' },
      })
    } else {
      own.push({ idPayout: id })
      const account = { accountNumber: '000123-0123456789' }
      const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account }
      await client.payouts.create({ idPayout: id, paymentRequested, paymentMethod })
    }
  }
  const close = (more: Partial<ReconcileOptions> = {}) =>
    reconcileBalances({ client, payments: () => own, now: () => sandbox.clock.now(), ...more })
  const closed = async (more: Partial<ReconcileOptions> = {}): Promise<BalancesReconciled> => {
    const found = await close(more)
    return found.complete ? found : expect.fail(`${found.moving} moved`)
  }
  return { sandbox, client, own, pay, close, closed }
}

const unexplained = ({ currencies }: BalancesReconciled) =>
  Object.fromEntries(currencies.map((one) => [one.currencyCode, one.unexplained]))

describe('balances and payments', () => {
  test('a paid payin that the gateway shows no more has still been paid: the money that is missing stays unexplained', async () => {
    const { sandbox, pay, closed } = shop()
    await pay('payin', 'paid', 10)
    sandbox.payins.get('paid').pay()
    const first = await closed()
    await pay('payin', 'later', 5)
    sandbox.payins.get('later').pay()
    const second = await closed({ opening: first.next })
    expect(unexplained(second)).toEqual({ EUR: '0', JPY: '0' })
    sandbox.fault({
      route: 'GET /payins/{idPayin}',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'status', status: 404 },
    })
    sandbox.payins.get('paid').setStatus('RETURNED')
    const third = await closed({ opening: second.next })
    expect([third.addsUp, unexplained(third)]).toEqual([false, { EUR: '-10.00', JPY: '0' }])
  })

  test('publishes for metrics what no payment explains, and how old the oldest open payment is', async () => {
    const { sandbox, own, pay, closed } = shop()
    const { next } = await closed()
    const events: BalancesEvent[] = []
    const stop = onGatewayEvent('merchant-gateway:balances', (event) => events.push(event))
    await pay('payout', 'somebody else', 20)
    own.length = 0
    await sandbox.clock.advance(1000)
    await pay('payin', 'order-1', 7)
    await sandbox.clock.advance(500)
    await closed({ opening: next })
    stop()
    const unexplainedThen = [
      { currencyCode: 'EUR', amount: -21 },
      { currencyCode: 'JPY', amount: 0 },
    ]
    expect(events).toEqual([{ unexplained: unexplainedThen, oldestOpenMs: { payin: 500, payout: 0 } }])
  })

  test('begins with the balances as they are, and then says what payins, payouts and fees have moved', async () => {
    const { sandbox, pay, closed } = shop()
    await pay('payin', 'old', 10)
    await sandbox.clock.advance(1000)
    const first = await closed()
    expect(first).toMatchObject({ isFirst: true, addsUp: true, moves: [], changed: [], open: [] })
    expect(first.currencies[0]).toMatchObject({ currencyCode: 'EUR', opening: '1010.00', closing: '1010.00' })
    await pay('payin', 'order-1', 120.5)
    await pay('payout', 'refund-1', 20.25)
    await pay('payin', 'order-2', 5000, 'JPY')
    await sandbox.clock.advance(1000)
    await pay('payin', 'order-3', 7)
    await sandbox.clock.advance(500)
    const { next, ...found } = await closed({ opening: JSON.parse(JSON.stringify(first.next)) })
    expect(found).toEqual({
      complete: true,
      isFirst: false,
      addsUp: true,
      currencies: [
        {
          currencyCode: 'EUR',
          opening: '1010.00',
          payins: '120.50',
          payouts: '-20.25',
          fees: '-1.00',
          closing: '1109.25',
          unexplained: '0',
        },
        {
          currencyCode: 'JPY',
          opening: '90000',
          payins: '5000',
          payouts: '0',
          fees: '0',
          closing: '95000',
          unexplained: '0',
        },
      ],
      moves: [
        { kind: 'payin', id: 'order-1', status: 'SUCCESS', of: 'payment', money: eur('120.50') },
        { kind: 'payout', id: 'refund-1', status: 'SUCCESS', of: 'payment', money: eur('-20.25') },
        { kind: 'payout', id: 'refund-1', status: 'SUCCESS', of: 'fee', money: eur('-1.00') },
        {
          kind: 'payin',
          id: 'order-2',
          status: 'SUCCESS',
          of: 'payment',
          money: { amount: '5000', currencyCode: 'JPY' },
        },
      ],
      changed: [],
      open: [{ kind: 'payin', id: 'order-3', status: 'PENDING', ageMs: 500 }],
    })
    expect(next.closedAt).toBe('2026-11-24T22:00:02.500Z')
  })

  test('looks up again what was final when something is unexplained, and so finds a payout that came back', async () => {
    const { sandbox, own, pay, closed } = shop()
    const first = await closed()
    await pay('payout', 'refund-1', 20)
    await sandbox.clock.advance(1000)
    const second = await closed({ opening: first.next })
    own.length = 0
    sandbox.payouts.get('refund-1').setStatus('RETURNED', { processed: true })
    const found = await closed({ opening: second.next })
    expect(found.addsUp).toBe(true)
    expect(found.changed).toEqual([{ kind: 'payout', id: 'refund-1', before: 'SUCCESS', now: 'RETURNED' }])
    expect(found.currencies[0]).toMatchObject({ payouts: '20.00', fees: '1.00' })
  })

  test('looks up what is open or new, or has a status that is news, and nothing else', async () => {
    const { sandbox, client, own, pay, closed } = shop()
    await pay('payin', 'paid', 1)
    await sandbox.clock.advance(1000)
    await pay('payin', 'open', 1)
    const first = await closed()
    await pay('payin', 'new', 1)
    const asked: string[] = []
    const asking = withLookUps(client, (id) => asked.push(id))
    const second = await closed({ opening: first.next, client: asking })
    expect(asked.sort()).toEqual(['new', 'open'])
    asked.length = 0
    sandbox.payins.get('paid').setStatus('REVERSED', { processed: true })
    own.splice(0, 1, { idPayin: 'paid', status: 'REVERSED' })
    const third = await closed({ opening: second.next, client: asking })
    expect([asked.sort(), third.changed.map(({ id }) => id)]).toEqual([['new', 'open', 'paid'], ['paid']])
  })

  test('goes round until nothing has moved, with payments that are made meanwhile', async () => {
    const { sandbox, client, pay, closed } = shop()
    const { next } = await closed()
    await pay('payin', 'order-1', 10)
    let more = 3
    const disturbed = withLookUps(client, async () => {
      if (more-- <= 0) return
      await pay('payin', `meanwhile-${more}`, 5)
      await sandbox.clock.advance(1000)
    })
    const found = await closed({ opening: next, client: disturbed })
    expect([found.addsUp, found.currencies[0]?.payins]).toEqual([true, '25.00'])
  })

  test('says that it can not tell when money moves in every round, and which', async () => {
    const { sandbox, client, pay, close, closed } = shop()
    const { next } = await closed()
    await pay('payin', 'order-1', 10)
    let amount = 0
    const disturbed = withLookUps(client, () => sandbox.setBalance({ amount: ++amount, currencyCode: 'EUR' }))
    expect(await close({ opening: next, client: disturbed })).toEqual({
      complete: false,
      moving: ['EUR'],
    })
    expect(amount).toBe(10)
  })

  test('keeps a payment that the gateway does not show as open, and counts it when it is there', async () => {
    const { sandbox, own, pay, closed } = shop()
    own.push({ idPayout: 'later' })
    const first = await closed()
    await sandbox.clock.advance(day)
    expect((await closed({ opening: first.next })).open).toEqual([
      { kind: 'payout', id: 'later', ageMs: day },
    ])
    await pay('payout', 'later', 5)
    await sandbox.clock.advance(1000)
    expect((await closed({ opening: first.next })).currencies[0]).toMatchObject({
      payouts: '-5.00',
      unexplained: '0',
    })
  })

  test('forgets what was final long ago, and never what is in your list or open', async () => {
    const { sandbox, own, pay, closed } = shop({ payAfterMs: false })
    for (const id of ['listed', 'gone']) {
      await pay('payin', id, 1)
      sandbox.payins.get(id).pay()
    }
    await pay('payout', 'open', 1)
    const { next } = await closed()
    own.splice(1)
    await sandbox.clock.advance(91 * day)
    const found = await closed({ opening: next })
    expect(found.next.payments.map(({ id }) => id)).toEqual(['listed', 'open'])
  })
})

describe('a run that ends before its time', () => {
  test('is resumed: what was final is not looked up again', async () => {
    const { sandbox, pay, closed, close } = shop()
    const { next } = await closed()
    for (let n = 0; n < 30; n++) await pay('payin', `order-${n}`, 1)
    await sandbox.clock.advance(1000)
    const stop = new AbortController()
    const seen: KnownPayment[] = []
    const onLookedUp = (entry: KnownPayment) => {
      seen.push(entry)
      if (seen.length === 12) stop.abort(new Error('killed'))
    }
    await expect(close({ opening: next, onLookedUp, signal: stop.signal })).rejects.toThrow('killed')
    const before = sandbox.requests.length
    const found = await closed({ opening: next, resume: JSON.parse(JSON.stringify(seen)) })
    expect([found.addsUp, found.currencies[0]?.payins]).toEqual([true, '30.00'])
    expect(sandbox.requests.length - before).toBe(30 - seen.length + 2)
  })

  test('says how far it is, and how long the rest takes at ten a second', async () => {
    const { pay, closed } = shop()
    for (let n = 0; n < 3; n++) await pay('payin', `order-${n}`, 1)
    const seen: unknown[] = []
    await closed({ onProgress: (progress) => void seen.push(progress) })
    expect([seen[0], seen.at(-1)]).toEqual([
      { done: 0, total: 3, remainingMs: 300 },
      { done: 3, total: 3, remainingMs: 0 },
    ])
  })

  test('leaves no lookup behind when one fails, and rejects with that', async () => {
    const { sandbox, pay, close } = shop()
    for (let n = 0; n < 20; n++) await pay('payin', `order-${n}`, 1)
    sandbox.fault({ route: 'GET /payins/{idPayin}', times: 2, action: { kind: 'status', status: 403 } })
    await expect(close()).rejects.toMatchObject({ code: 'permission' })
    const after = sandbox.requests.length
    await turns()
    expect(sandbox.requests.length).toBe(after)
  })
})

describe('what the gateway does not show', () => {
  test('balances that can not be told are an error that names the option, and are read by that', async () => {
    const { sandbox, close, closed } = shop({ strictness: 'specification' })
    await expect(close()).rejects.toThrow('say where the balances are by the option balancesOf')
    const balancesOf = (): Money[] => [{ amount: sandbox.payins.size, currencyCode: 'EUR' }]
    expect((await closed({ balancesOf })).currencies).toMatchObject([{ closing: '0.00' }])
  })

  test('a currency that moved and is not in the balances is an error, unless it comes out at nothing', async () => {
    const { sandbox, pay, close, closed } = shop()
    const balancesOf = (): Money[] => [{ amount: 1000, currencyCode: 'EUR' }]
    const { next } = await closed({ balancesOf })
    await pay('payin', 'order-1', 30, 'JPY')
    await sandbox.clock.advance(1000)
    await expect(close({ opening: next, balancesOf })).rejects.toMatchObject({
      code: 'unusable_response',
      message: expect.stringContaining('it does not show JPY, and payments have moved that'),
    })
    await pay('payout', 'refund-1', 30, 'JPY')
    await sandbox.clock.advance(1000)
    const balanceCounts = { fees: 'apart' } as const
    await expect(close({ opening: next, balancesOf, balanceCounts })).resolves.toMatchObject({ addsUp: true })
  })

  test('money is found at any depth of the balances', async () => {
    let answer: unknown = { amount: 5, currencyCode: 'EUR' }
    for (let depth = 0; depth < 20_000; depth++) answer = [answer]
    const { client } = shop()
    const deep = { ...client, balances: { list: async () => ({ balances: answer }) } }
    const found = await reconcileBalances({ client: deep, payments: [] })
    expect(found).toMatchObject({ complete: true, currencies: [{ currencyCode: 'EUR', closing: '5.00' }] })
  })

  test.each<[unknown]>([[undefined], [null], [5], [[null]], [['EUR 5']]])(
    'what balancesOf gives that is no list of money is an error: %j',
    async (given) => {
      const { client } = shop()
      const wrong: Record<string, unknown> = { balancesOf: () => given }
      await expect(reconcileBalances({ client, payments: [], ...wrong })).rejects.toThrow('balancesOf gave')
    },
  )

  test('the money of a payin that is paid and shows none comes from your list, or is asked for', async () => {
    const { sandbox, own, pay, close } = shop({ strictness: 'specification' })
    const balancesOf = (): Money[] => [{ amount: 1, currencyCode: 'EUR' }]
    await pay('payin', 'order-1', 10)
    await sandbox.clock.advance(1000)
    await expect(close({ balancesOf })).rejects.toThrow('give the amount with the payin, as money')
    own.splice(0, 1, { idPayin: 'order-1', money: { amount: '10.00', currencyCode: 'EUR' } })
    await expect(close({ balancesOf })).resolves.toMatchObject({ addsUp: true })
  })
})

describe('what is wrong with the options', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ client: {} }, 'client must be a GatewayClient'],
    [{ payments: 'all' }, 'payments must be an iterable of payments, or a function that gives one'],
    [{ balanceCounts: { fee: 'kept' } }, 'balanceCounts.fee is no option'],
    [{ opening: { version: 2 } }, 'opening is not what a run has returned'],
    [{ opening: { version: 1, closedAt: '26', balances: { EUR: 'much' }, payments: [] } }, 'opening is not'],
    [{ payments: [null] }, 'one of payments is no object'],
    [{ payments: ['order-1'] }, 'one of payments is no object'],
    [{ payments: () => undefined }, 'payments gave no iterable'],
    [{ payments: [{}] }, 'one of payments has no idPayin or idPayout that can be one'],
    [{ payments: [{ idPayin: 'a', idPayout: 'b' }] }, 'has both idPayin and idPayout'],
    [{ resume: [{ kind: 'payin' }] }, 'resume is not what a run has returned'],
    [{ round: 2 }, 'round is no option'],
  ])('%j is refused before anything is looked up', async (wrong, sentence) => {
    const { sandbox, client } = shop()
    const options: ReconcileOptions = { client, payments: [], ...wrong }
    await expect(reconcileBalances(options)).rejects.toThrow(sentence)
    expect(sandbox.requests.filter(({ route }) => route?.includes('{id'))).toEqual([])
  })

  test('an opening that was cut is not taken for money that is missing', async () => {
    const { closed, close } = shop()
    const { next } = await closed()
    // As a file that was cut reads: JSON has no types.
    const cut: Opening = JSON.parse(JSON.stringify({ ...next, payments: undefined }))
    await expect(close({ opening: cut })).rejects.toMatchObject({ code: 'invalid_input', field: 'opening' })
  })
})

function eur(amount: string) {
  return { amount, currencyCode: 'EUR' }
}
