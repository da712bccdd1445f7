import { isRecord } from '../wire/json-body.js'
import { parseMoney, type SandboxMoney, sameMoney } from '../wire/money.js'
import { Refusal } from '../wire/response.js'

/** What a create request asks for (section 2), as far as the gateway uses it. */
export interface PaymentRequest {
  readonly money: SandboxMoney
  readonly paymentMethodCode: string
  readonly paymentOperatorCode: string | undefined
  readonly account: CustomerAccount | undefined
  readonly emailAddress: string | undefined
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
}

/** A customer's bank account. */
export interface CustomerAccount {
  readonly accountName?: string
  readonly accountNumber?: string
}

/**
 * Which fields are required is a gap. Refused is only what cannot become a payment: no money, no method,
 * a payout to nowhere, a field of the wrong type, a URL that nothing could call. Unknown fields pass.
 */
export function parseCreate(kind: 'payin' | 'payout', body: Record<string, unknown>): PaymentRequest {
  const requested = object(body, 'paymentRequested')
  const method = object(body, 'paymentMethod')
  const paymentMethodCode = text(method, 'paymentMethod.paymentMethodCode')
  if (paymentMethodCode === undefined) throw invalid('paymentMethod.paymentMethodCode is missing.')
  const account =
    method.account === undefined ? undefined : parseAccount(object(method, 'paymentMethod.account'))
  if (kind === 'payout' && account?.accountNumber === undefined) {
    throw invalid('paymentMethod.account.accountNumber is missing.')
  }
  return {
    money: parseMoney(requested.money, 'paymentRequested.money'),
    paymentMethodCode,
    paymentOperatorCode: text(method, 'paymentMethod.paymentOperatorCode'),
    account,
    emailAddress: text(method, 'paymentMethod.emailAddress'),
    callbackUrl: url(body, 'callbackUrl'),
    returnUrl: url(body, 'returnUrl'),
  }
}

/** Whether two creates ask for the same: money, method, operator and account. URLs and e-mail may differ. */
export function sameContent(a: PaymentRequest, b: PaymentRequest): boolean {
  return (
    sameMoney(a.money, b.money) &&
    a.paymentMethodCode === b.paymentMethodCode &&
    a.paymentOperatorCode === b.paymentOperatorCode &&
    a.account?.accountNumber === b.account?.accountNumber &&
    a.account?.accountName === b.account?.accountName
  )
}

function parseAccount(account: Record<string, unknown>): CustomerAccount {
  const accountName = text(account, 'paymentMethod.account.accountName')
  const accountNumber = text(account, 'paymentMethod.account.accountNumber')
  return {
    ...(accountName === undefined ? {} : { accountName }),
    ...(accountNumber === undefined ? {} : { accountNumber }),
  }
}

function object(parent: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = parent[lastPart(field)]
  if (isRecord(value)) return value
  throw invalid(`${field} must be an object.`)
}

function text(parent: Record<string, unknown>, field: string): string | undefined {
  const value = parent[lastPart(field)]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`${field} must be a string that is not empty.`)
}

function url(parent: Record<string, unknown>, field: string): string | undefined {
  const value = text(parent, field)
  if (value === undefined) return undefined
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value
  throw invalid(`${field} must be an http or https URL.`)
}

function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

function invalid(message: string): Refusal {
  return new Refusal(400, 'INVALID_PAYMENT', message)
}
