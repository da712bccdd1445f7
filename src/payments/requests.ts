import { InvalidInputError } from '../errors.js'
import { type CallOptions, checkCallOptions } from '../http/call-options.js'
import { requestMoney } from '../schemas/money.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { checkId } from '../schemas/payment-id.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { isObject, requestFields } from '../schemas/request-fields.js'
import { wireJson } from '../schemas/wire-json.js'
import { wrongInput } from '../schemas/wrong-input.js'
import { createLevel } from './create-fields.js'

/** A create request, checked and ready to send. */
export interface PreparedCreate {
  readonly id: string
  /** Whether the caller chose the id; one that was made now can't have been used before. */
  readonly givenId: boolean
  readonly body: string
}

/**
 * Checks what is certainly wrong and no more, and serialises the rest as it is.
 *
 * @throws {InvalidInputError} naming the field, with the id where there is one.
 */
export function prepareCreate(
  kind: PaymentKind,
  request: PaymentCreateInput,
  options?: CallOptions,
  callbackUrlFor: (id: string) => string | undefined = () => undefined,
): PreparedCreate {
  const idField = idFieldOf[kind]
  let id: string | undefined
  try {
    if (!isObject(request)) throw wrongInput('request', 'must be an object')
    const givenId = Object.hasOwn(request, idField)
    // First, so that whatever else is wrong names the payment.
    if (givenId) id = checkGivenId(request[idField], idField)
    const fields = requestFields(request, createLevel(kind))
    delete fields[idField]
    const sure = id ?? crypto.randomUUID()
    id = sure
    checkCallOptions(options)
    checkFields(kind, fields)
    if (fields.callbackUrl === undefined) {
      const callbackUrl = callbackUrlFor(sure)
      if (callbackUrl !== undefined) fields.callbackUrl = callbackUrl
    }
    return { id, givenId, body: serialise(fields) }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    throw new InvalidInputError(
      error.message,
      {
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(id === undefined ? {} : { [idField]: id }),
        outcome: 'not-accepted',
      },
      error.cause,
    )
  }
}

function checkGivenId(given: unknown, idField: string): string {
  if (given === undefined || given === null) {
    // A fresh id in its place would make a second payment of every retry.
    throw wrongInput(idField, `is ${given}: leave it out to have one made, or give the id of your order`)
  }
  return checkId(given, idField)
}

const methodStrings = ['paymentMethodCode', 'paymentOperatorCode', 'emailAddress']
const accountStrings = ['accountName', 'accountNumber']

/** Checks the fields, and puts in their places what goes out for them. */
function checkFields(kind: PaymentKind, fields: Record<string, unknown>): void {
  const { paymentRequested, paymentMethod, callbackUrl, returnUrl } = fields
  if (!isObject(paymentRequested)) throw wrongInput('paymentRequested', 'must be an object with money in it')
  const requested = requestFields(paymentRequested, createLevel(kind, 'paymentRequested'))
  const place = 'paymentRequested.money'
  if (!isObject(requested.money)) throw wrongInput(place, 'must be an object with amount and currencyCode')
  requested.money = requestMoney(requested.money, place, createLevel(kind, place))
  fields.paymentRequested = requested
  checkUrl(callbackUrl, 'callbackUrl')
  checkUrl(returnUrl, 'returnUrl')
  if (paymentMethod === undefined) return
  if (!isObject(paymentMethod)) throw wrongInput('paymentMethod', 'must be an object')
  const method = requestFields(paymentMethod, createLevel(kind, 'paymentMethod'))
  checkStrings(method, methodStrings, 'paymentMethod')
  fields.paymentMethod = method
  const { account } = method
  if (account === undefined) return
  if (!isObject(account)) throw wrongInput('paymentMethod.account', 'must be an object')
  const checked = requestFields(account, createLevel(kind, 'paymentMethod.account'))
  checkStrings(checked, accountStrings, 'paymentMethod.account')
  method.account = checked
}

function checkStrings(object: Record<string, unknown>, names: readonly string[], path: string): void {
  for (const name of names) {
    const value = object[name]
    if (value === undefined || typeof value === 'string') continue
    throw wrongInput(`${path}.${name}`, 'must be a string (a number loses leading zeros)')
  }
}

function checkUrl(value: unknown, field: string): void {
  if (value === undefined) return
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    throw wrongInput(field, 'must be an absolute http or https URL')
  }
}

/** @throws {InvalidInputError} for what JSON can't hold: a BigInt, a circle. */
export function serialise(value: unknown): string {
  try {
    return wireJson(value)
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}
