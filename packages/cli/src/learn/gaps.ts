import type { GatewayProfile, RefusalCase } from '../../../../src/client/profile/gateway-profile.js'
import type { PaymentKind } from '../../../../src/index.js'

/** The endpoints of section 4. */
export const routes = [
  'POST /auth-tokens',
  'POST /auth-tokens-by-action',
  'GET /merchant-info',
  'GET /balances',
  'GET /currencies',
  'GET /payment-operators',
  'POST /payins/!availablePaymentOptions',
  'POST /payins/{idPayin}',
  'GET /payins/{idPayin}',
  'POST /payouts/{idPayout}',
  'GET /payouts/{idPayout}',
] as const

export type Route = (typeof routes)[number]

/** What can be wrong with a request, in the order in which it stands in a profile. */
export const refusalCases = Object.keys({
  'api-version-missing': true,
  'path-unknown': true,
  'signature-wrong': true,
  'validity-too-long': true,
  'token-missing': true,
  'token-wrong': true,
  'token-not-allowed': true,
  'body-not-json': true,
  'money-missing': true,
  'amount-wrong': true,
  'payin-unknown': true,
  'payout-unknown': true,
  'id-repeated': true,
  'rate-exceeded': true,
} satisfies Record<RefusalCase, true>)

/** What a profile says of payments of one kind. */
export const paymentParts = ['statusField', 'processedAtField', 'statuses'] as const

/** The endpoint of one payment. */
export function paymentRoute(method: 'GET' | 'POST', kind: PaymentKind): string {
  return `${method} /${kind}s/{${kind === 'payin' ? 'idPayin' : 'idPayout'}}`
}

/** How `notSeen` calls the answer to an endpoint: names there have no braces. */
export function answerPart(route: string): string {
  return `answers.${route.replace(/[{}!]/g, '')}`
}

/** The parts that a profile can have and this one has not, in the order of the file. */
export function gapsOf(profile: GatewayProfile): string[] {
  const {
    tokens = {},
    payins = {},
    payouts = {},
    answers = {},
    refusals = {},
    rate = {},
    callbacks,
    balances,
  } = profile
  const { format, field } = tokens
  const isToken = format === undefined || (format === 'json' && field === undefined)
  return [
    ...(isToken ? ['tokens.field'] : []),
    ...missing('tokens', tokens, [
      'timestampUnit',
      'repeatedRequest',
      'idsInOperations',
      'moneyLimit',
      'idLimit',
    ]),
    ...missing('payins', payins, paymentParts),
    ...missing('payouts', payouts, paymentParts),
    ...routes.filter((route) => !Object.hasOwn(answers, route)).map(answerPart),
    ...missing('refusals', refusals, refusalCases),
    ...missing('rate', rate, ['counted', 'retryAfter']),
    ...(callbacks === undefined ? ['callbacks'] : missing('callbacks', callbacks, ['tries'])),
    ...(balances === undefined
      ? ['balances']
      : missing('balances', balances, ['pendingPayins', 'pendingPayouts', 'fees'])),
    ...(profile.customerAccountPath === undefined ? ['customerAccountPath'] : []),
  ]
}

function missing(part: string, object: object, names: readonly string[]): string[] {
  const seen = new Map<string, unknown>(Object.entries(object))
  return names.filter((name) => seen.get(name) === undefined).map((name) => `${part}.${name}`)
}
