import { decoded } from '../../../../../../src/client/input/decoded.js'
import type { Kind } from '../../api/payments/listing.js'

/** A payment that is open. */
export interface Opened {
  readonly kind: Kind
  readonly id: string
}

/** What the page shows, as the fragment of its address has it: links, reloads and the way back work by that. */
export type Place =
  | { readonly view: 'payments'; readonly payment: Opened | null }
  | { readonly view: 'requests'; readonly entry: string | null }

export interface Route {
  readonly place: Place
  /** Search and filters of the view. */
  readonly query: URLSearchParams
}

/** A fragment that names nothing leads to the payments. */
export function parseHash(hash: string): Route {
  const [, path = '', , search = ''] = /^#?([^?]*)(\?(.*))?$/s.exec(hash) ?? []
  return { place: placeOf(path), query: new URLSearchParams(search) }
}

export function hashOf({ place, query }: Route): string {
  const search = query.toString()
  return `#${pathOf(place)}${search === '' ? '' : `?${search}`}`
}

function placeOf(path: string): Place {
  const [, first, second, ...more] = path.split('/')
  if (more.length > 0) return { view: 'payments', payment: null }
  if (first === 'requests') return { view: 'requests', entry: null }
  if (first === 'request' && second !== undefined && /^\d{1,15}$/.test(second)) {
    return { view: 'requests', entry: second }
  }
  // An id that is not percent-encoded opens nothing.
  const id = decoded(second ?? '') ?? ''
  const isPayment = (first === 'payin' || first === 'payout') && id !== ''
  return { view: 'payments', payment: isPayment ? { kind: first, id } : null }
}

function pathOf(place: Place): string {
  switch (place.view) {
    case 'payments':
      return place.payment === null ? '/' : `/${place.payment.kind}/${encodeURIComponent(place.payment.id)}`
    case 'requests':
      return place.entry === null ? '/requests' : `/request/${place.entry}`
  }
}
