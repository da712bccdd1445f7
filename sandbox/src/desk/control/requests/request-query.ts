import { type RouteName, routeNames } from '../../../gateway/wire/routes.js'
import type { Kind } from '../messages/payments.js'
import type { RequestKind, RequestResult } from '../messages/requests.js'

/** Which requests are wanted, and which part of their list. */
export interface RequestQuery {
  /** In lower case. */
  readonly words: readonly string[]
  readonly kind: RequestKind | undefined
  readonly result: RequestResult | undefined
  readonly route: RouteName | undefined
  /** Without refusals after which nothing has to be done. */
  readonly isToMend: boolean
  /** Only those that met a fault. */
  readonly hasFault: boolean
  readonly payment: { readonly kind: Kind; readonly id: string } | undefined
  /** Nothing newer than the one with this number, so that the list stands still while it is read. */
  readonly upTo: number
  readonly offset: number
  readonly limit: number
}

const kinds: readonly RequestKind[] = ['tokens', 'payins', 'payouts', 'info', 'other', 'callbacks']
const results: readonly RequestResult[] = ['ok', 'refused', 'failed', 'unanswered']
const MOST_ROWS = 200
const DEFAULT_ROWS = 50
const MOST_SEARCHED = 200

/** Reads the query of the page; a filter that is none filters nothing. */
export function requestQuery(query: URLSearchParams): RequestQuery {
  const search = (query.get('search') ?? '').slice(0, MOST_SEARCHED).toLowerCase()
  return {
    words: search.split(/\s+/).filter(Boolean),
    kind: kinds.find((name) => name === query.get('kind')),
    result: results.find((name) => name === query.get('status')),
    route: routeNames.find((name) => name === query.get('route')),
    isToMend: query.get('mend') === 'yes',
    hasFault: query.get('fault') === 'yes',
    payment: paymentOf(query.get('payment') ?? ''),
    upTo: whole(query.get('upTo'), Number.MAX_SAFE_INTEGER) || Number.POSITIVE_INFINITY,
    offset: whole(query.get('offset'), Number.MAX_SAFE_INTEGER),
    limit: limitOf(query),
  }
}

/** `payin/order-1`: the id is what follows the first slash. */
function paymentOf(text: string): RequestQuery['payment'] {
  const [, kind, id] = /^(payin|payout)\/(.+)$/s.exec(text) ?? []
  if ((kind !== 'payin' && kind !== 'payout') || id === undefined) return undefined
  return { kind, id }
}

/** How many rows of a list are wanted. */
export function limitOf(query: URLSearchParams): number {
  const limit = query.get('limit')
  return limit === null ? DEFAULT_ROWS : whole(limit, MOST_ROWS)
}

/** A whole number of the query, from 0 to `most`; 0 for anything else. */
export function whole(text: string | null, most: number): number {
  const value = Math.floor(Number(text))
  return Number.isFinite(value) && value > 0 ? Math.min(value, most) : 0
}
