import { describe, expect, test } from 'vitest'
import { GatewayClient } from '../../../../src/index.js'
import { createSandbox } from '../../src/index.js'
import { Orders } from '../../src/rehearse/orders.js'
import { payIn } from './payments.js'

const [first, second] = [1_764_000_001, 1_764_000_002]

/** A sandbox with two orders; `before` is created before they are taken. */
async function twoOrders(areNamed: boolean, before?: string) {
  const sandbox = createSandbox({ payAfterMs: false })
  const client = new GatewayClient(sandbox.clientOptions())
  if (before !== undefined) await payIn(client, before)
  const orders = new Orders(sandbox, first)
  orders.areNamed = areNamed
  orders.take()
  orders.take()
  const idsOf = (order: number) => orders.paymentsOf(order).map(({ id }) => id)
  return {
    orders,
    create: (id: string) => payIn(client, id),
    owners: () => ({ first: idsOf(first), second: idsOf(second), strays: orders.strays }),
    async [Symbol.asyncDispose]() {
      await client.close()
      await sandbox.close()
    },
  }
}

describe('a payment', () => {
  test('belongs to the order whose turn it is where creates carry none', async () => {
    await using two = await twoOrders(false)
    two.orders.giveTurn(first)
    await two.create('a')
    two.orders.giveTurn(second)
    await two.create(`order-${first}`)
    expect(two.owners()).toEqual({ first: ['a'], second: [`order-${first}`], strays: 0 })
  })

  test("is nobody's in nobody's turn", async () => {
    await using two = await twoOrders(false)
    two.orders.giveTurn(first)
    two.orders.giveTurn()
    await two.create('a')
    expect(two.owners()).toEqual({ first: [], second: [], strays: 1 })
  })

  test('of before the first order stays what it was when an outbox sends it again', async () => {
    await using two = await twoOrders(false, 'before')
    two.orders.giveTurn(first)
    await two.create('before')
    expect(two.owners()).toEqual({ first: [], second: [], strays: 0 })
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
    if (isBefore) await two.create('a')
    two.orders.close(lacksOne)
    expect(two.owners().strays).toBe(isBefore ? 1 : 0)
    expect(two.orders.missing.payin).toBe(isBefore ? 0 : 1)
    if (!isBefore) await two.create('a')
    expect(two.owners().strays).toBe(1)
    expect(two.orders.missing.payin).toBe(0)
  })

  test('is nothing that arrived before the first order', async () => {
    await using two = await twoOrders(false, 'before')
    two.orders.close(lacksOne)
    expect(two.orders.missing).toEqual({ payin: 1, payout: 0 })
  })
})
