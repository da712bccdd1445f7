import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { RouteName } from '../../../gateway/wire/routes.js'
import type { Mask } from '../mask.js'
import { createDifferences, requestOf } from '../payments/create-differences.js'
import type { Kind } from '../payments/listing.js'
import { explainExchange, isHarmless as isHarmlessOf, type Meaning } from './exchange-meaning.js'

/** Which endpoints a list of requests is about; `callbacks` are those that failed. */
export type RequestKind = 'tokens' | 'payins' | 'payouts' | 'info' | 'other' | 'callbacks'

/** The result of a request: 2xx, 4xx, 5xx, or no whole answer. */
export type RequestResult = 'ok' | 'refused' | 'failed' | 'unanswered'

/** A request, or a callback that failed, in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export interface RequestRow {
  readonly type: 'request' | 'callback'
  /** Its number; with a `c` in front for a callback. */
  readonly key: string
  readonly at: number
  readonly method: string
  readonly path: string
  readonly result: RequestResult
  /** A refusal after which nothing has to be done: a 409 for the same create, or a 404 for a payment that isn't there. */
  readonly isHarmless: boolean
  /** What arrived; null when nothing did. */
  readonly status: number | null
  /** The code of the refusal. */
  readonly code: string | null
  readonly fault: string | null
  /** What it means, in a sentence. */
  readonly what: string
  /** In real milliseconds, to the last byte; null while it is under way. */
  readonly tookMs: number | null
  readonly payment: { readonly kind: Kind; readonly id: string } | null
  /** What a create asks for. */
  readonly money: { readonly amount: number; readonly currencyCode: string } | null
}

const kinds: Readonly<Record<RouteName, RequestKind>> = {
  'POST /auth-tokens-by-action': 'tokens',
  'POST /auth-tokens': 'tokens',
  'POST /payins/!availablePaymentOptions': 'info',
  'GET /merchant-info': 'info',
  'POST /payins/{idPayin}': 'payins',
  'GET /payins/{idPayin}': 'payins',
  'POST /payouts/{idPayout}': 'payouts',
  'GET /payouts/{idPayout}': 'payouts',
  'GET /balances': 'info',
  'GET /currencies': 'info',
  'GET /payment-operators': 'info',
  'GET /payins/{idPayin}/customer-account': 'payins',
}

export function kindOf({ route }: LoggedRequest): RequestKind {
  return route === undefined ? 'other' : kinds[route]
}

/** The result for the client. An answer that did not arrive whole is none, whatever status it had. */
export function resultOf({ delivery, status }: LoggedRequest): RequestResult {
  if (delivery !== 'whole' || status === undefined) return 'unanswered'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

/** The payment that it is about; null for an id that must not be shown. */
export function paymentOf({ idPayin, idPayout }: LoggedRequest, mask: Mask): RequestRow['payment'] {
  const id = idPayin ?? idPayout
  if (id === undefined || mask.text(id) !== id) return null
  return { kind: idPayin === undefined ? 'payout' : 'payin', id }
}

interface RequestMeaning extends Meaning {
  readonly isHarmless: boolean
}

/** What a request means, with its secrets masked. */
export function requestMeaning(request: LoggedRequest, ledger: Ledger, mask: Mask): RequestMeaning {
  const { route, verdict, reason, fault, delivery } = request
  const differences = createDifferences(request, ledger)
  const facts = { route, verdict, reason, fault, delivery, differences }
  const { what, fix } = explainExchange(facts)
  return { what: mask.text(what), fix, isHarmless: isHarmlessOf(facts) }
}

export function requestRow(
  request: LoggedRequest,
  { what, isHarmless }: RequestMeaning,
  mask: Mask,
): RequestRow {
  const { number, at, method, path, status, verdict, fault = null, delivery, duration } = request
  const isSeen = delivery === 'whole' || delivery === 'part'
  return {
    type: 'request',
    key: String(number),
    at,
    method,
    path: mask.text(path),
    result: resultOf(request),
    isHarmless,
    status: isSeen ? (status ?? null) : null,
    code: verdict === undefined || verdict === 'OK' ? null : verdict,
    fault,
    what,
    tookMs: duration === undefined ? null : duration.realMs,
    payment: paymentOf(request, mask),
    money: requestOf(request)?.money ?? null,
  }
}
