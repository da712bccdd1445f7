import type { GatewayProfile } from '../../src/client/profile/gateway-profile.js'

const answer = {
  status: 422,
  contentType: 'application/problem+json',
  body: { errors: [{ code: 'string' }] },
} as const

/** With every field that a profile may have. */
export const fullProfile = {
  $schema: './node_modules/merchant-gateway/dist/gateway-profile.schema.json',
  profileVersion: 1,
  tokens: {
    format: 'json',
    field: 'data.bearer',
    claims: ['exp', 'sub'],
    statesItsEnd: true,
    longestValiditySecs: 300,
    timestampUnit: 'milliseconds',
    repeatedRequest: 'refused',
    idsInOperations: 'decoded',
    moneyLimit: 'kept',
    idLimit: 'ignored',
  },
  payins: {
    statusField: 'status',
    processedAtField: 'doneAt',
    statuses: { PAID: 'final', OPEN: 'passing', 'ON HOLD': 'unclear' },
  },
  payouts: {
    statusField: 'process.status',
    processedAtField: 'process.processedAt',
    statuses: { SUCCESS: 'final' },
  },
  answers: {
    'POST /payins/{idPayin}': {
      status: 200,
      contentType: 'application/json',
      body: { 'extra?': ['number|null'], '*': 'any', deep: { list: [] } },
    },
    'POST /payins/!availablePaymentOptions': answer,
  },
  refusals: {
    'api-version-missing': answer,
    'path-unknown': answer,
    'signature-wrong': answer,
    'validity-too-long': answer,
    'token-missing': answer,
    'token-wrong': answer,
    'token-not-allowed': answer,
    'body-not-json': answer,
    'money-missing': answer,
    'amount-wrong': answer,
    'payin-unknown': answer,
    'payout-unknown': answer,
    'id-repeated': answer,
    'rate-exceeded': answer,
  },
  rate: { counted: 'evenly-spaced', retryAfter: 'date', takenAtOnce: 1, takenInARow: 8 },
  callbacks: {
    method: 'PUT',
    headers: ['x-event'],
    contentType: 'application/json',
    body: { event: 'string' },
    tries: 3,
    secondsBetweenTries: [1, 2],
  },
  balances: { pendingPayins: true, pendingPayouts: true, fees: 'kept' },
  customerAccountPath: '/payins/{idPayin}/account',
  notSeen: { 'callbacks.retries': 'no address was given that the gateway can reach' },
} as const satisfies Everything<GatewayProfile>

/** A type without its question marks, as deep as they go: what is added to it is missing here. */
type Everything<T> = T extends readonly unknown[] | string | number | boolean
  ? T
  : { [Name in keyof T]-?: Name extends 'body' ? T[Name] : Everything<Exclude<T[Name], undefined>> }
