import type { RouteName } from '../gateway/wire/routes.js'
import type { SchemaName } from './schemas.js'

/** What the document says of an endpoint. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tag: 'Tokens' | 'Payins' | 'Payouts' | 'Merchant'
  readonly request?: SchemaName
  readonly response: SchemaName
  /** Bodies of requests, by what they show. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** Parameters of the query, by name. */
  readonly query?: Readonly<
    Record<string, { readonly description: string; readonly example: readonly string[] }>
  >
  /** The statuses of refusals that can come, besides those that every endpoint has. */
  readonly refusals: readonly Refused[]
}

export type Refused = 400 | 401 | 403 | 404 | 409 | 413 | 415

/** Every endpoint can answer these. */
export const refusedAnywhere = [404, 406, 429] as const

/** What each status of a refusal means. */
export const meanings: Readonly<Record<Refused | (typeof refusedAnywhere)[number], string>> = {
  400: 'The request is not what the endpoint takes. The status is an assumption.',
  401: 'The signature, secret or access token is missing or not right. The status is an assumption.',
  403: 'The access token does not allow this. The status is an assumption.',
  404: 'X-API-Version is missing or not supported (section 7), or there is no such payment.',
  406: 'The header Accept: application/json is missing. The status is an assumption.',
  409: 'A payment with this id was accepted before, whatever the content (section 7). Retrying with the same id is safe.',
  413: 'The body is too large. The status is an assumption.',
  415: 'The body is not application/json. The status is an assumption.',
  429: 'Above 10 requests per second; not processed (section 7).',
}

const money = { amount: 10.5, currencyCode: 'EUR' }
const account = { accountName: 'Jana Example', accountNumber: '000123-0123456789' }
const token = { merchantCode: 'SANDBOX-MERCHANT', validitySecs: 900, timestamp: 1_700_000_000 }
const withBody: readonly Refused[] = [400, 401, 403, 413, 415]
const read: readonly Refused[] = [401, 403]
const tokenRefusals: readonly Refused[] = [400, 401, 413, 415]

const payin = {
  paymentRequested: { money },
  paymentMethod: {
    paymentMethodCode: 'VAPAY',
    paymentOperatorCode: 'HARBOUR',
    account,
    emailAddress: 'jana@example.com',
  },
}
const payout = {
  paymentRequested: { money },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', paymentOperatorCode: 'HARBOUR', account },
}

/** The endpoints of section 4. */
export const operations: Readonly<Record<RouteName, Operation>> = {
  'POST /auth-tokens-by-action': {
    operationId: 'createTokenByAction',
    summary: 'Mint a token for an action on one payment',
    tag: 'Tokens',
    request: 'TokenByActionRequest',
    response: 'Token',
    examples: {
      create: { ...token, action: 'PAYIN_CREATE', idPayment: 'order-1' },
      look: { ...token, action: 'PAYIN_INFO', idPayment: 'order-1', money },
    },
    refusals: tokenRefusals,
  },
  'POST /auth-tokens': {
    operationId: 'createToken',
    summary: 'Mint a token for operations',
    tag: 'Tokens',
    request: 'TokenRequest',
    response: 'Token',
    examples: {
      one: { ...token, operations: ['POST /payins/order-1'] },
      all: { ...token, operations: ['GET /.*', 'POST /.*'] },
    },
    refusals: tokenRefusals,
  },
  'POST /payins/!availablePaymentOptions': {
    operationId: 'listPaymentOptions',
    summary: 'List what a customer can pay with',
    tag: 'Payins',
    request: 'PaymentRequested',
    response: 'PaymentOptions',
    examples: { euros: { money } },
    refusals: withBody,
  },
  'GET /merchant-info': {
    operationId: 'readMerchantInfo',
    summary: 'Read about the merchant',
    tag: 'Merchant',
    response: 'MerchantInfo',
    refusals: read,
  },
  'POST /payins/{idPayin}': {
    operationId: 'createPayin',
    summary: 'Create a payin',
    tag: 'Payins',
    request: 'PayinCreate',
    response: 'PayinCreated',
    examples: {
      least: { paymentRequested: { money }, paymentMethod: { paymentMethodCode: 'VAPAY' } },
      full: {
        ...payin,
        callbackUrl: 'http://127.0.0.1:3000/callbacks',
        returnUrl: 'https://shop.example/back',
      },
    },
    refusals: [...withBody, 409],
  },
  'GET /payins/{idPayin}': {
    operationId: 'readPayin',
    summary: 'Read the status of a payin',
    tag: 'Payins',
    response: 'PayinFound',
    refusals: [...read, 400],
  },
  'POST /payouts/{idPayout}': {
    operationId: 'createPayout',
    summary: 'Create a payout',
    tag: 'Payouts',
    request: 'PayoutCreate',
    response: 'PayoutCreated',
    examples: { least: payout, full: { ...payout, callbackUrl: 'http://127.0.0.1:3000/callbacks' } },
    refusals: [...withBody, 409],
  },
  'GET /payouts/{idPayout}': {
    operationId: 'readPayout',
    summary: 'Read the status of a payout',
    tag: 'Payouts',
    response: 'PayoutFound',
    refusals: [...read, 400],
  },
  'GET /balances': {
    operationId: 'listBalances',
    summary: 'Read the balances',
    tag: 'Merchant',
    response: 'Balances',
    query: {
      currencies: {
        description:
          'Currency codes, separated by commas; what is not supported is ignored (section 4, rule 4).',
        example: ['EUR', 'USD'],
      },
    },
    refusals: read,
  },
  'GET /currencies': {
    operationId: 'listCurrencies',
    summary: 'List the currencies',
    tag: 'Merchant',
    response: 'Currencies',
    refusals: read,
  },
  'GET /payment-operators': {
    operationId: 'listPaymentOperators',
    summary: 'List the payment operators',
    tag: 'Merchant',
    response: 'PaymentOperators',
    refusals: read,
  },
  'GET /payins/{idPayin}/customer-account': {
    operationId: 'readCustomerAccount',
    summary: 'Read account data of the customer; the path is an assumption',
    tag: 'Payins',
    response: 'CustomerAccount',
    refusals: [...read, 400],
  },
}
