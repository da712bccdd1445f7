import type { SandboxParts } from '../../../gateway/assemble.js'
import type { Scope } from '../../../gateway/auth/scope.js'
import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import { differencesOf, type PaymentRequest, parseCreate } from '../../../gateway/payments/payment-request.js'
import { parseObject } from '../../../gateway/wire/json-body.js'
import { isFromPage } from '../actions/client.js'
import type { RequestQuery } from '../bodies.js'
import type { Mask } from '../mask.js'
import { type Kind, windowOf } from '../payments/listing.js'
import { amountText } from '../text.js'
import { explainExchange, type Meaning } from './exchange-meaning.js'

export type RequestKind = 'tokens' | 'payins' | 'payouts' | 'info'

/** The result of a request: 2xx, 4xx, 5xx, or no whole response. */
export type RequestResult = 'ok' | 'refused' | 'failed' | 'unanswered'

/** A request in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export type RequestRow = ReturnType<typeof requestRow>

/** Undefined for what is none of the gateway's endpoints. */
function kindOf({ route, isMint, idPayin, idPayout }: LoggedRequest): RequestKind | undefined {
  if (route === undefined) return undefined
  if (isMint) return 'tokens'
  if (idPayin !== undefined) return 'payins'
  return idPayout === undefined ? 'info' : 'payouts'
}

/** The result for the client. A response that did not arrive whole is none, whatever status it had. */
function resultOf({ arrival, status }: LoggedRequest): RequestResult {
  if (arrival !== 'whole' || status === undefined) return 'unanswered'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

/** The payment that it is about; null for an id that must not be shown. */
function paymentOf({ idPayin, idPayout }: LoggedRequest, mask: Mask) {
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

function requestRow(request: LoggedRequest, { what, isHarmless }: Meaning, mask: Mask) {
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

export type ShownMessage = ReturnType<typeof shown>
export type RequestDetail = ReturnType<typeof requestDetail>

export function requestDetail(request: LoggedRequest, { ledger }: SandboxParts, mask: Mask) {
  const { route = null, headers, sentAnswer, grant } = request
  const meaning = requestMeaning(request, ledger, mask)
  const payment = paymentOf(request, mask)
  return {
    ...requestRow(request, meaning, mask),
    fix: meaning.fix,
    /** Whether a magic value in it asked for the fault. */
    isMagic: request.isMagic,
    route,
    isFromPage: isFromPage(headers),
    /** What its token allows; never the token. */
    scope:
      grant === undefined
        ? null
        : {
            /** Whether this request made the token, or carried it. */
            isMade: request.isMint,
            allows: scopeLines(grant.scope).map((line) => mask.text(line)),
            expiresAt: grant.expiresAtMs,
          },
    request: shown(headers, request.bodyBytes, mask),
    /** Null while there is none. */
    response: sentAnswer === undefined ? null : shown(sentAnswer.headers, Buffer.from(sentAnswer.body), mask),
    isPaymentHeld: payment !== null && ledger.store(payment.kind).find(payment.id) !== undefined,
  }
}

function shown(headers: Readonly<Record<string, string>>, body: Uint8Array, mask: Mask) {
  return { headers: mask.headers(headers), body: mask.body(body) }
}

function scopeLines({ action, idPayment, operations = [], money }: Scope): string[] {
  const lines = [...operations]
  if (action !== undefined) lines.unshift(`${action} for ${idPayment ?? ''}`)
  if (money !== undefined) {
    lines.push(`only for ${amountText(money.amount, money.currencyCode)} ${money.currencyCode}`)
  }
  return lines
}

export type RequestListing = ReturnType<typeof requestListing>

/** A window of all requests, newest first. */
export function requestListing(parts: SandboxParts, mask: Mask, query: RequestQuery) {
  const all = parts.log.toArray()
  const { payment } = query
  // The requests for a payment, and those that made their tokens.
  const about = payment && parts.log.about(payment.kind, payment.id).sort((a, b) => a.number - b.number)
  const fitting = (about ?? all).filter((request) => fits(request, parts, mask, query))
  const toFix = query.toFix ? requestsToFix(fitting, all, parts, mask) : fitting
  const withFault = toFix.filter(({ fault }) => fault !== undefined)
  const ofFault = query.fault ? withFault : toFix
  const found = ofFault.filter((request) => query.result === undefined || resultOf(request) === query.result)
  const count = (result: RequestResult) => ofFault.filter((request) => resultOf(request) === result).length
  return {
    ...windowOf(all, found, query, (request) =>
      requestRow(request, requestMeaning(request, parts.ledger, mask), mask),
    ),
    /** How many would fit with each result, whichever is chosen; and with a fault. */
    counts: {
      ok: count('ok'),
      refused: count('refused'),
      failed: count('failed'),
      unanswered: count('unanswered'),
      fault: withFault.length,
    },
  }
}

function fits(request: LoggedRequest, parts: SandboxParts, mask: Mask, query: RequestQuery): boolean {
  const { kind, search } = query
  if (kind !== undefined && kindOf(request) !== kind) return false
  if (search.length === 0) return true
  const text = searchedText(request, parts, mask)
  return search.every((word) => text.includes(word))
}

/** The text of each request that is over, for as long as the log keeps the request. */
const texts = new WeakMap<LoggedRequest, string>()

/** What the page shows of a request, in lower case. Its secrets are masked. */
function searchedText(request: LoggedRequest, parts: SandboxParts, mask: Mask): string {
  const known = texts.get(request)
  if (known !== undefined) return known
  const { number, status, money, ...detail } = requestDetail(request, parts, mask)
  const amount = money === null ? '' : `${amountText(money.amount, money.currencyCode)} ${money.currencyCode}`
  const text = [number, status, amount, ...textsIn(detail)].join(' ').toLowerCase()
  if (request.tookMs !== undefined) texts.set(request, text)
  return text
}

/** Numbers are left out: nobody searches for the digits of a time. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** No fault forced them, and nothing was accepted since under the same id, or at the same endpoint without an id. */
function requestsToFix(
  requests: readonly LoggedRequest[],
  all: readonly LoggedRequest[],
  { ledger }: SandboxParts,
  mask: Mask,
): LoggedRequest[] {
  const keyOf = ({ paymentKey, route }: LoggedRequest) => paymentKey ?? route
  const accepted = new Map(
    all.filter(({ verdict }) => verdict === 'OK').map((request) => [keyOf(request), request.number]),
  )
  return requests.filter((request) => {
    if (resultOf(request) !== 'refused' || request.fault !== undefined) return false
    if ((accepted.get(keyOf(request)) ?? 0) > request.number) return false
    return !requestMeaning(request, ledger, mask).isHarmless
  })
}
