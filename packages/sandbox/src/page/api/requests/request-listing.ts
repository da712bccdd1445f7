import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { requestDetail } from './request-detail.js'
import type { RequestQuery } from './request-query.js'
import { kindOf, type RequestResult, requestMeaning, requestRow, resultOf } from './request-row.js'
import { hasWords } from './request-search.js'

/** A window of all requests. */
export type RequestListing = ReturnType<typeof requestListing>

/** A window of all requests, newest first. */
export function requestListing(parts: PageParts, mask: Mask, query: RequestQuery) {
  const { log, ledger } = parts
  const held = log.toArray()
  const all = fitting(held, parts, mask, query)
  const ofFault = query.fault ? all.filter(({ fault }) => fault !== undefined) : all
  const found =
    query.status === undefined ? ofFault : ofFault.filter((request) => resultOf(request) === query.status)
  const old = found.filter(({ number }) => number <= query.upTo)
  const { offset, limit } = query
  return {
    held: held.length,
    total: old.length,
    newer: found.length - old.length,
    newest: held.at(-1)?.number ?? 0,
    offset,
    rows: newest(old, offset, limit).map((request) =>
      requestRow(request, requestMeaning(request, ledger, mask), mask),
    ),
    /** How many would fit with each result, whichever is chosen; and with a fault. */
    counts: {
      ok: countOf(ofFault, 'ok'),
      refused: countOf(ofFault, 'refused'),
      failed: countOf(ofFault, 'failed'),
      unanswered: countOf(ofFault, 'unanswered'),
      fault: all.filter(({ fault }) => fault !== undefined).length,
    },
  }
}

/** The requests that fit everything but the result and the fault, oldest first. */
function fitting(
  log: readonly LoggedRequest[],
  parts: PageParts,
  mask: Mask,
  query: RequestQuery,
): LoggedRequest[] {
  const { kind, route, payment, search, toFix } = query
  const about = payment === undefined ? log : requestsAbout(`${payment.kind} ${payment.id}`, log)
  return about
    .filter((request) => kind === undefined || kindOf(request) === kind)
    .filter((request) => route === undefined || request.route === route)
    .filter((request) => hasWords(request, search, () => requestDetail(request, parts, mask)))
    .filter((request) => !toFix || !requestMeaning(request, parts.ledger, mask).isHarmless)
}

/** The requests for a payment, and those that made the tokens which came with them. */
function requestsAbout(key: string, log: readonly LoggedRequest[]): LoggedRequest[] {
  const own = log.filter(({ paymentKey }) => paymentKey === key)
  const tokens = new Set(own.map(({ grant }) => grant?.idToken).filter(Boolean))
  return log.filter(
    ({ paymentKey, isMint, grant }) => paymentKey === key || (isMint && tokens.has(grant?.idToken)),
  )
}

function newest<T>(oldestFirst: readonly T[], offset: number, limit: number): T[] {
  const end = Math.max(0, oldestFirst.length - offset)
  return oldestFirst.slice(Math.max(0, end - limit), end).reverse()
}

function countOf(requests: readonly LoggedRequest[], wanted: RequestResult): number {
  return requests.filter((request) => resultOf(request) === wanted).length
}
