import type { GatewayProfile, PaymentProfile } from '../../gateway-profile/profile.js'
import { fill } from '../../shapes/fill-shape.js'
import type { Balances } from '../payments/balances.js'
import type { Payment } from '../payments/payment.js'
import { answerOf } from '../profile/play-response.js'
import { statusName } from '../profile/status-names.js'
import { isRecord } from '../wire/json-body.js'
import { put, without } from '../wire/place.js'
import type { RouteName } from '../wire/routes.js'
import type { ResponseBodies } from './response-bodies.js'

/** Bodies as the gateway of a profile sends them: its fields, and no others, with the sandbox's own values in them. */
export function playedBodies(own: ResponseBodies, profile: GatewayProfile): ResponseBodies {
  const played = (route: RouteName, body: unknown) => {
    const answer = answerOf(profile, route)
    if (answer === undefined) return body
    if (answer.body === undefined) return ''
    const filled = fill(answer.body, body)
    // As JSON text, because a string goes out as it is, without quotes.
    return typeof filled === 'string' && answer.body !== 'text' ? JSON.stringify(filled) : filled
  }
  const found = (route: RouteName, payment: Payment, body: unknown, place: PaymentProfile | undefined) => {
    if (place === undefined) return played(route, body)
    const isShapeKnown = answerOf(profile, route)?.body !== undefined
    return withStatus(played(route, body), payment, place, isShapeKnown)
  }
  return {
    payinCreated: (payin) => played('POST /payins/{idPayin}', own.payinCreated(payin)),
    payinDetails: (payin) => found('GET /payins/{idPayin}', payin, own.payinDetails(payin), profile.payins),
    payoutCreated: (payout) => played('POST /payouts/{idPayout}', own.payoutCreated(payout)),
    payoutStatus: (payout) =>
      found('GET /payouts/{idPayout}', payout, own.payoutStatus(payout), profile.payouts),
    customerAccount: (payin) => played('GET /payins/{idPayin}/customer-account', own.customerAccount(payin)),
    paymentOptions: (isSupported) =>
      played('POST /payins/!availablePaymentOptions', own.paymentOptions(isSupported)),
    merchantInfo: (name) => played('GET /merchant-info', own.merchantInfo(name)),
    balances: (balances, query) => {
      const body = own.balances(balances, query)
      const isKnown = answerOf(profile, 'GET /balances') !== undefined
      return isKnown ? played('GET /balances', withCurrencies(body, balances.list(query))) : body
    },
    currencies: (balances) => played('GET /currencies', own.currencies(balances)),
    paymentOperators: () => played('GET /payment-operators', own.paymentOperators()),
    token: (route, place, token, validitySecs) => {
      const body = own.token(route, place, token, validitySecs)
      // What gateways say beside a token; shown where this one does.
      const life = { expiresIn: validitySecs, expires_in: validitySecs, validitySecs }
      const type = { tokenType: 'Bearer', token_type: 'Bearer' }
      return isRecord(body) && answerOf(profile, route) !== undefined
        ? put(played(route, { ...life, ...type, ...body }), place, token)
        : body
    },
  }
}

/** Some gateways name the fields of balances by their currencies. */
function withCurrencies(body: unknown, list: ReturnType<Balances['list']>): unknown {
  const amounts = list.map(({ money: { amount, currencyCode } }) => [currencyCode, amount] as const)
  return isRecord(body) ? { ...Object.fromEntries(amounts), ...body } : body
}

/** Puts a payment's status and time of processing where the profile says, under the names that it says. */
function withStatus(body: unknown, payment: Payment, place: PaymentProfile, isShapeKnown: boolean): unknown {
  const { statusField = 'process.status', processedAtField, statuses = {} } = place
  const others = ['process.status', 'process.processedAt'].filter(
    (path) => path !== statusField && path !== processedAtField,
  )
  // A shape has these places only where the gateway has them too.
  const cleared = isShapeKnown ? body : others.reduce(without, body)
  const placed = put(cleared, statusField, statusName(payment.status, place))
  if (payment.processedAt === undefined) return placed
  if (processedAtField !== undefined) return put(placed, processedAtField, payment.processedAt)
  // Payments were seen at their end, and no time of it.
  return Object.values(statuses).includes('final') ? without(placed, 'process.processedAt') : placed
}
