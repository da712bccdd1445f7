import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import type { FailedCallbacks } from './failed-callbacks.js'
import type { RequestQuery } from './request-query.js'
import { kindOf, type RequestRow, requestMeaning, requestRow, resultOf } from './request-row.js'
import { hasWords } from './request-search.js'

/** A window of all requests, or of all failed callbacks. */
export type RequestListing = ReturnType<typeof requestListing>

/** What the list is made with. */
interface Shown {
  readonly failed: FailedCallbacks
  readonly mask: Mask
}

/** Something that the list can show; what costs to find out is asked for the rows of the window only. */
interface Listed {
  readonly number: number
  readonly result: RequestRow['result']
  readonly hasFault: boolean
  readonly row: () => RequestRow
}

/** A window of all requests, or of the callbacks that failed, newest first. */
export function requestListing(parts: PageParts, shown: Shown, query: RequestQuery) {
  const callbacks = shown.failed.list()
  const log = query.kind === 'callbacks' ? [] : parts.log.toArray()
  const all: readonly Listed[] =
    query.kind === 'callbacks'
      ? callbacks.filter((callback) => callback.fits(query))
      : fitting(log, parts.ledger, shown, query)
  const ofFault = query.fault ? all.filter(({ hasFault }) => hasFault) : all
  const found = query.status === undefined ? ofFault : ofFault.filter(({ result }) => result === query.status)
  const old = found.filter(({ number }) => number <= query.upTo)
  const { offset, limit } = query
  return {
    held: query.kind === 'callbacks' ? callbacks.length : log.length,
    total: old.length,
    newer: found.length - old.length,
    newest: (query.kind === 'callbacks' ? callbacks : log).at(-1)?.number ?? 0,
    offset,
    rows: newest(old, offset, limit).map(({ row }) => row()),
    /** How many would fit with each result, whichever is chosen; and with a fault. */
    counts: {
      ok: countOf(ofFault, 'ok'),
      refused: countOf(ofFault, 'refused'),
      failed: countOf(ofFault, 'failed'),
      unanswered: countOf(ofFault, 'unanswered'),
      fault: all.filter(({ hasFault }) => hasFault).length,
    },
    failedCallbacks: callbacks.length,
  }
}

/** The requests that fit everything but the result and the fault, oldest first. */
function fitting(
  log: readonly LoggedRequest[],
  ledger: Ledger,
  { mask }: Shown,
  query: RequestQuery,
): Listed[] {
  const { kind, route, payment, search, toFix } = query
  const about = payment === undefined ? log : requestsAbout(`${payment.kind} ${payment.id}`, log)
  return about
    .filter((request) => kind === undefined || kindOf(request) === kind)
    .filter((request) => route === undefined || request.route === route)
    .filter((request) => hasWords(request, () => requestMeaning(request, ledger, mask).what, search, mask))
    .filter((request) => !toFix || !requestMeaning(request, ledger, mask).isHarmless)
    .map((request) => ({
      number: request.number,
      result: resultOf(request),
      hasFault: request.fault !== undefined,
      row: () => requestRow(request, requestMeaning(request, ledger, mask), mask),
    }))
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

function countOf(listed: readonly Listed[], wanted: RequestRow['result']): number {
  return listed.filter(({ result }) => result === wanted).length
}
