import {
  type Decimal,
  decimalOf,
  exactDecimal,
  minus,
  nothing,
  plus,
} from '../../../../src/client/input/decimal.js'
import { jsonOf } from '../../../../src/client/input/json.js'
import { moneyIn } from '../../../../src/client/input/money-in.js'
import type { PaymentKind } from '../../../../src/index.js'
import { isSuccess } from '../answer.js'
import { type Finding, ok } from '../doctor/finding.js'
import type { FollowedPayment } from './followed-payment.js'
import { moneyOfBody, type PaymentRequests, payinBody, payoutBody } from './payment-requests.js'
import type { ProfileDraft } from './profile-draft.js'
import { get, keptToken, type SignedSession } from './session.js'

/** The balance, and the payments that pended before and after it was read. */
export interface Reading {
  readonly balance: Decimal
  readonly pending: readonly PaymentKind[]
}

type Readings = readonly (Reading | undefined)[]

/** @returns what reads the balance: undefined where no one is shown, or a payment came to its end meanwhile. */
export async function balanceReader(
  session: SignedSession,
  { currencyCode }: PaymentRequests['money'],
): Promise<(followed: readonly FollowedPayment[]) => Promise<Reading | undefined>> {
  const token = await keptToken(session, { operations: ['GET /balances'] })
  return async (followed) => {
    if (typeof token !== 'function') return undefined
    const open = followed.filter(({ isAtEnd }) => !isAtEnd)
    const path = `/balances?currencies=${encodeURIComponent(currencyCode)}`
    const reply = await session.asker.ask(get(path, await token()))
    for (const payment of open) await payment.lookUp()
    const balance = isSuccess(reply) ? amountIn(jsonOf(reply.body), currencyCode) : undefined
    const isQuiet = open.every(({ wasFound, isAtEnd }) => wasFound && !isAtEnd)
    return balance && isQuiet ? { balance, pending: open.map(({ kind }) => kind) } : undefined
  }
}

/** What one payin and one payout of the same money do to the balance, where they explain all that it moved by. */
export function judgeBalances(
  draft: ProfileDraft,
  readings: Readings,
  followed: readonly FollowedPayment[],
  requests: PaymentRequests,
): Finding {
  const unseen = (why: string) => draft.unseen('balances', 'balances', why)
  const [start, withPayin, withPayout, end] = readings
  const { amount, currencyCode } = requests.money
  const bodies = [payinBody(requests, undefined), payoutBody(requests)].map(moneyOfBody)
  if (bodies.some((money) => money?.amount !== amount || money.currencyCode !== currencyCode)) {
    return unseen('the payin and the payout are not both of --money')
  }
  const { payins, payouts } = draft.known
  if ([payins, payouts].some((known) => known?.statuses?.SUCCESS !== 'final')) {
    return unseen('the payin and the payout did not both succeed')
  }
  if (start === undefined || end === undefined) return unseen('no balance of their currency could be read')
  if (readings.every((one) => one === undefined || isSame(one.balance, start.balance))) {
    return unseen('the balance was not seen to move')
  }
  const feeOf = (kind: PaymentKind) =>
    amountIn(followed.find((payment) => payment.kind === kind)?.fee, currencyCode) ?? nothing
  const fees = plus(feeOf('payin'), feeOf('payout'))
  // The same amount has come in and gone out.
  const taken = minus(start.balance, end.balance)
  const isApart = isSame(taken, nothing) && !isSame(fees, nothing)
  if (!isApart && !isSame(taken, fees)) return unseen('it moved otherwise than by this payin and this payout')
  const isIn = (kind: PaymentKind, before: Reading | undefined, now: Reading | undefined) => {
    if (before === undefined || now?.pending.includes(kind) !== true) return undefined
    const moved = minus(now.balance, before.balance)
    if (isSame(moved, nothing)) return false
    const whole = exactDecimal(kind === 'payin' ? amount : -amount)
    return isSame(moved, whole) || isSame(moved, minus(whole, feeOf(kind))) ? true : undefined
  }
  const learnt = Object.entries({
    pendingPayins: isIn('payin', start, withPayin),
    pendingPayouts: isIn('payout', withPayin, withPayout),
    fees: isApart ? 'apart' : undefined,
  }).filter(([, value]) => value !== undefined)
  const tooFast = 'the balance was not read while nothing but this was pending'
  if (learnt.length === 0) return unseen(tooFast)
  draft.add({ balances: Object.fromEntries(learnt) })
  for (const part of ['pendingPayins', 'pendingPayouts']) draft.notSeen(`balances.${part}`, tooFast)
  draft.notSeen('balances.fees', 'no payout with a fee came back')
  return ok('balances', learnt.map(([name, value]) => `${name}: ${value}`).join(', '))
}

function isSame(a: Decimal, b: Decimal): boolean {
  return minus(a, b).units === 0n
}

/** Undefined where there is not one amount of this currency. */
function amountIn(json: unknown, currencyCode: string): Decimal | undefined {
  const [money, ...more] = [...moneyIn(json)].filter((one) => one.currencyCode === currencyCode)
  return more.length === 0 ? decimalOf(money?.amount) : undefined
}
