import { Command } from 'commander'
import { isFinal, type Money, type Payin, type PaymentKind, type Payout, statusOf } from 'merchant-gateway'
import { exitCodes } from './exit-codes.js'
import { askGateway, type GatewayCallOptions, withGatewayOptions } from './gateway-call.js'
import { currencyText } from './input/decimal.js'
import type { Io } from './io.js'
import { jsonLine, printable } from './text.js'

/** What support needs of a payment: nothing of the customer's account is in it. */
export interface PaymentAnswer {
  readonly kind: PaymentKind
  readonly id: string
  /** The gateway's own word. */
  readonly status?: string | undefined
  readonly final: boolean
  readonly money?: Money | undefined
  readonly fee?: Money | undefined
  readonly reference?: string | undefined
  readonly createdAt?: string | undefined
  readonly processedAt?: string | undefined
  readonly expireAt?: string | undefined
  readonly isTest?: boolean | undefined
}

export function payinCommand(io: Io): Command {
  return getCommand('payin', 'Look a payin up: one line without customer data.', io)
}

export function payoutCommand(io: Io): Command {
  return getCommand('payout', 'Look a payout up: one line without customer data.', io)
}

function getCommand(kind: PaymentKind, description: string, io: Io): Command {
  const get = new Command('get').description(description).argument('<ID>', `the merchant's id of the ${kind}`)
  withGatewayOptions(get).action(async (id: string, options: GatewayCallOptions) => {
    const answer = await askGateway(io, async (client) =>
      kind === 'payin'
        ? payinAnswer(id, await client.payins.retrieve(id))
        : payoutAnswer(id, await client.payouts.retrieve(id)),
    )
    io.out(options.json === true ? jsonLine(answer) : lineOfPayment(answer))
    io.finish(exitCodes.ok)
  })
  return new Command(kind).description(`Questions about ${kind}s.`).addCommand(get)
}

export function payinAnswer(id: string, payin: Payin): PaymentAnswer {
  const { paymentRequested, paymentMethodResponse: method } = payin
  return {
    ...shared('payin', id, payin),
    money: moneyOf(paymentRequested?.money ?? method?.money),
    reference: method?.reference ?? undefined,
    expireAt: method?.expireAt ?? undefined,
  }
}

export function payoutAnswer(id: string, payout: Payout): PaymentAnswer {
  return {
    ...shared('payout', id, payout),
    money: moneyOf(payout.paymentRequested.money),
    fee: moneyOf(payout.fee),
  }
}

function shared(kind: PaymentKind, id: string, payment: Payin | Payout): PaymentAnswer {
  const { createdAt, processedAt, isTest } = payment.process ?? {}
  return {
    kind,
    id,
    status: statusOf(payment),
    final: isFinal(payment),
    createdAt: createdAt ?? undefined,
    processedAt: processedAt ?? undefined,
    isTest: isTest ?? undefined,
  }
}

/** The two fields that are known, whatever else the gateway may send along. */
function moneyOf(money: Money | null | undefined): Money | undefined {
  if (money === undefined || money === null) return undefined
  return { amount: money.amount, currencyCode: money.currencyCode }
}

export function lineOfPayment(answer: PaymentAnswer): string {
  const { kind, id, status = 'no status', money, fee, isTest } = answer
  const parts = [
    `${kind} ${id}`,
    answer.final || answer.status === undefined ? status : `${status} (not final)`,
    money === undefined ? undefined : textOf(money),
    fee === undefined ? undefined : `fee ${textOf(fee)}`,
    named('reference', answer.reference),
    named('created', answer.createdAt),
    named('processed', answer.processedAt),
    answer.final ? undefined : named('expires', answer.expireAt),
    isTest === true ? 'test payment' : undefined,
  ]
  return printable(parts.filter((part) => part !== undefined).join(', '))
}

function textOf({ amount, currencyCode }: NonNullable<PaymentAnswer['money']>): string {
  return `${currencyText(amount, currencyCode)} ${currencyCode}`
}

function named(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${value}`
}
