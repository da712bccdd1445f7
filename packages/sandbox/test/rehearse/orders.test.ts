import { describe, expect, test } from 'vitest'
import { Activity } from '../../src/rehearse/activity.js'
import { Orders } from '../../src/rehearse/orders.js'
import { openStage, type Stage } from './stage.js'

const [first, second] = [1_764_000_001, 1_764_000_002]

const create = ({ client }: Stage, idPayin: string) =>
  client.payins.create({
    idPayin,
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })

async function twoOrders(areNamed: boolean) {
  const stage = openStage()
  const orders = new Orders(stage.sandbox, first)
  orders.areNamed = areNamed
  const [one, two] = [new Activity(orders, orders.take()), new Activity(orders, orders.take())]
  const idsOf = (activity: Activity) => activity.payments.map(({ id }) => id)
  const owners = () => ({ first: idsOf(one), second: idsOf(two), strays: orders.strays })
  return { stage, orders, owners, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() }
}

describe('a payment', () => {
  test('belongs to the order whose number its create carries, whoever has the turn', async () => {
    await using two = await twoOrders(true)
    two.orders.giveTurn(first)
    await create(two.stage, `order-${second}`)
    expect(two.owners()).toEqual({ first: [], second: [`order-${second}`], strays: 0 })
  })

  test('belongs to the order whose turn it is where creates carry none', async () => {
    await using two = await twoOrders(false)
    two.orders.giveTurn(first)
    await create(two.stage, 'a')
    two.orders.giveTurn(second)
    await create(two.stage, `order-${first}`)
    expect(two.owners()).toEqual({ first: ['a'], second: [`order-${first}`], strays: 0 })
  })

  test('stays where its first create put it', async () => {
    await using two = await twoOrders(false)
    two.orders.giveTurn(first)
    await create(two.stage, 'a')
    two.orders.giveTurn(second)
    await create(two.stage, 'a')
    expect(two.owners()).toEqual({ first: ['a'], second: [], strays: 0 })
  })

  test("is nobody's in nobody's turn", async () => {
    await using two = await twoOrders(false)
    two.orders.giveTurn(first)
    two.orders.giveTurn()
    await create(two.stage, 'a')
    expect(two.owners()).toEqual({ first: [], second: [], strays: 1 })
  })
})

describe('what may still come for earlier orders', () => {
  const lacksOne = { payin: 1, payout: 0 }

  test.each([
    ['before the order that lacks it is closed', true],
    ['after it', false],
  ])('has come with a payment that belongs to nobody, %s', async (_, isBefore) => {
    await using two = await twoOrders(false)
    two.orders.giveTurn()
    if (isBefore) await create(two.stage, 'a')
    two.orders.close(lacksOne)
    expect(two.owners().strays).toBe(isBefore ? 1 : 0)
    expect(two.orders.missing.payin).toBe(isBefore ? 0 : 1)
    if (!isBefore) await create(two.stage, 'a')
    expect(two.owners().strays).toBe(1)
    expect(two.orders.missing.payin).toBe(0)
  })

  test('is nothing that arrived before the first order', async () => {
    await using stage = openStage()
    await create(stage, 'before')
    const orders = new Orders(stage.sandbox, first)
    orders.close(lacksOne)
    expect(orders.missing).toEqual({ payin: 1, payout: 0 })
  })
})
