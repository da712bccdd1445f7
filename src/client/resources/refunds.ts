import {
  IdempotencyConflictError,
  isGatewayError,
  type RefundRefusal,
  RefundRefusedError,
} from '../errors.js'
import { type CallOptions, callShape } from '../input/call-options.js'
import { argument, check, type Shape, wrongInput, wrongOptions } from '../input/check.js'
import { type Decimal, moneyTextOf, textOf } from '../input/decimal.js'
import { aFunction, anything, fitting } from '../input/kinds.js'
import { checkId, paymentId } from '../input/payment-id.js'
import { isObject } from '../input/values.js'
import * as z from '../input/zod.js'
import { createPayment } from '../payments/create.js'
import { retrievePayment } from '../payments/lookup.js'
import type { FoundPayments } from '../payments/payments.js'
import {
  exactMoneyOf,
  mostRefunds,
  paidMoney,
  type RefundSums,
  refundId,
  sumsOf,
  whyNoRefund,
} from '../payments/refund.js'
import { checkPayout } from '../payments/requests.js'
import { isPaid } from '../payments/status.js'
import { decimalsOf, type Money, type MoneyInput, requestMoney } from '../schemas/money.js'
import type { Payin } from '../schemas/payins.js'
import type { AccountInput, PayoutMethodCode } from '../schemas/payment.js'
import type { Payout, PayoutCreateInput } from '../schemas/payouts.js'
import type { AcceptedPayout, PayoutPayments, ReplayedPayout } from './payouts.js'

/** A refund of a payin, in whole or in part: a payout to the customer. */
export interface RefundInput {
  /** The payin that is given back, by your id. */
  idPayin: string
  /** 1 for the first refund of this payin, 2 for the second, and so on, without a gap. Store it with the refund. */
  number: number
  /** How much, in the payin's currency and its main unit. */
  money: MoneyInput
  /** Where the money goes: as a rule, the account that has paid. */
  account: AccountInput
  /** Code of the payout's method. Default `BANK_TRANSFER`. */
  paymentMethodCode?: PayoutMethodCode | undefined
  /** Code of the bank of that account. */
  paymentOperatorCode?: string | undefined
  /** The customer's e-mail address. */
  emailAddress?: string | undefined
  /** As for `payouts.create`. */
  callbackUrl?: string | undefined
}

/** How refunds are counted. */
export interface RefundReading {
  /**
   * Whether a refund has failed for good, so that it doesn't count. Default: every one counts, since the specification
   * names no status of a payout that has failed (section 3).
   */
  isFailed?: ((refund: Payout) => boolean) | undefined
  /**
   * What was paid by a payin, where your gateway shows it in a place of its own. Default: the least of the amounts in
   * `paymentRequested.money` and `paymentMethodResponse.money`.
   */
  paidMoneyOf?: ((payin: Payin) => Money | undefined) | undefined
}

/** Limits of each request of the call in milliseconds, a signal that ends it, and how refunds are counted. */
export interface RefundOptions extends CallOptions, RefundReading {}

/** A refund that was made, now (`replayed: false`) or before. */
export type Refund = (AcceptedPayout | ReplayedPayout) & {
  /** The payin that it gives back. */
  readonly idPayin: string
  /** Which refund of that payin it is. */
  readonly number: number
}

/** The refunds of a payin, and their sums. */
export interface RefundList {
  /** The payin that they give back. */
  readonly idPayin: string
  /** What the payin shows as paid. */
  readonly paid: Money
  /** What is given back already: what the refunds ask for that count. */
  readonly refunded: Money
  /** What is left: 0 once all is given back. */
  readonly left: Money
  /** In the order of their numbers, those that failed too. */
  readonly refunds: readonly (Payout & {
    /** The payout's id, which follows from the payin's and the number. */
    readonly idPayout: string
    /** 1 for the first, and so on. */
    readonly number: number
  })[]
}

const refundFields = argument('a field of a refund', {
  idPayin: paymentId,
  number: z.number(
    `must be a whole number from 1 to ${mostRefunds}`,
    z.refine<number>(Number.isInteger),
    z.gte(1),
    z.lte(mostRefunds),
  ),
  money: requestMoney,
  // What is in them is looked at by the payout's own checks, before anything is sent.
  account: fitting<AccountInput>('an object with accountName and accountNumber', isObject),
  paymentMethodCode: anything(),
  paymentOperatorCode: anything(),
  emailAddress: anything(),
  callbackUrl: anything(),
} satisfies Shape<RefundInput>)

const refundOptions = argument('an option of a refund', {
  ...callShape,
  isFailed: z.optional(aFunction<(refund: Payout) => boolean>('(refund) => boolean')),
  paidMoneyOf: z.optional(aFunction<(payin: Payin) => Money | undefined>('(payin) => Money or undefined')),
} satisfies Shape<RefundOptions>)

/**
 * What a refund needs of the client: both kinds of payments.
 *
 * @internal
 */
export interface RefundParts {
  readonly payins: FoundPayments<Payin>
  readonly payouts: PayoutPayments
}

function optionsOf(options: RefundOptions | undefined) {
  const { isFailed, paidMoneyOf, ...call } = check(refundOptions, options ?? {}, wrongOptions)
  return { reading: { isFailed, paidMoneyOf }, call }
}

/**
 * Makes one refund. The order of its requests is its safety: the sum is read first, the payout's id locks the number.
 *
 * @internal
 */
export async function makeRefund(
  parts: RefundParts,
  input: RefundInput,
  options: RefundOptions | undefined,
): Promise<Refund> {
  const { idPayin, number, money, ...payout } = check(refundFields, input, wrongInput)
  const { reading, call } = optionsOf(options)
  const request = payoutOf(refundId(idPayin, number), money, payout)
  checkPayout(request)
  const payin = await retrievePayment(parts.payins, idPayin, call)
  if (!isPaid(payin)) throw refusal('not-paid', idPayin, number)
  const earlier = await findRefunds(parts, idPayin, number - 1, call)
  if (earlier.length < number - 1) throw refusal('gap', idPayin, number)
  const sums = count(payin, earlier, reading)
  const refused = sums === undefined ? 'unreadable' : whyNoRefund(money, sums)
  if (refused !== undefined) throw refusal(refused, idPayin, number, sums)
  try {
    return Object.assign(await createPayment(parts.payouts, request, call), { idPayin, number })
  } catch (error) {
    if (error instanceof IdempotencyConflictError) throw isAnother(error, number)
    throw error
  }
}

export async function listRefunds(
  parts: RefundParts,
  idPayin: string,
  options: RefundOptions | undefined,
): Promise<RefundList> {
  checkId(idPayin, 'idPayin')
  const { reading, call } = optionsOf(options)
  const payin = await retrievePayment(parts.payins, idPayin, call)
  const refunds = await findRefunds(parts, idPayin, mostRefunds, call)
  const sums = count(payin, refunds, reading)
  if (sums === undefined) throw refusal('unreadable', idPayin, refunds.length + 1)
  const { paid, refunded, left } = sums
  const moneyOf = (amount: Decimal) => ({ amount: Number(textOf(amount)), currencyCode: paid.currencyCode })
  return { idPayin, paid: moneyOf(paid.amount), refunded: moneyOf(refunded), left: moneyOf(left), refunds }
}

/** Those with the numbers up to `most`, until one is not found. */
async function findRefunds(parts: RefundParts, idPayin: string, most: number, call: CallOptions) {
  const refunds: RefundList['refunds'][number][] = []
  for (let number = 1; number <= most; number++) {
    const idPayout = refundId(idPayin, number)
    const refund = await retrievePayment(parts.payouts, idPayout, call).catch(unlessNotFound)
    if (refund === undefined) break
    refunds.push(Object.assign(refund, { idPayout, number }))
  }
  return refunds
}

/** A 404 proves nothing, and here it need not: without the refund before it, the next one is not made. */
function unlessNotFound(error: unknown): undefined {
  if (!isGatewayError(error) || error.code !== 'not_found') throw error
}

function count(payin: Payin, refunds: readonly Payout[], { isFailed, paidMoneyOf }: RefundReading) {
  const paid = paidMoneyOf === undefined ? paidMoney(payin) : exactMoneyOf(paidMoneyOf(payin))
  if (paid === undefined) return undefined
  // Nothing but a true: what returned a promise has not said that a refund failed.
  const counted = isFailed === undefined ? refunds : refunds.filter((refund) => isFailed(refund) !== true)
  return sumsOf(paid, counted)
}

/** The caller has a number, and no id to replace. Says nothing of which call made the payout: after a 2xx it is this one. */
function isAnother(error: IdempotencyConflictError, number: number): IdempotencyConflictError {
  const { idPayout = '', outcome, status, attempts = 1, differences } = error
  return new IdempotencyConflictError(
    `payins.refund: the gateway has a payout for refund ${number} that differs from this request in ${differences.join(', ')} (${status}); its money may move, so see payins.refunds, and take the next number only if you mean a further refund beside it.`,
    { idPayout, outcome, status, attempts, differences },
  )
}

function refusal(
  reason: RefundRefusal,
  idPayin: string,
  number: number,
  sums?: RefundSums,
): RefundRefusedError {
  const code = sums?.paid.currencyCode ?? ''
  const text = (sum: Decimal | undefined) => sum && moneyTextOf(sum, decimalsOf(code))
  const [paid, refunded, left] = [text(sums?.paid.amount), text(sums?.refunded), text(sums?.left)]
  const why: Record<RefundRefusal, string> = {
    'not-paid': 'the payin is not paid now, so look at its status; nothing is given back of it',
    unreadable:
      'the payin, or a refund of it, shows no amount of money that can be added up, so give the option paidMoneyOf, or look at them by hand',
    currency: `the payin was paid in ${code}, so give the money in ${code}`,
    'above-paid': `${paid} ${code} were paid and ${refunded} are given back already, so at most ${left} ${code} can be refunded`,
    gap: 'the gateway shows no refund of the number before it, so make the one with the lowest free number (payins.refunds lists them)',
  }
  return new RefundRefusedError(
    `payins.refund: refund ${number} was not made, and no payout was sent: ${why[reason]}.`,
    { reason, number, idPayin, idPayout: refundId(idPayin, number), outcome: 'not-accepted' },
  )
}

function payoutOf(
  idPayout: string,
  money: MoneyInput,
  {
    callbackUrl,
    paymentMethodCode = 'BANK_TRANSFER',
    ...method
  }: Omit<RefundInput, 'idPayin' | 'number' | 'money'>,
): PayoutCreateInput {
  return {
    idPayout,
    paymentRequested: { money },
    paymentMethod: { ...method, paymentMethodCode },
    callbackUrl,
  }
}
