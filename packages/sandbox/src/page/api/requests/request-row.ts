import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import { differencesOf, type PaymentRequest, parseCreate } from '../../../gateway/payments/payment-request.js'
import { parseObject } from '../../../gateway/wire/json-body.js'
import type { Mask } from '../mask.js'
import type { Kind } from '../payments/listing.js'
import { explainExchange, type Meaning } from './exchange-meaning.js'

export type RequestKind = 'tokens' | 'payins' | 'payouts' | 'info'

/** The result of a request: 2xx, 4xx, 5xx, or no whole response. */
export type RequestResult = 'ok' | 'refused' | 'failed' | 'unanswered'

/** A request in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export type RequestRow = ReturnType<typeof requestRow>

/** Undefined for what is none of the gateway's endpoints. */
export function kindOf({ route, isMint, idPayin, idPayout }: LoggedRequest): RequestKind | undefined {
  if (route === undefined) return undefined
  if (isMint) return 'tokens'
  if (idPayin !== undefined) return 'payins'
  return idPayout === undefined ? 'info' : 'payouts'
}

/** The result for the client. A response that did not arrive whole is none, whatever status it had. */
export function resultOf({ arrival, status }: LoggedRequest): RequestResult {
  if (arrival !== 'whole' || status === undefined) return 'unanswered'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

/** The payment that it is about; null for an id that must not be shown. */
export function paymentOf({ idPayin, idPayout }: LoggedRequest, mask: Mask) {
  const id = idPayin ?? idPayout
  if (id === undefined || mask.text(id) !== id) return null
  return { kind: paymentKindOf({ idPayin }), id }
}

export function requestMeaning(request: LoggedRequest, ledger: Ledger, mask: Mask): Meaning {
  const { route, verdict, reason, fault, arrival } = request
  const differences = createDifferences(request, ledger)
  const meaning = explainExchange({ route, verdict, reason, fault, arrival, differences })
  return { ...meaning, what: mask.text(meaning.what) }
}

export function requestRow(request: LoggedRequest, { what, isHarmless }: Meaning, mask: Mask) {
  const { number, at, method, path, status, verdict, fault = null, arrival, tookMs = null } = request
  const hasArrived = arrival === 'whole' || arrival === 'cut'
  return {
    number,
    at,
    method,
    path: mask.text(path),
    result: resultOf(request),
    /** A refusal after which nothing has to be done. */
    isHarmless,
    /** What arrived; null when nothing did. */
    status: hasArrived ? (status ?? null) : null,
    code: verdict === undefined || verdict === 'OK' ? null : verdict,
    fault,
    what,
    /** By the sandbox's clock, to the last byte; null while it is under way. */
    tookMs,
    payment: paymentOf(request, mask),
    money: requestOf(request)?.money ?? null,
  }
}

/** In what a create that met 409 differs from the payment with its id; undefined where that can't be said. */
export function createDifferences(request: LoggedRequest, ledger: Ledger): readonly string[] | undefined {
  if (request.verdict !== 'ALREADY_ACCEPTED' || request.id === undefined) return undefined
  const payment = ledger.store(paymentKindOf(request)).find(request.id)
  const asked = requestOf(request)
  return payment && asked && differencesOf(payment.request, asked)
}

/** What a create asks for; undefined for other requests, and for a body that is none of a create. */
function requestOf(request: LoggedRequest): PaymentRequest | undefined {
  if (request.route !== 'POST /payins/{idPayin}' && request.route !== 'POST /payouts/{idPayout}')
    return undefined
  try {
    return parseCreate(paymentKindOf(request), parseObject(request.bodyBytes))
  } catch {
    return undefined
  }
}

function paymentKindOf({ idPayin }: Pick<LoggedRequest, 'idPayin'>): Kind {
  return idPayin === undefined ? 'payout' : 'payin'
}
