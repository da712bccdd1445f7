import * as z from 'zod/mini'
import { readBody } from '../wire/json-body.js'
import { moneySchema, type SandboxMoney, sameMoney } from '../wire/money.js'

export interface PaymentRequest {
  readonly money: SandboxMoney
  readonly paymentMethodCode: string
  readonly paymentOperatorCode: string | undefined
  readonly account: CustomerAccount | undefined
  readonly emailAddress: string | undefined
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
}

export interface CustomerAccount {
  readonly accountName?: string
  readonly accountNumber?: string
}

const isObject = 'must be an object'
const isText = 'must be a string that is not empty'

const isMissingOr = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is missing' : what),
})
const text = z.string(isMissingOr(isText)).check(z.minLength(1, isText))
const url = z.optional(z.string(isText).check(z.refine(isHttpUrl, 'must be an http or https URL')))

const method = {
  paymentMethodCode: text,
  paymentOperatorCode: z.optional(text),
  emailAddress: z.optional(text),
}
const accountName = z.exactOptional(text)

export const paymentRequestedSchema = z.object({ money: moneySchema }, isObject)

// Which fields are required is a gap. Refused is only what cannot become a payment: no money, no method, a payout to
// nowhere, a field of the wrong type, a URL that nothing could call. Unknown fields pass.

const payinCreateSchema = z.object({
  paymentRequested: paymentRequestedSchema,
  paymentMethod: z.object(
    {
      ...method,
      account: z.optional(z.object({ accountName, accountNumber: z.exactOptional(text) }, isObject)),
    },
    isObject,
  ),
  callbackUrl: url,
  returnUrl: url,
})

const payoutCreateSchema = z.object({
  paymentRequested: paymentRequestedSchema,
  paymentMethod: z.object(
    { ...method, account: z.object({ accountName, accountNumber: text }, isMissingOr(isObject)) },
    isObject,
  ),
  callbackUrl: url,
})

/** @throws with 400 ({@link Refusal}). */
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

export function sameContent(a: PaymentRequest, b: PaymentRequest): boolean {
  return differencesOf(a, b).length === 0
}

function isHttpUrl(value: string): boolean {
  // A parser takes line breaks out of it; a header, or a shop that reads what was sent, doesn't.
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) && /^https?:$/.test(protocolOf(value))
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}
