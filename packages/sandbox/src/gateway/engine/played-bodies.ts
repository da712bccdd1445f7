import { isObject } from '../../../../../src/client/input/own.js'
import type { GatewayProfile, PaymentProfile } from '../../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../../src/client/profile/shape.js'
import type { Payment } from '../payments/payment.js'
import { type ListEntry, listFor } from '../profile/code-lists.js'
import { withReturnUrl } from '../profile/echoes.js'
import { fill } from '../profile/fill-shape.js'
import { answerOf } from '../profile/play-response.js'
import { statusName } from '../profile/status-names.js'
import type { SandboxMoney } from '../wire/money.js'
import { put, without } from '../wire/place.js'
import type { RouteName } from '../wire/routes.js'
import type { ResponseBodies, ResponseBodySettings } from './response-bodies.js'

/**
 * Bodies as the gateway of a profile sends them: its fields, with the sandbox's own values in them, and no others but
 * a `returnUrl` that was asked for.
 *
 * @param lists the codes that the sandbox lists
 */
export function playedBodies(
  own: ResponseBodies,
  profile: GatewayProfile,
  lists: Pick<ResponseBodySettings, 'payinMethods' | 'paymentOperators'>,
): ResponseBodies {
  const playedAs = (route: RouteName, body: unknown, shapeOf = (shape: Shape) => shape) => {
    const answer = answerOf(profile, route)
    if (answer === undefined) return body
    if (answer.body === undefined) return ''
    const filled = fill(shapeOf(answer.body), body)
    // As JSON text, because a string goes out as it is, without quotes.
    return typeof filled === 'string' && answer.body !== 'text' ? JSON.stringify(filled) : filled
  }
  const played = (route: RouteName, body: unknown) =>
    playedAs(route, body, route.includes('{idPayin}') ? withReturnUrl : undefined)
  const listed = (route: RouteName, body: unknown, entries: readonly ListEntry[]) => {
    const list = listFor(answerOf(profile, route)?.body ?? 'any', entries)
    return played(route, isObject(list) ? { ...(isObject(body) ? body : {}), ...list } : (list ?? body))
  }
  const operators: readonly ListEntry[] = lists.paymentOperators.map((one) => ({ ...one, own: one }))
  const methods = lists.payinMethods.map((code) => ({
    code,
    entries: operators,
    own: { paymentMethodCode: code, paymentOperators: lists.paymentOperators },
  }))
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
      listed(
        'POST /payins/!availablePaymentOptions',
        own.paymentOptions(isSupported),
        isSupported ? methods : [],
      ),
    merchantInfo: (name) => played('GET /merchant-info', own.merchantInfo(name)),
    balances: (balances, query) => {
      const body = own.balances(balances, query)
      if (answerOf(profile, 'GET /balances') === undefined) return body
      const amounts = balances.list(query).map(({ money }) => money)
      const entries = amounts.map((one) => ({ code: one.currencyCode, amount: one.amount, own: one }))
      return listed('GET /balances', withCurrencies(body, amounts), entries)
    },
    currencies: (balances) => {
      const entries = balances.currencies.map((code) => ({ code, own: { currencyCode: code } }))
      return listed('GET /currencies', own.currencies(balances), entries)
    },
    paymentOperators: () => listed('GET /payment-operators', own.paymentOperators(), operators),
    token: (route, place, token, validitySecs) => {
      const body = own.token(route, place, token, validitySecs)
      // What gateways say beside a token; shown where this one does.
      const life = { expiresIn: validitySecs, expires_in: validitySecs, validitySecs }
      const type = { tokenType: 'Bearer', token_type: 'Bearer' }
      return isObject(body) && answerOf(profile, route) !== undefined
        ? put(played(route, { ...life, ...type, ...body }), place, token)
        : body
    },
  }
}

/** Some gateways name the fields of balances by their currencies. */
function withCurrencies(body: unknown, list: readonly SandboxMoney[]): unknown {
  const amounts = list.map(({ amount, currencyCode }) => [currencyCode, amount] as const)
  return isObject(body) ? { ...Object.fromEntries(amounts), ...body } : body
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
