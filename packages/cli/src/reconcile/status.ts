import {
  isFinal,
  isGatewayError,
  isPaid,
  type Payin,
  type PaymentKind,
  type Payout,
  statusOf,
  UnusableResponseError,
} from 'merchant-gateway'
import { type Decimal, decimalOf, type ExactMoney, minus, nothing, shortTextOf } from '../input/decimal.js'
import { isObject, timeIn } from '../input/values.js'
import type { Settings } from './options.js'
import type { Target } from './payments.js'
import type { KnownPayment, SignedMoney } from './types.js'

/**
 * Looks one payment up, behind what customers wait for, and says what it is in the balance now.
 *
 * @throws {UnusableResponseError} where it is in the balance, and nobody knows with how much.
 */
export async function lookUp(target: Target, settings: Settings, signal: AbortSignal): Promise<KnownPayment> {
  const { client, paidMoneyOf } = settings
  const { kind, id } = target
  const options = { priority: 'bulk', signal } as const
  try {
    if (kind === 'payout') {
      const payout = await client.payouts.retrieve(id, options)
      return known(payout, payout.paymentRequested.money, payout.fee, target, settings)
    }
    const payin = await client.payins.retrieve(id, options)
    const requested = payin.paymentMethodResponse?.money ?? payin.paymentRequested?.money
    return known(payin, paidMoneyOf?.(payin) ?? requested, Reflect.get(payin, 'fee'), target, settings)
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'not_found') throw error
    return notShown(target, settings.now())
  }
}

/** The gateway may show it later (specification, section 7). What was counted of it stays: a 404 explains no money. */
function notShown({ kind, id, before }: Target, nowMs: number): KnownPayment {
  if (before?.payment !== undefined || before?.fee !== undefined) return before
  return { kind, id, final: false, since: before?.since ?? new Date(nowMs).toISOString() }
}

function known(
  payment: Payin | Payout,
  money: unknown,
  fee: unknown,
  { kind, id, own, before }: Target,
  { balanceCounts, now }: Settings,
): KnownPayment {
  const { pendingPayins = false, pendingPayouts = false, fees = 'with-payment' } = balanceCounts
  const status = statusOf(payment)
  const paid = isPaid(payment)
  const final = paid || isFinal(payment)
  const isPending = !final && status !== undefined
  const isIn = paid || (isPending && (kind === 'payin' ? pendingPayins : pendingPayouts))
  // A pending payout that counts has counted, whatever has become of it.
  const wasIn =
    isIn || own?.status === 'SUCCESS' || (kind === 'payout' && pendingPayouts && status !== undefined)
  const takesFee = fees === 'with-payment' ? isIn : fees === 'kept' && wasIn
  const charged = takesFee ? exactMoney(fee) : undefined
  const kept = fees === 'kept' ? before?.fee : undefined
  const taken = kept ?? (charged && signed(charged, minus(nothing, charged.amount)))
  const shown = exactMoney(money) ?? exactMoney(own?.money)
  if (isIn && shown === undefined) throw withoutMoney(kind, id)
  const createdAt = timeIn(payment.process?.createdAt)
  return {
    kind,
    id,
    ...(status === undefined ? {} : { status }),
    final,
    since: createdAt === undefined ? (before?.since ?? isoTime(now())) : isoTime(createdAt),
    ...(isIn && shown !== undefined
      ? { payment: signed(shown, kind === 'payin' ? shown.amount : minus(nothing, shown.amount)) }
      : {}),
    ...(taken === undefined ? {} : { fee: taken }),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function signed({ currencyCode }: ExactMoney, amount: Decimal): SignedMoney {
  return { amount: shortTextOf(amount), currencyCode }
}

function exactMoney(money: unknown): ExactMoney | undefined {
  if (!isObject(money)) return undefined
  const { currencyCode: code } = money
  const amount = decimalOf(money.amount)
  if (amount === undefined || typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) return undefined
  return { amount, currencyCode: code.toUpperCase() }
}

function withoutMoney(kind: PaymentKind, id: string): UnusableResponseError {
  const more = kind === 'payin' ? ', or by the option paidMoneyOf' : ''
  return new UnusableResponseError(
    `reconcileBalances: the gateway shows no amount of a ${kind} that its balance may count; no payment was touched, so give the amount with the ${kind}, as money${more}.`,
    { issues: ['paymentRequested.money: no amount found'], [kind === 'payin' ? 'idPayin' : 'idPayout']: id },
  )
}
