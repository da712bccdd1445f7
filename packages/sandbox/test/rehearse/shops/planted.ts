import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { money } from '../../../../../src/index.js'
import type { Place, Shop } from '../stage.js'

/** What somebody may get wrong; a shop without any of it is right. */
export type Defect =
  | 'an id for each click'
  | 'an id until the response comes'
  | 'delivers for each callback'
  | 'delivers between request and write'
  | 'delivers on the page, too'
  | 'delivers with the order'
  | 'believes the return'
  | 'takes every end for paid'
  | 'looks at no amount'
  | 'writes what it has read last'
  | 'takes 409 for a failure'
  | 'answers 200 to a callback that it could not look up'
  | 'sends cents'
  | 'refunds to another account'
  | 'refunds cents'

interface Order {
  id: string | undefined
  state: 'new' | 'pending' | 'paid' | 'failed'
  deliveries: number
}

const PRICE = 19.9
const account = { accountName: 'Ada', accountNumber: 'DE02120300000000202051' }
const otherAccount = { accountName: 'Eve', accountNumber: 'DE02500105170137075030' }

/** What is rehearsed is an order, or its refund. Its orders are what a database would keep. */
export function plantedShop({ client, url }: Place, defect?: Defect, isRefund = false): Shop {
  const orders = new Map<string, Order>()
  const has = (one: Defect) => defect === one
  const answersAnyway = has('answers 200 to a callback that it could not look up')

  async function payIn(number: string, id: string) {
    return client.payins.create({
      idPayin: id,
      paymentRequested: { money: money(has('sends cents') ? '1990' : '19.90', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', account },
      callbackUrl: `${url}/callback/${number}`,
      returnUrl: `${url}/back/${number}`,
    })
  }

  async function order(number: string) {
    const found = orders.get(number)
    if (found?.state === 'failed') throw new Error('This order has failed.')
    if (has('an id for each click') && found === undefined) {
      const id = randomUUID()
      await payIn(number, id)
      orders.set(number, { id, state: 'pending', deliveries: 0 })
      return
    }
    if (has('an id until the response comes')) {
      if (found === undefined) {
        orders.set(number, { id: undefined, state: 'new', deliveries: 0 })
        // Who comes in the same moment is refused by the unique key.
        await setImmediate()
      }
      const mine = orders.get(number)
      if (mine?.id !== undefined) return
      const id = randomUUID()
      await payIn(number, id)
      if (mine !== undefined) Object.assign(mine, { id, state: 'pending' })
      return
    }
    const deliveries = has('delivers with the order') ? 1 : 0
    const mine = found ?? { id: randomUUID(), state: 'new', deliveries }
    orders.set(number, mine)
    if (mine.state !== 'new' || mine.id === undefined) return
    const payin = await payIn(number, mine.id)
    if (has('takes 409 for a failure') && payin.replayed) {
      mine.state = 'failed'
      throw new Error('Your payment has failed.')
    }
    if (mine.state === 'new') mine.state = 'pending'
  }

  async function isPaid(id: string): Promise<boolean> {
    const { process, paymentRequested } = await client.payins.retrieve(id)
    if (has('takes every end for paid')) return process?.status !== 'CREATED' && process?.status !== 'PENDING'
    if (process?.status !== 'SUCCESS') return false
    const { amount, currencyCode } = paymentRequested?.money ?? {}
    const isWhole = Number(amount) === (has('sends cents') ? 1990 : PRICE) && currencyCode === 'EUR'
    return has('looks at no amount') || isWhole
  }

  /** After a callback, or when somebody looks: what the gateway says becomes the order's. */
  async function refresh(number: string, by: 'callback' | 'page') {
    const mine = orders.get(number)
    if (mine?.id === undefined || mine.state === 'failed') return
    const wasPaid = mine.state === 'paid'
    if (!(await isPaid(mine.id))) {
      if (has('writes what it has read last')) mine.state = 'pending'
      return
    }
    const isFirst = mine.state !== 'paid'
    mine.state = 'paid'
    const delivers =
      (has('delivers for each callback') && by === 'callback') ||
      (has('delivers between request and write') && by === 'callback' && !wasPaid) ||
      (has('delivers on the page, too') && (by === 'page' ? !wasPaid : isFirst)) ||
      isFirst
    if (delivers && !has('delivers with the order')) mine.deliveries += 1
  }

  const refund = (number: string) =>
    client.payouts.create({
      idPayout: `refund-${number}`,
      paymentRequested: { money: money(has('refunds cents') ? '1990' : '19.90', 'EUR') },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        account: has('refunds to another account') ? otherAccount : account,
      },
    })

  const steps = {
    async callback(number: string) {
      await refresh(number, 'callback').catch((error: unknown) => {
        if (!answersAnyway) throw error
      })
    },
    back(number: string) {
      const mine = orders.get(number)
      if (has('believes the return') && mine !== undefined) mine.state = 'paid'
    },
  }
  if (isRefund) return { ...steps, before: order, order: refund }
  return {
    ...steps,
    order,
    async status(number) {
      // What can't be looked up is shown as it is known.
      if (orders.get(number)?.state !== 'paid' && !answersAnyway) {
        await refresh(number, 'page').catch(() => {})
      }
      return orders.get(number)
    },
  }
}
