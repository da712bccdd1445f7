import { NotFoundError, type RefundRefusal } from '../errors.js'
import { type CallOptions, callRows } from '../input/call-options.js'
import { checkId, idRow } from '../input/payment-id.js'
import { aFunction, anything, type Door, is, type Rows, read, required } from '../input/reader.js'
import { argument } from '../input/wrong-input.js'
import { isPaid, type PaymentReading } from '../payments/final.js'
import {
  exactMoneyOf,
  isRefundNumber,
  moneyFrom,
  mostRefunds,
  paidMoney,
  type RefundSums,
  refundId,
  refusedRefund,
  sumsOf,
  whyNoRefund,
} from '../payments/refund.js'
import { checkPayout } from '../payments/requests.js'
import type { AccountInput } from '../schemas/account.js'
import { type Money, type MoneyInput, moneyRow } from '../schemas/money.js'
import type { Payin } from '../schemas/payins.js'
import type { PayoutMethodCode } from '../schemas/payment.js'
import type { Payout, PayoutCreateInput } from '../schemas/payouts.js'
import type { AcceptedPayout, PayoutCalls, ReplayedPayout } from './payouts.js'

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

const inputRows = {
  idPayin: idRow,
  number: required(is<number>(`a whole number from 1 to ${mostRefunds}`, isRefundNumber)),
  money: required(moneyRow),
  // What is in them is looked at by the payout's own checks, before anything is sent.
  account: required(anything<AccountInput>()),
  paymentMethodCode: anything<string>(),
  paymentOperatorCode: anything<string>(),
  emailAddress: anything<string>(),
  callbackUrl: anything<string>(),
} satisfies Rows<RefundInput>

const inputDoor: Door = {
  ...argument('request', ''),
  notKnown: (_, known) => `is not a field of a refund (${known.join(', ')})`,
}

const optionRows = {
  ...callRows,
  isFailed: aFunction<(refund: Payout) => boolean>('(refund) => boolean'),
  paidMoneyOf: aFunction<(payin: Payin) => Money | undefined>('(payin) => Money or undefined'),
} satisfies Rows<RefundOptions>

const optionDoor: Door = {
  ...argument('options', ''),
  notKnown: (_, known) => `is not an option of a refund (${known.join(', ')})`,
}

/** What a refund needs of the client: both kinds of payments, and how it reads them. */
export interface RefundParts {
  readonly payins: { retrieve(idPayin: string, options: CallOptions): Promise<Payin> }
  readonly payouts: PayoutCalls
  readonly reading: PaymentReading
}

interface Given {
  readonly reading: RefundReading
  readonly call: CallOptions
}

function optionsOf(options: RefundOptions | undefined): Given {
  const { isFailed, paidMoneyOf, ...call } = read(options ?? {}, optionRows, optionDoor)
  return { reading: { isFailed, paidMoneyOf }, call }
}

/** Makes one refund. The order of its requests is its safety: the sum is read first, the payout's id locks the number. */
export async function makeRefund(
  parts: RefundParts,
  input: RefundInput,
  options: RefundOptions | undefined,
): Promise<Refund> {
  const { idPayin, number, money, ...payout } = read(input, inputRows, inputDoor)
  const { reading, call } = optionsOf(options)
  const refuse = (reason: RefundRefusal, sums?: RefundSums) =>
    refusedRefund(reason, { idPayin, number, ...(sums === undefined ? {} : { sums }) })
  const request = payoutOf(refundId(idPayin, number), money, payout)
  checkPayout(request)
  const payin = await parts.payins.retrieve(idPayin, call)
  if (!isPaid(payin, { statusOf: parts.reading.statusOf })) throw refuse('not-paid')
  const earlier: Payout[] = []
  for (let n = 1; n < number; n++) {
    const refund = await find(parts, refundId(idPayin, n), call)
    if (refund === undefined) throw refuse('gap')
    earlier.push(refund)
  }
  const sums = count(payin, earlier, reading)
  if (sums === undefined) throw refuse('unreadable')
  const why = whyNoRefund(money, sums)
  if (why !== undefined) throw refuse(why, sums)
  const made = await parts.payouts.create(request, call)
  return Object.assign(made, { idPayin, number })
}

/** Looks the refunds of a payin up, one after the other, until the gateway shows none of the next number. */
export async function listRefunds(
  parts: RefundParts,
  idPayin: string,
  options: RefundOptions | undefined,
): Promise<RefundList> {
  checkId(idPayin, 'idPayin')
  const { reading, call } = optionsOf(options)
  const payin = await parts.payins.retrieve(idPayin, call)
  const refunds: RefundList['refunds'][number][] = []
  for (let number = 1; number <= mostRefunds; number++) {
    const idPayout = refundId(idPayin, number)
    const refund = await find(parts, idPayout, call)
    if (refund === undefined) break
    refunds.push(Object.assign(refund, { idPayout, number }))
  }
  const sums = count(payin, refunds, reading)
  if (sums === undefined) throw refusedRefund('unreadable', { idPayin, number: refunds.length + 1 })
  const { paid, refunded, left } = sums
  const inCurrency = (amount: typeof refunded) => moneyFrom({ ...paid, amount })
  return { idPayin, paid: moneyFrom(paid), refunded: inCurrency(refunded), left: inCurrency(left), refunds }
}

function count(payin: Payin, refunds: readonly Payout[], reading: RefundReading): RefundSums | undefined {
  const { isFailed, paidMoneyOf } = reading
  const paid = paidMoneyOf === undefined ? paidMoney(payin) : exactMoneyOf(paidMoneyOf(payin))
  if (paid === undefined) return undefined
  // Nothing but a true: what gave a promise has not said that a refund failed.
  const counted = isFailed === undefined ? refunds : refunds.filter((refund) => isFailed(refund) !== true)
  return sumsOf(paid, counted)
}

/** A 404 proves nothing, and here it has to prove nothing: without the refund before it, the next one is not made. */
async function find(
  { payouts }: RefundParts,
  idPayout: string,
  call: CallOptions,
): Promise<Payout | undefined> {
  try {
    return await payouts.retrieve(idPayout, call)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

function payoutOf(
  idPayout: string,
  money: MoneyInput,
  {
    account,
    paymentMethodCode = 'BANK_TRANSFER',
    paymentOperatorCode,
    emailAddress,
    callbackUrl,
  }: Omit<RefundInput, 'idPayin' | 'number' | 'money'>,
): PayoutCreateInput {
  return {
    idPayout,
    paymentRequested: { money },
    paymentMethod: {
      paymentMethodCode,
      account,
      ...(paymentOperatorCode === undefined ? {} : { paymentOperatorCode }),
      ...(emailAddress === undefined ? {} : { emailAddress }),
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  }
}
