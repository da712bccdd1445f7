import * as z from 'zod/mini'
import { moneySchema, type SandboxMoney, sameMoney } from '../wire/money.js'
import { readBody } from '../wire/read-body.js'

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

const isObject = 'must be an object'
const isText = 'must be a string that is not empty'

const text = (description: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : isText) })
    .check(z.minLength(1, isText), z.describe(description))

const url = (description: string) =>
  z
    .string(isText)
    .check(z.refine(isHttpUrl, 'must be an http or https URL'), z.meta({ format: 'uri', description }))

const method = {
  paymentMethodCode: text('Code of the payment method, such as VAPAY or BANK_TRANSFER.'),
  paymentOperatorCode: z.optional(text('Code of one of the payment operators.')),
  emailAddress: z.optional(text('E-mail address of the customer.')),
}
const accountName = z.exactOptional(text('Name of its holder.'))
const accountNumber = text('Its number.')

/** The customer's account in a request for a payin. */
export const accountSchema = z
  .object({ accountName, accountNumber: z.exactOptional(accountNumber) }, isObject)
  .check(z.describe('A bank account of the customer.'))

/** Where a payout goes. */
export const payoutAccountSchema = z
  .object(
    { accountName, accountNumber },
    { error: ({ input }) => (input === undefined ? 'is missing' : isObject) },
  )
  .check(z.describe('The bank account that receives a payout.'))

export const paymentRequestedSchema = z
  .object({ money: moneySchema }, isObject)
  .check(z.describe('The money that is asked for.'))

const callbackUrl = z.optional(url('Receives a callback at every change of the status.'))

// Which fields are required is a gap. Refused is only what cannot become a payment: no money, no method, a payout to
// nowhere, a field of the wrong type, a URL that nothing could call. Unknown fields pass.

export const payinCreateSchema = z
  .object({
    paymentRequested: paymentRequestedSchema,
    paymentMethod: z
      .object({ ...method, account: z.optional(accountSchema) }, isObject)
      .check(z.describe('What the customer pays with.')),
    callbackUrl,
    returnUrl: z.optional(url('Where the customer returns to.')),
  })
  .check(z.describe('A payin to create.'))

export const payoutCreateSchema = z
  .object({
    paymentRequested: paymentRequestedSchema,
    paymentMethod: z
      .object({ ...method, account: payoutAccountSchema }, isObject)
      .check(z.describe('Where the money goes.')),
    callbackUrl,
  })
  .check(z.describe('A payout to create.'))

/** @throws Refusal 400 */
export function parseCreate(kind: 'payin' | 'payout', body: Record<string, unknown>): PaymentRequest {
  const schema = kind === 'payin' ? payinCreateSchema : payoutCreateSchema
  const create: z.infer<typeof payinCreateSchema> = readBody(schema, body, (path) =>
    path.includes('money') ? 'INVALID_MONEY' : 'INVALID_PAYMENT',
  )
  const { paymentMethodCode, paymentOperatorCode, account, emailAddress } = create.paymentMethod
  return {
    money: create.paymentRequested.money,
    paymentMethodCode,
    paymentOperatorCode,
    account,
    emailAddress,
    callbackUrl: create.callbackUrl,
    returnUrl: create.returnUrl,
  }
}

/** In what two creates ask for something else: money, method, operator or account. URLs and e-mail may differ. */
export function differencesOf(a: PaymentRequest, b: PaymentRequest): string[] {
  const same: Readonly<Record<string, boolean>> = {
    'the money': sameMoney(a.money, b.money),
    'the payment method': a.paymentMethodCode === b.paymentMethodCode,
    'the payment operator': a.paymentOperatorCode === b.paymentOperatorCode,
    'the account number': a.account?.accountNumber === b.account?.accountNumber,
    'the name of the account': a.account?.accountName === b.account?.accountName,
  }
  return Object.keys(same).filter((name) => same[name] === false)
}

/** Whether two creates ask for the same. */
export function sameContent(a: PaymentRequest, b: PaymentRequest): boolean {
  return differencesOf(a, b).length === 0
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
