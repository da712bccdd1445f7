import * as z from 'zod/mini'
import { tokenRequestSchemas } from '../gateway/auth/scope.js'
import {
  accountSchema,
  payinCreateSchema,
  paymentRequestedSchema,
  payoutAccountSchema,
  payoutCreateSchema,
} from '../gateway/payments/payment-request.js'
import { moneySchema } from '../gateway/wire/money.js'

/** Where the specification leaves a gap that an option of the sandbox fills. */
export interface SchemaOptions {
  readonly tokenField: string
  readonly tokenFormat: 'json' | 'json-string' | 'text'
  readonly maxValiditySecs: number
  readonly payinStatusIn: 'process' | 'top'
  readonly errorFormat: 'code' | 'errors' | 'none'
}

type Schemas = Readonly<Record<string, z.ZodMiniType>>

/** The name of a schema in the document. */
export type SchemaName = keyof ReturnType<typeof schemas>

const text = (description: string) => z.string().check(z.describe(description))
const time = (description: string) => z.string().check(z.meta({ format: 'date-time', description }))

/** An object of an answer. Others may be added to its fields (section 9). */
const object = <Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) =>
  z.object(shape).check(z.describe(description))

const list = <Entry extends z.ZodMiniType>(description: string, entry: Entry) =>
  z.array(entry).check(z.describe(description))

const currencyCode = moneySchema.shape.currencyCode
const paymentMethodCode = text('Code of the payment method, such as VAPAY or BANK_TRANSFER.')
const paymentOperatorCode = text('Code of one of the payment operators.')

const account = object('A bank account, as an answer shows it.', {
  accountName: z.optional(text('Name of its holder.')),
  accountNumber: z.optional(text('Its number.')),
  bankCode: z.optional(text('In responses to payins: the operator that was chosen.')),
  bankName: z.optional(text('In responses to payins: the name of that operator.')),
})
const fee = object('What is charged, which may be nothing.', {
  amount: z.number().check(z.gte(0), z.describe('In the main unit.')),
  currencyCode,
})
const balance = object('An amount that may be 0 or below it.', {
  amount: z.number().check(z.describe('In the main unit.')),
  currencyCode,
})
const processFields = {
  status: text('SUCCESS is the one status that the specification names; others are assumptions.'),
  createdAt: z.optional(time('When it was created.')),
  processedAt: z.optional(time('When it was processed; absent before.')),
  isTest: z.optional(z.boolean().check(z.describe('Whether it is a test payment.'))),
}
const process = object('Where a payment stands.', processFields)
const payinMethodFields = {
  idPayin: text('The id from the path.'),
  paymentMethodCode,
  paymentOperatorCode: z.optional(paymentOperatorCode),
  account,
  money: moneySchema,
  expireAt: time('Until when the customer can pay.'),
  reference: text('Payment reference.'),
  returnUrl: payinCreateSchema.shape.returnUrl,
}
const payinMethod = object('How the customer pays.', payinMethodFields)
const payoutMethod = object('How the payout goes.', {
  idPayout: text('The id from the path.'),
  paymentMethodCode,
})
const operator = object('An operator.', { code: paymentOperatorCode, name: text('Name to show.') })
const code = text('What kind of refusal it is, for programs.')
const why = text('Why, in a sentence.')

/** Requests, answers, and what they are made of. What section 2 does not promise is not required. */
const own = {
  Money: moneySchema,
  Balance: balance,
  Fee: fee,
  Account: accountSchema,
  PayoutAccount: payoutAccountSchema,
  ShownAccount: account,
  PaymentRequested: paymentRequestedSchema,
  Process: process,
  PayinMethod: payinMethod,
  PayoutMethod: payoutMethod,
  Operator: operator,
  PayinCreate: payinCreateSchema,
  PayoutCreate: payoutCreateSchema,
  PayinCreated: object('A payin that was accepted.', {
    paymentRequested: paymentRequestedSchema,
    paymentMethodResponse: payinMethod,
  }),
  PayoutCreated: object('A payout that was accepted.', {
    paymentRequested: paymentRequestedSchema,
    paymentMethodResponse: payoutMethod,
  }),
  PayoutFound: object('A payout that is looked up.', {
    paymentRequested: paymentRequestedSchema,
    process,
    fee,
    paymentMethodResponse: payoutMethod,
  }),
  CustomerAccount: object('Account data of the customer. The specification shows no field of it.', {
    idPayin: z.optional(text('The id from the path.')),
    paymentRequest: z.optional(
      object('From the request.', {
        account: z.nullable(accountSchema),
        emailAddress: z.nullable(text('E-mail address of the customer.')),
      }),
    ),
    paymentProcess: z.optional(
      z
        .nullable(z.object({ account: z.nullable(accountSchema) }))
        .check(z.describe('From the payment; null until it has succeeded.')),
    ),
  }),
  PaymentOptions: object('What a customer can pay with.', {
    data: list(
      'One entry for each method.',
      object('A method and its operators.', {
        paymentMethodCode,
        paymentOperators: list('Its operators.', operator),
      }),
    ),
  }),
  MerchantInfo: object('The merchant.', {
    channelInfo: object('The channel.', { name: text('Its name.') }),
  }),
  Balances: object('The specification shows no field of it.', {
    data: z.optional(list('One entry for each currency.', object('A balance.', { money: balance }))),
  }),
  Currencies: object('The specification shows no field of it.', {
    data: z.optional(list('One entry for each currency.', object('A currency.', { currencyCode }))),
  }),
  PaymentOperators: object('The specification shows no field of it.', {
    data: z.optional(list('Operators.', operator)),
  }),
} satisfies Schemas

const errors = {
  code: object('A refusal. The specification leaves its form open.', { code, message: why }),
  errors: object('A refusal. The specification leaves its form open.', {
    errors: list('Reasons.', object('One.', { code, detail: why })),
  }),
  none: z.unknown().check(z.describe('A refusal has no body here.')),
} satisfies Schemas

/** The bodies of requests and answers by their names in the document; those of a profile are not among them. */
export function schemas(options: SchemaOptions) {
  const { byAction, byOperations } = tokenRequestSchemas(options.maxValiditySecs)
  return {
    ...own,
    PayinFound: payinFound(options.payinStatusIn),
    TokenByActionRequest: byAction,
    TokenRequest: byOperations,
    Token: token(options),
    Error: errors[options.errorFormat],
  } satisfies Schemas
}

function payinFound(statusIn: 'process' | 'top') {
  const stands = z.partial(z.object(processFields))
  return object(
    'A payin that is looked up. The specification promises no field of it: these are what the sandbox may show.',
    {
      paymentRequested: z.optional(z.object({ money: z.optional(moneySchema) })),
      ...(statusIn === 'top' ? stands.shape : { process: z.optional(stands) }),
      paymentMethodResponse: z.optional(z.partial(z.object(payinMethodFields))),
    },
  )
}

function token({ tokenField, tokenFormat }: SchemaOptions): z.ZodMiniType {
  const jwt = text('The access token, a JWT.')
  if (tokenFormat !== 'json') return jwt
  return tokenField
    .split('.')
    .reduceRight<z.ZodMiniType>((field, name) => z.object({ [name]: field }), jwt)
    .check(z.describe('The specification shows no field of it.'))
}
