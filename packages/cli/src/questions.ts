import { Command } from 'commander'
import {
  type BalancesResult,
  isFinal,
  type Money,
  type Payin,
  type PaymentKind,
  type Payout,
  statusOf,
} from 'merchant-gateway'
import { currencyCode } from './arguments.js'
import { askGateway, type GatewayCallOptions, withGatewayOptions } from './gateway-call.js'
import { moneyText } from './input/amounts.js'
import { isObject, moneyIn } from './input/values.js'
import { type Io, printJson } from './io.js'
import { jsonLine } from './text.js'

export function paymentCommand(kind: PaymentKind, io: Io): Command {
  const get = new Command('get')
    .description(`Look a ${kind} up: one line without customer data.`)
    .argument('<ID>', `the merchant's id of the ${kind}`)
  withGatewayOptions(get).action(async (id: string, { json }: GatewayCallOptions) => {
    const payment = await askGateway<Payin | Payout>(io, ({ payins, payouts }) =>
      kind === 'payin' ? payins.retrieve(id) : payouts.retrieve(id),
    )
    const shown = shownOf(kind, id, payment)
    if (json === true) printJson(io, shown)
    else io.out(lineOfPayment(shown))
  })
  return new Command(kind).description(`Questions about ${kind}s.`).addCommand(get)
}

type ShownPayment = ReturnType<typeof shownOf>

/** What support needs of a payment: nothing of the customer's account is in it. */
export function shownOf(kind: PaymentKind, id: string, payment: Payin | Payout) {
  const { createdAt, processedAt, isTest } = payment.process ?? {}
  const { paymentRequested, paymentMethodResponse: method } = payment
  const field = (name: string): unknown => (isObject(method) ? method[name] : undefined) ?? undefined
  const ofPayin = kind === 'payin'
  return {
    kind,
    id,
    status: statusOf(payment),
    final: isFinal(payment),
    money: moneyOf(paymentRequested?.money ?? field('money')),
    fee: ofPayin ? undefined : moneyOf(Reflect.get(payment, 'fee')),
    reference: ofPayin ? field('reference') : undefined,
    createdAt: createdAt ?? undefined,
    processedAt: processedAt ?? undefined,
    expireAt: ofPayin ? field('expireAt') : undefined,
    isTest: isTest ?? undefined,
  }
}

/** The two fields that are known, whatever else the gateway may send along. */
function moneyOf(money: unknown): Money | undefined {
  if (!isObject(money)) return undefined
  const { amount, currencyCode } = money
  return typeof amount === 'number' && typeof currencyCode === 'string' ? { amount, currencyCode } : undefined
}

export function lineOfPayment(shown: ShownPayment): string {
  const { kind, id, status = 'no status', final, money, fee } = shown
  const named = (name: string, value: unknown) => typeof value === 'string' && `${name} ${value}`
  const parts = [
    `${kind} ${id}`,
    final || shown.status === undefined ? status : `${status} (not final)`,
    money && moneyText(money),
    fee && `fee ${moneyText(fee)}`,
    named('reference', shown.reference),
    named('created', shown.createdAt),
    named('processed', shown.processedAt),
    !final && named('expires', shown.expireAt),
    shown.isTest === true && 'test payment',
  ]
  return parts.filter((part) => typeof part === 'string').join(', ')
}

export function balancesCommand(io: Io): Command {
  const command = new Command('balances')
    .description('Print the balances of the merchant in one line.')
    .argument('[CURRENCY...]', 'which ones, such as EUR USD (default: all)', currencyCode)
  return withGatewayOptions(command).action(
    async (currencies: readonly string[] = [], options: GatewayCallOptions) => {
      const input = currencies.length === 0 ? {} : { currencies }
      const result = await askGateway(io, (client) => client.balances.list(input))
      if (options.json === true) printJson(io, result)
      else io.out(lineOf(result))
    },
  )
}

/** The specification does not show what a balance looks like: money where there is some, else the whole response. */
function lineOf({ balances, notReturned = [] }: BalancesResult): string {
  const found = [...moneyIn(balances)].map(moneyText)
  const shown = found.length === 0 ? jsonLine(balances) : found.join(', ')
  return [shown, ...notReturned.map((code) => `${code} not returned`)].join(', ')
}
