import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import { CommandFailed } from '../exit-codes.js'
import { readText } from '../files.js'

/** The two creates, as far as the options of the command say what is in them. */
export interface PaymentRequests {
  readonly money: { readonly amount: number; readonly currencyCode: string }
  /** In place of ours: what stands in a file. */
  readonly payin?: Readonly<Record<string, unknown>> | undefined
  readonly payout?: Readonly<Record<string, unknown>> | undefined
}

/** A made-up customer: the account of nobody. */
const account = { accountName: 'Alex Sample', accountNumber: '9900112233' }

/** The body of the payin's create; method and operator are the first ones that the gateway offers. */
export function payinBody({ money, payin }: PaymentRequests, options: unknown, callbackUrl?: string): object {
  const url = callbackUrl === undefined ? {} : { callbackUrl }
  if (payin !== undefined) return { ...payin, ...url }
  return { paymentRequested: { money }, paymentMethod: { ...firstOption(options), account }, ...url }
}

/** The body of the payout's create. */
export function payoutBody({ money, payout }: PaymentRequests, callbackUrl?: string): object {
  const url = callbackUrl === undefined ? {} : { callbackUrl }
  if (payout !== undefined) return { ...payout, ...url }
  return {
    paymentRequested: { money },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
    ...url,
  }
}

/** The same payin without money, and with an amount that can't be one. */
export function wrongBodies(body: object): {
  readonly 'money-missing': object
  readonly 'amount-wrong': object
} {
  const { paymentRequested: _, ...others }: { paymentRequested?: unknown } = { ...body }
  const money = moneyIn(body) ?? {}
  return {
    'money-missing': others,
    'amount-wrong': { ...body, paymentRequested: { money: { ...money, amount: -1 } } },
  }
}

/** The money that a body asks for; undefined where it asks for none that can be read. */
export function moneyOfBody(body: object): PaymentRequests['money'] | undefined {
  const { amount, currencyCode } = moneyIn(body) ?? {}
  return typeof amount === 'number' && typeof currencyCode === 'string' ? { amount, currencyCode } : undefined
}

function moneyIn(body: object): Record<string, unknown> | undefined {
  const requested: unknown = Reflect.get(body, 'paymentRequested')
  return isObject(requested) && isObject(requested.money) ? requested.money : undefined
}

function firstOption(options: unknown): object {
  const data: unknown = isObject(options) ? options.data : undefined
  const first: unknown = Array.isArray(data) ? data[0] : undefined
  if (!isObject(first) || typeof first.paymentMethodCode !== 'string') return { paymentMethodCode: 'VAPAY' }
  const operator: unknown = Array.isArray(first.paymentOperators) ? first.paymentOperators[0] : undefined
  const code = isObject(operator) && typeof operator.code === 'string' ? operator.code : undefined
  return {
    paymentMethodCode: first.paymentMethodCode,
    ...(code === undefined ? {} : { paymentOperatorCode: code }),
  }
}

/** @throws {CommandFailed} for a file that holds no object of JSON. */
export function requestOf(file: string, option: string): Readonly<Record<string, unknown>> {
  const json = jsonOf(readText(file))
  if (isObject(json)) return json
  throw new CommandFailed(`${option} must name a file with an object of JSON: the body of a create.`)
}
