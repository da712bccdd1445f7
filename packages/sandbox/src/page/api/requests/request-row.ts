import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import { createDifferences, requestOf } from '../payments/create-differences.js'
import type { Kind } from '../payments/listing.js'
import { explainExchange, isHarmless as isHarmlessOf } from './exchange-meaning.js'

/** Which endpoints a list of requests is about. */
export type RequestKind = 'tokens' | 'payins' | 'payouts' | 'info' | 'other'

/** The result of a request: 2xx, 4xx, 5xx, or no whole answer. */
export type RequestResult = 'ok' | 'refused' | 'failed' | 'unanswered'

/** A request in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export type RequestRow = ReturnType<typeof requestRow>

export function kindOf({ route, isMint, idPayin, idPayout }: LoggedRequest): RequestKind {
  if (route === undefined) return 'other'
  if (isMint) return 'tokens'
  if (idPayin !== undefined) return 'payins'
  return idPayout === undefined ? 'info' : 'payouts'
}

/** The result for the client. An answer that did not arrive whole is none, whatever status it had. */
export function resultOf({ arrival, status }: LoggedRequest): RequestResult {
  if (arrival !== 'whole' || status === undefined) return 'unanswered'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

/** The payment that it is about; null for an id that must not be shown. */
export function paymentOf({ idPayin, idPayout }: LoggedRequest, mask: Mask) {
  const id = idPayin ?? idPayout
  if (id === undefined || mask.text(id) !== id) return null
  const kind: Kind = idPayin === undefined ? 'payout' : 'payin'
  return { kind, id }
}

/** What a request means, with its secrets masked. */
export function requestMeaning(request: LoggedRequest, ledger: Ledger, mask: Mask) {
  const { route, verdict, reason, fault, arrival } = request
  const differences = createDifferences(request, ledger)
  const facts = { route, verdict, reason, fault, arrival, differences }
  const { what, fix } = explainExchange(facts)
  return { what: mask.text(what), fix, isHarmless: isHarmlessOf(facts) }
}

export function requestRow(
  request: LoggedRequest,
  { what, isHarmless }: ReturnType<typeof requestMeaning>,
  mask: Mask,
) {
  const { number, at, method, path, status, verdict, fault = null, arrival, duration } = request
  const isSeen = arrival === 'whole' || arrival === 'cut'
  return {
    number,
    at,
    method,
    path: mask.text(path),
    result: resultOf(request),
    /** A refusal after which nothing has to be done: a 409 for the same create, or a 404 for a payment that isn't there. */
    isHarmless,
    /** What arrived; null when nothing did. */
    status: isSeen ? (status ?? null) : null,
    /** The code of the refusal. */
    code: verdict === undefined || verdict === 'OK' ? null : verdict,
    fault,
    /** What it means, in a sentence. */
    what,
    /** In real milliseconds, to the last byte; null while it is under way. */
    tookMs: duration === undefined ? null : duration.realMs,
    payment: paymentOf(request, mask),
    /** What a create asks for. */
    money: requestOf(request)?.money ?? null,
  }
}
