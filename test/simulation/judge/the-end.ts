import { finalStatuses } from '../../../packages/sandbox/src/gateway/payments/payment.js'
import type { Database } from '../merchant/database.js'
import type { JobQueue } from '../merchant/queue.js'
import { type Order, type Plan, spacesEvenly } from '../plan.js'
import type { Judge } from './judge.js'

interface TheEndParts {
  readonly plan: Plan
  readonly judge: Judge
  readonly database: Database
  readonly queue: JobQueue
}

/** Every order has its payment, which has come to its end, and the merchant knows. */
export function isWell(parts: TheEndParts): boolean {
  return parts.queue.isEmpty && parts.plan.orders.every((order) => hasEnded(parts, order))
}

/** What is not well a day after the last fault never will be. */
export function judgeTheEnd(parts: TheEndParts): void {
  const { plan, judge, queue } = parts
  for (const order of plan.orders) {
    if (hasEnded(parts, order)) continue
    const payment = judge.accepted.get(order.number)?.payment
    const is =
      payment === undefined ? 'has no payment' : `is ${payment.status}, and its merchant does not know`
    judge.violated('every order ends', `order ${order.number} ${is}, a day after the last fault`)
  }
  if (!queue.isEmpty) judge.violated('every order ends', 'a job of a payout is never done')
  if (!canBeCalm(plan)) return
  const calm = new Set(plan.orders.flatMap(({ isCalm, number }) => (isCalm === true ? [number] : [])))
  for (const { order, ending } of judge.calls) {
    if (!calm.has(order) || ending?.kind === 'success') continue
    const how = ending === undefined ? 'nothing' : ending.code
    judge.violated('all is well when the faults are over', `order ${order} ended with ${how}`)
  }
}

function hasEnded({ judge, database }: TheEndParts, order: Order): boolean {
  const payment = judge.accepted.get(order.number)?.payment
  if (payment !== undefined) return finalStatuses.has(payment.status) && judge.hasDealtWith(payment)
  // Until it is written down, nobody has promised anything to its customer.
  const isWanted = order.kind === 'payout' || database.has(order.number)
  // One whose id nobody had before its host crashed: nobody can ask for it again.
  return !isWanted || (!order.givesId && wasLost(judge, order))
}

function wasLost({ calls }: Judge, { number }: Order): boolean {
  const own = calls.filter(({ order }) => order === number)
  return own.every(({ machine, life, ending }) => ending !== undefined || machine.life !== life)
}

/**
 * Whether every call succeeds at once where nothing goes wrong. Not at a gateway that refuses what a network has
 * brought too close together, nor where its clock says how long everybody waits, and clocks differ.
 */
function canBeCalm(plan: Plan): boolean {
  return !spacesEvenly(plan) && plan.settings.retryAfter !== 'date'
}
