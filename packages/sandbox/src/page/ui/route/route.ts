import { computed, signal } from '@preact/signals'
import type { Kind } from '../../api/payments/listing.js'
import { hashOf, type Opened, type Place, parseHash } from './route-hash.js'

export const route = signal(parseHash(location.hash))

addEventListener('hashchange', () => {
  route.value = parseHash(location.hash)
})

/** The heading of what is opened takes the focus as soon as it is drawn. */
export const wantsFocus = signal(false)

/** The path of what is open, without its query: whoever depends on it is not woken by a search. */
const path = computed(() => hashOf({ place: route.value.place, query: new URLSearchParams() }))

/** The payment that is open. */
export const opened = computed(() => {
  const { place } = parseHash(path.value)
  return place.view === 'payments' ? place.payment : null
})

/** The number of the request that is open. */
export const openedEntry = computed(() => {
  const { place } = parseHash(path.value)
  return place.view === 'requests' ? place.entry : null
})

/** The address of a place; within the view that is shown its search and filters stay. */
export function linkTo(place: Place): string {
  const { place: shown, query } = route.value
  return hashOf({ place, query: place.view === shown.view ? query : new URLSearchParams() })
}

export function goTo(place: Place): void {
  location.hash = linkTo(place)
}

export function open({ kind, id }: Opened): void {
  goTo({ view: 'payments', payment: { kind, id } })
}

export function isOpen(kind: Kind, id: string): boolean {
  return opened.value?.kind === kind && opened.value.id === id
}

/** The address of what is shown, with other search, filters or page; an empty text takes one away. */
export function linkWith(changes: Readonly<Record<string, string>>): string {
  const { place, query: before } = route.value
  const query = new URLSearchParams(before)
  // Another search begins at its first page.
  query.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  return hashOf({ place, query })
}

/**
 * Changes the search or filters of the view. What is typed replaces the entry in the browser's history, so that the
 * way back does not lead through every letter.
 */
export function putQuery(changes: Readonly<Record<string, string>>, how: 'push' | 'replace' = 'push'): void {
  const hash = linkWith(changes)
  if (how === 'push') history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
  route.value = parseHash(hash)
}
