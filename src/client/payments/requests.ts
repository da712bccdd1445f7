import { InvalidInputError } from '../errors.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { refusalOf, wrongInput } from '../input/check.js'
import { damageOfAccount } from '../input/damage.js'
import { anything } from '../input/kinds.js'
import { plain } from '../input/nearest.js'
import { checkId } from '../input/payment-id.js'
import { type Level, type RequestShape, requestOf } from '../input/request-fields.js'
import { field, isObject, serialise } from '../input/values.js'
import * as z from '../input/zod.js'
import { moneyIn } from '../schemas/money.js'
import type { PayinCreateInput } from '../schemas/payins.js'
import {
  type AccountInput,
  idFieldOf,
  type PaymentCreateInput,
  type PaymentKind,
  type PaymentMethodInput,
  type PaymentRequestedInput,
} from '../schemas/payment.js'
import type { PayoutCreateInput } from '../schemas/payouts.js'

const mustBeText = 'must be a string (a number loses leading zeros)'

const text = z.string(mustBeText)

/** A parser takes the line breaks out of a URL; the gateway gets them, and may write them into a header. */
const url = z.string(
  'must be an absolute http or https URL',
  z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'holds a line break or another control character'),
  z.refine<string>((value) => /^https?:\/\//i.test(value) && URL.canParse(value)),
)

/** Where a payout goes. Its form is the bank's matter; what is certainly no account is refused. */
const destination = z.string(
  mustBeText,
  z.refine<string>(
    (number) => damageOfAccount(number) === undefined,
    ({ input }) =>
      `${damageOfAccount(String(input))}; give the account as a text from where it was first written down`,
  ),
)

function fieldsOf(level: Level, accountNumber: z.Schema) {
  const account = level('an object with accountName and accountNumber', {
    accountName: z.optional(text),
    accountNumber: z.optional(accountNumber),
  } satisfies RequestShape<AccountInput>)
  const paymentRequested = { money: moneyIn(level) } satisfies RequestShape<PaymentRequestedInput>
  const paymentMethod = {
    paymentMethodCode: z.optional(text),
    paymentOperatorCode: z.optional(text),
    account: z.optional(account),
    emailAddress: z.optional(z.string('must be a text')),
  } satisfies RequestShape<PaymentMethodInput>
  return {
    paymentRequested: level('an object with money in it', paymentRequested),
    paymentMethod: z.optional(level('an object with paymentMethodCode', paymentMethod)),
    callbackUrl: z.optional(url),
  } satisfies RequestShape<PaymentCreateInput>
}

const createRequests: Readonly<Record<PaymentKind, z.Schema<Record<string, unknown>>>> = {
  payin: requestOf(
    'a payin',
    (level) => {
      const fields = { idPayin: anything(), ...fieldsOf(level, text), returnUrl: z.optional(url) }
      return level('an object', fields satisfies RequestShape<PayinCreateInput>)
    },
    whyNoId('payin'),
  ),
  payout: requestOf(
    'a payout',
    (level) => {
      const fields = { idPayout: anything(), ...fieldsOf(level, destination) }
      return level('an object', fields satisfies RequestShape<PayoutCreateInput>)
    },
    whyNoId('payout'),
  ),
}

/** Names under which an id is looked for in vain, as {@link plain} writes them. */
const idNames =
  /^(?:(?:merchant|client|external)?(?:order|payment|payin|payout|transaction|request)?id|id(?:order|payment|payin|payout|transaction)|idempotency(?:key|token)|u?uid|reference|referenceid)$/

function whyNoId(kind: PaymentKind) {
  return (name: string) =>
    idNames.test(plain(name))
      ? `, whose id is ${idFieldOf[kind]}: under another name a fresh id would be made at every call, and a retry would pay twice`
      : undefined
}

export interface PreparedCreate {
  readonly id: string
  /** Whether the caller chose the id; one that was made now can't have been used before. */
  readonly givenId: boolean
  readonly body: string
  readonly money: unknown
  /** Where the gateway is to report; whoever knows it may be taken for the gateway. */
  readonly callbackUrl: string | undefined
  readonly options: CallOptions | undefined
}

/** Checks what is certainly wrong and no more. Its error names the field, and the id where there is one. */
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
    // Also where a class or a template has it: an id that is passed over would pay twice.
    const givenId = idField in request
    if (givenId) {
      const chosen: unknown = request[idField]
      // A fresh id in its place would make a second payment of every retry.
      if (chosen === undefined || chosen === null) {
        throw wrongInput(
          idField,
          `is ${chosen}: store an id with your order before you call, and give that one, since a retry under another id would pay twice`,
        )
      }
      id = checkId(chosen, idField, maxIdLength)
    }
    const checked = z.parse(createRequests[kind], request)
    if (!checked.success) throw refusalOf(checked.error.issues, wrongInput)
    const fields = checked.data
    // It is in the path. What is undefined is not on the wire.
    fields[idField] = undefined
    const sure = id ?? crypto.randomUUID()
    id = sure
    const callOptions = options === undefined ? undefined : checkCallOptions(options)
    if (fields.callbackUrl === undefined) {
      const callbackUrl = callbackUrlFor(sure)
      if (callbackUrl !== undefined) fields.callbackUrl = callbackUrl
    }
    const callbackUrl = typeof fields.callbackUrl === 'string' ? fields.callbackUrl : undefined
    return {
      id,
      givenId,
      body: serialise(fields),
      money: field(fields, 'paymentRequested.money'),
      callbackUrl,
      options: callOptions,
    }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const { message, field, cause } = error
    throw new InvalidInputError(message, { field, [idField]: id, outcome: 'not-accepted' }, cause)
  }
}

export function paymentPath(kind: PaymentKind, id: string): string {
  return `/${kind}s/${encodeURIComponent(id)}`
}

/**
 * Checks a payout as `payouts.create` does before anything is sent, and sends nothing: for whole files and
 * queues of payouts, of which none is to be sent while one is wrong.
 *
 * @param request as for `payouts.create`. Amounts are in the currency's main unit.
 * @throws naming the field that is certainly wrong, or that this version doesn't know ({@link InvalidInputError}).
 * @example
 * for (const request of requests) checkPayout(request)
 * for (const request of requests) await client.payouts.create(request)
 */
export function checkPayout(request: PayoutCreateInput): void {
  prepareCreate('payout', request)
}
