import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type GatewayClient, money } from '../../../../../src/index.js'
import type { RehearsalApplication } from '../../../src/rehearse/application.js'
import { readStatus } from '../../../src/rehearse/paid.js'

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

/** A shop in this process. Its orders are what a database would keep; it forgets nothing when it is restarted. */
export async function openPlantedShop(client: GatewayClient, defect?: Defect, isRefund = false) {
  const orders = new Map<string, Order>()
  const has = (one: Defect) => defect === one
  const answersAnyway = has('answers 200 to a callback that it could not look up')
  const server = createServer((request, response) => {
    request.resume()
    const [, what, orderNumber = ''] = request.url?.split('/') ?? []
    const work = what === 'return' ? comeBack(orderNumber) : refresh(orderNumber, 'callback')
    work.then(
      () => response.writeHead(200).end(),
      () => response.writeHead(answersAnyway ? 200 : 500).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`

  async function payIn(orderNumber: string, id: string) {
    return client.payins.create({
      idPayin: id,
      paymentRequested: { money: money(has('sends cents') ? '1990' : '19.90', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', account },
      callbackUrl: `${url}/callback/${orderNumber}`,
      returnUrl: `${url}/return/${orderNumber}`,
    })
  }

  async function order(orderNumber: string) {
    const found = orders.get(orderNumber)
    if (found?.state === 'failed') throw new Error('This order has failed.')
    if (has('an id for each click') && found === undefined) {
      const id = randomUUID()
      await payIn(orderNumber, id)
      orders.set(orderNumber, { id, state: 'pending', deliveries: 0 })
      return
    }
    if (has('an id until the response comes')) {
      if (found === undefined) {
        orders.set(orderNumber, { id: undefined, state: 'new', deliveries: 0 })
        // Who comes in the same moment is refused by the unique key.
        await setImmediate()
      }
      const mine = orders.get(orderNumber)
      if (mine?.id !== undefined) return
      const id = randomUUID()
      await payIn(orderNumber, id)
      if (mine !== undefined) Object.assign(mine, { id, state: 'pending' })
      return
    }
    const mine = found ?? {
      id: randomUUID(),
      state: 'new',
      deliveries: has('delivers with the order') ? 1 : 0,
    }
    orders.set(orderNumber, mine)
    if (mine.state !== 'new' || mine.id === undefined) return
    const payin = await payIn(orderNumber, mine.id)
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
  async function refresh(orderNumber: string, by: 'callback' | 'page') {
    const mine = orders.get(orderNumber)
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

  async function comeBack(orderNumber: string) {
    const mine = orders.get(orderNumber)
    if (has('believes the return') && mine !== undefined) mine.state = 'paid'
  }

  async function refund(orderNumber: string) {
    await client.payouts.create({
      idPayout: `refund-${orderNumber}`,
      paymentRequested: { money: money(has('refunds cents') ? '1990' : '19.90', 'EUR') },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        account: has('refunds to another account') ? otherAccount : account,
      },
    })
  }

  const done = (work: Promise<unknown>) => work.then(() => ({ isDone: true, says: 'answered 200' }))
  const application: RehearsalApplication = {
    action: (orderNumber) => done(isRefund ? refund(String(orderNumber)) : order(String(orderNumber))),
    ...(isRefund && { before: (orderNumber: number) => done(order(String(orderNumber))) }),
    ...(!isRefund && {
      async status(orderNumber: number) {
        const mine = orders.get(String(orderNumber))
        if (mine === undefined) return 'not paid'
        // What can't be looked up is shown as it is known.
        if (mine.state !== 'paid' && !answersAnyway)
          await refresh(String(orderNumber), 'page').catch(() => {})
        const text = JSON.stringify({ state: mine.state, deliveries: mine.deliveries })
        return readStatus('HTTP 200', 200, text, { paid: 'state=paid', once: 'deliveries=1' })
      },
    }),
    restart: async () => {},
  }
  return {
    application,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
