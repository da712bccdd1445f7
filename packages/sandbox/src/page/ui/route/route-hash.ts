import { decoded } from '../../../common/text.js'
import type { Kind } from '../../api/payments/listing.js'

export interface Opened {
  readonly kind: Kind
  readonly id: string
}

/** What the page shows, as the fragment of its address has it: links, reloads and the way back work by that. */
export type Place =
  | { readonly view: 'payments'; readonly payment: Opened | null }
  | { readonly view: 'requests'; readonly request: string | null }

export interface Route {
  readonly place: Place
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
  const [, number] = /^\/request\/(\d{1,15})$/.exec(path) ?? []
  if (number !== undefined) return { view: 'requests', request: number }
  if (path === '/requests') return { view: 'requests', request: null }
  const [, kind, encoded = ''] = /^\/(payin|payout)\/([^/]+)$/.exec(path) ?? []
  const id = decoded(encoded) ?? ''
  const isPayment = (kind === 'payin' || kind === 'payout') && id !== ''
  return { view: 'payments', payment: isPayment ? { kind, id } : null }
}

function pathOf(place: Place): string {
  if (place.view === 'requests') return place.request === null ? '/requests' : `/request/${place.request}`
  const { payment } = place
  return payment === null ? '/' : `/${payment.kind}/${encodeURIComponent(payment.id)}`
}
