import { computed, signal } from '@preact/signals'
import type { Kind } from '../../api/payments/listing.js'
import { hashOf, type Opened, type Place, parseHash } from './route-hash.js'

export const route = signal(parseHash(location.hash))

addEventListener('hashchange', () => {
  route.value = parseHash(location.hash)
})

/** The path of what is open, without its query: what depends on it does not change with a search. */
const path = computed(() => hashOf({ place: route.value.place, query: new URLSearchParams() }))

export const opened = computed(() => {
  const { place } = parseHash(path.value)
  return place.view === 'payments' ? place.payment : null
})

export const openedRequest = computed(() => {
  const { place } = parseHash(path.value)
  return place.view === 'requests' ? place.request : null
})

/** The address of a place; within the view that is shown its search and filters stay. */
export function linkTo(place: Place): string {
  const { place: shown, query } = route.value
  return hashOf({ place, query: place.view === shown.view ? query : new URLSearchParams() })
}

export function linkToPayment({ kind, id }: Opened): string {
  return linkTo({ view: 'payments', payment: { kind, id } })
}

export function linkToRequestsOf(kind: Kind, id: string): string {
  return `#/requests?${new URLSearchParams({ payment: `${kind}/${id}` })}`
}

/** @param how what is typed replaces the entry in the browser's history, so that the way back skips the letters */
export function putQuery(changes: Readonly<Record<string, string>>, how: 'push' | 'replace' = 'push'): void {
  const { place, query: before } = route.value
  const query = new URLSearchParams(before)
  // Another search begins at its first page.
  query.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const hash = hashOf({ place, query })
  if (how === 'push') history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  route.value = parseHash(hash)
}
