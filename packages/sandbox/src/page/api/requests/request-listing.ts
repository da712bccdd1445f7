import type { SandboxParts } from '../../../gateway/assemble.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { RequestQuery } from '../bodies.js'
import type { Mask } from '../mask.js'
import { windowOf } from '../payments/listing.js'
import { amountText } from '../text.js'
import { requestDetail } from './request-detail.js'
import { kindOf, type RequestResult, requestMeaning, requestRow, resultOf } from './request-row.js'

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
