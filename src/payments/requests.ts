import { InvalidInputError } from '../errors.js'
import { type CallOptions, checkCallOptions } from '../http/call.js'
import { checkCurrencyCode, exactAmount } from '../schemas/money.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { checkId } from '../schemas/payment-id.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { wrongInput } from '../schemas/wrong-input.js'

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
    const { [idField]: given, ...fields } = request
    for (const name of Object.keys(fields)) refuseOtherId(kind, name)
    const givenId = idField in request
    if (givenId && (given === undefined || given === null)) {
      // A fresh id in its place would make a second payment of every retry.
      throw wrongInput(idField, `is ${given}: leave it out to have one made, or give the id of your order`)
    }
    const sure = givenId ? checkId(given, idField) : crypto.randomUUID()
    id = sure
    checkCallOptions(options)
    return {
      id,
      givenId,
      body: createBody(
        request,
        withCallbackUrl(fields, () => callbackUrlFor(sure)),
      ),
    }
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

/** Taken for an unknown field, an id that is spelled wrong would leave every retry with a fresh one. */
function refuseOtherId(kind: PaymentKind, name: string): void {
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  if (plain === 'idpayin' || plain === 'idpayout')
    throw wrongInput(name, `is not the id of a ${kind}; that is ${idFieldOf[kind]}`)
}

/** The receiver's URL where the request has none. */
function withCallbackUrl(
  fields: Record<string, unknown>,
  urlFor: () => string | undefined,
): Record<string, unknown> {
  const callbackUrl = fields.callbackUrl === undefined ? urlFor() : undefined
  return callbackUrl === undefined ? fields : { ...fields, callbackUrl }
}

function createBody(request: PaymentCreateInput, fields: Record<string, unknown>): string {
  checkFields(fields)
  const { paymentRequested } = request
  const { money } = paymentRequested
  const amount = exactAmount(money.amount, 'paymentRequested.money.amount')
  checkCurrencyCode(money.currencyCode, 'paymentRequested.money.currencyCode')
  return serialise({
    ...fields,
    paymentRequested: { ...paymentRequested, money: { ...money, amount } },
  })
}

const methodStrings = ['paymentMethodCode', 'paymentOperatorCode', 'emailAddress']
const accountStrings = ['accountName', 'accountNumber']

function checkFields(request: Record<string, unknown>): void {
  const { paymentRequested, paymentMethod, callbackUrl, returnUrl } = request
  if (!isObject(paymentRequested)) throw wrongInput('paymentRequested', 'must be an object with money in it')
  if (!isObject(paymentRequested.money)) {
    throw wrongInput('paymentRequested.money', 'must be an object with amount and currencyCode')
  }
  checkUrl(callbackUrl, 'callbackUrl')
  checkUrl(returnUrl, 'returnUrl')
  if (paymentMethod === undefined) return
  if (!isObject(paymentMethod)) throw wrongInput('paymentMethod', 'must be an object')
  checkStrings(paymentMethod, methodStrings, 'paymentMethod')
  const { account } = paymentMethod
  if (account === undefined) return
  if (!isObject(account)) throw wrongInput('paymentMethod.account', 'must be an object')
  checkStrings(account, accountStrings, 'paymentMethod.account')
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
    return JSON.stringify(value)
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
