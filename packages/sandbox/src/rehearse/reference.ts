import type { PaymentKind } from '../gateway/payments/payment.js'
import type { SandboxMoney } from '../gateway/wire/money.js'
import { clean } from './cases.js'
import type { RunContext } from './context.js'
import type { Reference } from './evidence.js'
import { judge, type Verdict } from './judge.js'
import { carriesNumber } from './orders.js'
import { closeOrder } from './rehearsal.js'
import { type Result, resultOf } from './result.js'
import { type Played, runCase } from './run-case.js'

/** What makes cases comparable: learnt from orders of which nothing went wrong. */
export interface Learnt {
  readonly played: readonly Played[]
  readonly result: Result
  /** Undefined when nothing can be judged by it. */
  readonly reference: Reference | undefined
}

export interface Expected {
  /** Which payments are meant; payins when there are some, by default. */
  readonly kind?: PaymentKind | undefined
  readonly price?: SandboxMoney | undefined
}

/** Two orders without a fault show their payments, whether orders have their own prices, and one payment for each. */
export async function learn(context: RunContext, { kind, price }: Expected = {}): Promise<Learnt> {
  const { orders } = context
  const play = (meant: PaymentKind) => {
    const order = orders.take()
    orders.giveTurn(order)
    const reference = { kind: meant, others: 0, asked: undefined }
    return runCase({ ...context, reference, one: clean, round: 0, order })
  }
  const first = await play(kind ?? 'payin')
  const { delivered, payments, said } = first.evidence
  const seen = kind ?? (payments.some((one) => one.kind === 'payin') ? 'payin' : 'payout')
  const [payment, ...more] = payments.filter((one) => one.kind === seen)
  const own: Reference = {
    kind: seen,
    others: payments.filter((one) => one.kind !== seen).length,
    asked: undefined,
    isCalledBack: first.activity.payments.some((one) => one.kind === seen && one.callbackUrl !== undefined),
    ...(price && { price }),
  }
  const verdict = judge(clean, first.evidence, own)
  // What doesn't show that all went well can't show that something went wrong.
  const isUnclear = (said !== undefined && said !== 'paid') || delivered?.last === 0
  if (payment === undefined || more.length > 0 || isUnclear) return learnt(first, verdict)
  closeOrder(first.activity, { reference: own, orders })
  const second = await play(seen)
  const next = second.evidence.payments.find((one) => one.kind === seen)
  if (next === undefined) {
    const sentence = 'none for a second order: the action has to carry {n}, the number of the order'
    return learnt(second, { outcome: 'wrong', sentence })
  }
  orders.areNamed = [first, second].every(({ activity, order }) => {
    return activity.creates.every((create) => carriesNumber(create, order))
  })
  const hasOnePrice =
    next.money.amount === payment.money.amount && next.money.currencyCode === payment.money.currencyCode
  // Where each order pays somebody else, none can be held against the first one's.
  const account = next.account === payment.account ? payment.account : undefined
  const reference = hasOnePrice ? { ...own, asked: { money: payment.money, account } } : own
  closeOrder(second.activity, { reference, orders })
  const again = judge(clean, second.evidence, reference)
  return again.outcome === 'wrong' ? learnt(second, again, reference) : learnt(first, verdict, reference)
}

function learnt(one: Played, verdict: Verdict, reference?: Reference): Learnt {
  const played = [{ ...one, verdict }]
  return { played, result: resultOf(clean, played), reference }
}
