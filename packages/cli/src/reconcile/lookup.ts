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
import { currencyText, unitsOf } from '../input/amounts.js'
import { isObject, timeIn } from '../input/values.js'
import { countedOf } from './counted.js'
import type { Settings } from './options.js'
import type { Row } from './rows.js'
import type { KnownPayment, SignedMoney } from './types.js'

/**
 * Looks one payment up, behind what customers wait for, and says what it is in the balance now.
 *
 * @throws where it is in the balance, and nobody knows with how much ({@link UnusableResponseError}).
 */
export async function lookUp(row: Row, settings: Settings, signal: AbortSignal): Promise<KnownPayment> {
  const { client, paidMoneyOf, now } = settings
  const { kind, id } = row
  const options = { priority: 'background', signal } as const
  try {
    if (kind === 'payout') {
      const payout = await client.payouts.retrieve(id, options)
      return knownFrom(payout, payout.paymentRequested.money, payout.fee, row, settings)
    }
    const payin = await client.payins.retrieve(id, options)
    const requested = payin.paymentMethodResponse?.money ?? payin.paymentRequested?.money
    return knownFrom(payin, paidMoneyOf?.(payin) ?? requested, Reflect.get(payin, 'fee'), row, settings)
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'not_found') throw error
    const earlier = row.before ?? row.now
    // The gateway may show it later (specification, section 7). What was counted of it stays: a 404 explains no money.
    if (earlier?.payment !== undefined || earlier?.fee !== undefined) return earlier
    return { kind, id, final: false, since: earlier?.since ?? isoTime(now()) }
  }
}

function knownFrom(
  shown: Payin | Payout,
  money: unknown,
  fee: unknown,
  row: Row,
  { balanceCounts, now }: Settings,
): KnownPayment {
  const { kind, id, own } = row
  const earlier = row.before ?? row.now
  const status = statusOf(shown)
  const paid = isPaid(shown)
  const final = paid || isFinal(shown)
  const counted = countedOf(kind, { status, paid, final }, own?.status, balanceCounts)
  const amount = signedMoney(money, kind === 'payout') ?? signedMoney(own?.money, kind === 'payout')
  if (counted.payment && amount === undefined) throw withoutMoney(kind, id)
  const kept = balanceCounts.fees === 'kept' ? earlier?.fee : undefined
  const createdAt = timeIn(shown.process?.createdAt)
  return {
    kind,
    id,
    status,
    final,
    since: createdAt === undefined ? (earlier?.since ?? isoTime(now())) : isoTime(createdAt),
    payment: counted.payment ? amount : undefined,
    fee: kept ?? (counted.fee ? signedMoney(fee, true) : undefined),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function signedMoney(money: unknown, isTaken: boolean): SignedMoney | undefined {
  if (!isObject(money)) return undefined
  const { currencyCode: code } = money
  const amount = unitsOf(money.amount)
  if (amount === undefined || typeof code !== 'string' || !/^[A-Za-z]{3}$/.test(code)) return undefined
  return { amount: currencyText(isTaken ? -amount : amount, code), currencyCode: code.toUpperCase() }
}

function withoutMoney(kind: PaymentKind, id: string): UnusableResponseError {
  const more = kind === 'payin' ? ', or by the option paidMoneyOf' : ''
  return new UnusableResponseError(
    `reconcileBalances: the gateway shows no amount of a ${kind} that its balance may count; no payment was touched, so give the amount with the ${kind}, as money${more}.`,
    { issues: ['paymentRequested.money: no amount found'], [kind === 'payin' ? 'idPayin' : 'idPayout']: id },
  )
}
