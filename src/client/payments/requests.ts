import { GatewayError, InvalidInputError } from '../errors.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { isObject } from '../input/own.js'
import { checkId } from '../input/payment-id.js'
import { requestFields } from '../input/request-fields.js'
import { serialise } from '../input/serialise.js'
import { wrongInput } from '../input/wrong-input.js'
import type { PaymentCreateInput } from '../schemas/payment.js'
import { idFieldOf, type PaymentKind } from '../schemas/payment-kind.js'
import { moneyOf } from './compare.js'
import { createDoors, createFields } from './create-fields.js'

/** A create request, checked and ready to send. */
export interface PreparedCreate {
  readonly id: string
  /** Whether the caller chose the id; one that was made now can't have been used before. */
  readonly givenId: boolean
  readonly body: string
  /** What is asked for, to be compared with what the gateway shows. */
  readonly money: unknown
  /** Where the gateway is to report; whoever knows it may be taken for the gateway. */
  readonly callbackUrl: string | undefined
  /** The options of the call, checked. */
  readonly options: CallOptions | undefined
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
  maxIdLength?: number,
): PreparedCreate {
  const idField = idFieldOf[kind]
  let id: string | undefined
  try {
    if (!isObject(request)) throw wrongInput('request', 'must be an object')
    const givenId = Object.hasOwn(request, idField)
    // First, so that whatever else is wrong names the payment.
    if (givenId) id = checkGivenId(request[idField], idField, maxIdLength)
    const fields = requestFields(request, createFields[kind], createDoors[kind])
    // It is in the path. What is undefined is not on the wire.
    fields[idField] = undefined
    const sure = id ?? crypto.randomUUID()
    id = sure
    const checked = checkCallOptions(options)
    if (fields.callbackUrl === undefined) {
      const callbackUrl = callbackUrlFor(sure)
      if (callbackUrl !== undefined) fields.callbackUrl = callbackUrl
    }
    const callbackUrl = typeof fields.callbackUrl === 'string' ? fields.callbackUrl : undefined
    return { id, givenId, body: serialise(fields), money: moneyOf(fields), callbackUrl, options: checked }
  } catch (error) {
    if (error instanceof GatewayError && !(error instanceof InvalidInputError)) throw error
    const { message, field, cause } = error instanceof InvalidInputError ? error : unreadable(error)
    throw new InvalidInputError(
      message,
      {
        ...(field === undefined ? {} : { field }),
        ...(id === undefined ? {} : { [idField]: id }),
        outcome: 'not-accepted',
      },
      cause,
    )
  }
}

/** A getter of the caller's has thrown, or a proxy. */
function unreadable(cause: unknown): InvalidInputError {
  const { message, field } = wrongInput('request', 'could not be read: error.cause is what reading it threw')
  return new InvalidInputError(message, { field }, cause)
}

function checkGivenId(given: unknown, idField: string, maxIdLength: number | undefined): string {
  if (given === undefined || given === null) {
    // A fresh id in its place would make a second payment of every retry.
    throw wrongInput(idField, `is ${given}: leave it out to have one made, or give the id of your order`)
  }
  return checkId(given, idField, maxIdLength)
}
