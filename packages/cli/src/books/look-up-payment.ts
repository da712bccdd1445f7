import { decimalOf, type ExactMoney } from '../../../../src/client/input/decimal.js'
import { timeIn } from '../../../../src/client/input/time-in.js'
import {
  isFinal,
  isGatewayError,
  isPaid,
  type Money,
  type MoneyInput,
  type Payin,
  type PaymentKind,
  type Payout,
  statusOf,
} from '../../../../src/index.js'
import type { Seen } from './counting.js'
import type { BooksClient, BooksEntry, BooksReading } from './types.js'

/** A payment that is to be looked up. */
export interface Target {
  readonly kind: PaymentKind
  readonly id: string
  /** What your own system has of it. */
  readonly own?: { readonly status?: string | undefined; readonly money?: MoneyInput | undefined } | undefined
  readonly before: BooksEntry | undefined
}

/**
 * Looks one payment up, behind what customers wait for.
 *
 * @returns undefined where the gateway shows none, which is no error: it may show it later (specification, section 7).
 */
export async function lookUpPayment(
  client: BooksClient,
  { kind, id, own, before }: Target,
  reading: BooksReading,
  nowMs: number,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const options = { priority: 'bulk', signal } as const
  const since = before?.since ?? new Date(nowMs).toISOString()
  const wasPaid = own?.status === 'SUCCESS'
  const read = (
    payment: Payin | Payout,
    money: Money | MoneyInput | null | undefined,
    fee: unknown,
  ): Seen => {
    const status = statusOf(payment)
    const shown = exactMoney(money) ?? exactMoney(own?.money)
    const charged = exactMoney(fee)
    const createdAt = timeIn(payment.process?.createdAt)
    return {
      kind,
      id,
      ...(status === undefined ? {} : { status }),
      final: isFinal(payment),
      paid: isPaid(payment),
      since: createdAt === undefined ? since : new Date(createdAt).toISOString(),
      ...(shown === undefined ? {} : { money: shown }),
      ...(charged === undefined ? {} : { fee: charged }),
      wasPaid,
    }
  }
  try {
    if (kind === 'payout') {
      const payout = await client.payouts.retrieve(id, options)
      return read(payout, payout.paymentRequested.money, payout.fee)
    }
    const payin = await client.payins.retrieve(id, options)
    const paid = reading.paidMoneyOf?.(payin)
    const requested = payin.paymentMethodResponse?.money ?? payin.paymentRequested?.money
    return read(payin, paid ?? requested, Reflect.get(payin, 'fee'))
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'not_found') throw error
    return undefined
  }
}

function exactMoney(money: unknown): ExactMoney | undefined {
  if (typeof money !== 'object' || money === null) return undefined
  const amount = decimalOf(Reflect.get(money, 'amount'))
  const code: unknown = Reflect.get(money, 'currencyCode')
  if (amount === undefined || typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) return undefined
  return { amount, currencyCode: code.toUpperCase() }
}
