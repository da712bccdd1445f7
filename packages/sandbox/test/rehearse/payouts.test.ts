import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { type GatewayClient, money } from '../../../../src/index.js'
import type { RehearsalApplication } from '../../src/rehearse/application.js'
import { learn } from '../../src/rehearse/reference.js'
import { openStage, play, playCase, type Stage, sideBySide } from './stage.js'

const account = { accountName: 'Ada', accountNumber: 'DE02120300000000202051' }
const done = { isDone: true, says: 'answered 200' }

const payIn = (client: GatewayClient, idPayin: string, callbackUrl?: string) =>
  client.payins.create({
    idPayin,
    paymentRequested: { money: money('10.00', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
    ...(callbackUrl !== undefined && { callbackUrl }),
  })

const payOut = (client: GatewayClient, idPayout: string, amount = '10.00') =>
  client.payouts.create({
    idPayout,
    paymentRequested: { money: money(amount, 'EUR') },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
  })

/** What a clerk does: refunds the order that a customer has paid before. */
function refunds(client: GatewayClient, idOf: (order: number) => string): RehearsalApplication {
  return {
    async before(order) {
      await payIn(client, `order-${order}`)
      return done
    },
    async action(order) {
      const { process } = await client.payins.retrieve(`order-${order}`)
      if (process?.status !== 'SUCCESS') return { isDone: false, says: 'answered 409' }
      await payOut(client, idOf(order))
      return done
    },
  }
}

test('what goes before the action is paid when it begins, and is not counted', sideBySide, async () => {
  await using stage = openStage()
  const context = stage.contextOf(refunds(stage.client, (order) => `refund-${order}`))
  const { reference, result } = await learn(context)
  expect(result.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
  expect(result.payments.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['payout refund-1'])
  expect(result.history[0]?.text).toBe('has done what goes before: answered 200')
  expect(reference).toMatchObject({ kind: 'payout', others: 0, asked: { money: { amount: 10 } } })
})

test('nothing begins when what goes before the action fails', sideBySide, async () => {
  await using stage = openStage()
  let actions = 0
  const context = stage.contextOf({
    before: async () => ({ isDone: false, says: 'answered 500' }),
    action: async () => {
      actions += 1
      return done
    },
  })
  const { reference, result } = await learn(context)
  expect(reference).toBeUndefined()
  expect(result.verdict).toMatchObject({
    outcome: 'wrong',
    sentence: 'not begun: what goes before the action failed (answered 500)',
  })
  expect(actions).toBe(0)
})

/** A marketplace: a customer pays, and when the payin is paid, the seller is. A callback that fails comes again. */
async function openMarketplace({ client, sandbox }: Stage, idOf: (order: string) => string) {
  const sent = new Set<string>()
  const server = createServer((request, response) => {
    request.resume()
    const order = request.url?.slice(1) ?? ''
    const isDue = !sent.has(order) && sandbox.payins.find(`order-${order}`)?.status === 'SUCCESS'
    // Two callbacks may come at once.
    if (isDue) sent.add(order)
    const work: Promise<unknown> = isDue ? payOut(client, idOf(order), '9.00') : Promise.resolve()
    work.then(
      () => response.writeHead(204).end(),
      () => {
        sent.delete(order)
        response.writeHead(500).end()
      },
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const application: RehearsalApplication = {
    async action(order) {
      await payIn(client, `order-${order}`, `http://127.0.0.1:${address.port}/${order}`)
      return done
    },
  }
  return {
    application,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test(
  'a payout that follows when its payin is paid is waited for, and counted by --payouts',
  sideBySide,
  async () => {
    await using stage = openStage()
    await using market = await openMarketplace(stage, (order) => `seller-${order}`)
    const context = stage.contextOf(market.application)
    const { reference, result } = await learn(context, { kind: 'payout' })
    expect(result.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    expect(result.payments.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'payin SUCCESS',
      'payout SUCCESS',
    ])
    expect(reference).toMatchObject({ kind: 'payout', others: 1, asked: { money: { amount: 9 } } })
    if (reference === undefined) throw new Error('nothing was learnt')
    const lost = await playCase('answer-lost', { reference, context })
    expect(lost.verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    expect(
      lost.history.some(({ text }) => /^POST \/payouts\/seller-3: 200 and the response was lost/.test(text)),
    ).toBe(true)
  },
)

test.each([
  ['two-tabs', 'places order 3'],
  ['killed', 'has started again'],
  ['callback-first-only', 'payout seller-3 is SUCCESS'],
])(
  'what happens while a create is answered happens to a payout that follows its payin: %s',
  sideBySide,
  async (name, line) => {
    await using stage = openStage()
    await using market = await openMarketplace(stage, (order) => `seller-${order}`)
    const context = stage.contextOf({ ...market.application, restart: async () => {} })
    const { verdict, history } = await play(name, context, { kind: 'payout' })
    expect(verdict).toEqual({ outcome: 'right', sentence: 'one payment' })
    const texts = history.map(({ text }) => text)
    const held = texts.indexOf('POST /payouts/seller-3: 200 and the response was held back')
    expect(texts.indexOf(line, held)).toBeGreaterThan(held)
  },
)

test(
  'a payout that gets a new id when its callback comes again is found, although the action went well',
  sideBySide,
  async () => {
    await using stage = openStage()
    let tries = 0
    await using market = await openMarketplace(stage, (order) => `seller-${order}-${tries++}`)
    // Long enough for the second callback on a machine that has other things to do.
    const context = stage.contextOf(market.application, { calmMs: 300 })
    const lost = await play('answer-lost', context, { kind: 'payout' })
    expect(lost.verdict.outcome).toBe('wrong')
    expect(lost.verdict.sentence).toMatch(/payments: the application made a new id after the lost response$/)
  },
)

test('an order that makes no payout says so, although it makes a payin', sideBySide, async () => {
  await using stage = openStage()
  const context = stage.contextOf(
    {
      async action(order) {
        await payIn(stage.client, `order-${order}`)
        return done
      },
    },
    { waitMs: 50 },
  )
  const { reference, result } = await learn(context, { kind: 'payout' })
  expect(reference).toBeUndefined()
  expect(result.verdict.sentence).toBe(
    'none: the application says it went well, and the gateway holds no payout',
  )
})
