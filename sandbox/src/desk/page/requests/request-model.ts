import { batch, computed, effect, signal } from '@preact/signals'
import type { RequestListing, RequestRow } from '../../control/messages/requests.js'
import { type Loaded, OVERSCAN, type Sight } from '../list/list-sight.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { route } from '../route/route.js'
import { onNews } from '../server/live.js'
import { requests } from '../server/server.js'

/** In pixels; the stylesheet has the same number. */
export const ROW_HEIGHT = 52
const LOADED_AROUND = 40

/** Search and filters, from the address of the page; null while another view is shown. */
export const filters = computed(() => {
  const { place, query } = route.value
  return place.view === 'requests' ? query.toString() : null
})

/** What the sandbox said last; null until its first answer. */
export const listing = signal<RequestListing | null>(null)
/** Whether the sandbox did not answer when the list was last asked for. */
export const isAway = signal(false)
export const loaded = signal<Loaded<RequestRow>>({ offset: 0, rows: [] })
export const inSight = signal<Sight>({ first: 0, last: 0 })

let isRead = false
/** The newest that the sandbox has told of, under these filters; 0 while that is not known. */
let newest = 0
/** While the list is read it ends at the request that was the newest then; 0 for no end. */
let upTo = 0

/** Tells the model which rows can be seen; it loads what is missing. */
export function look(first: number, last: number): void {
  const seen = inSight.peek()
  if (first === seen.first && last === seen.last) return
  inSight.value = { first, last }
  const { offset, rows } = loaded.peek()
  const total = listing.peek()?.total ?? 0
  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(last + OVERSCAN, total)
  if (from < offset || to > offset + rows.length) reload()
}

/** Tells the model whether somebody reads the list: then new requests wait. */
export function setIsRead(now: boolean): void {
  if (now === isRead) return
  isRead = now
  if (isRead) upTo = newest
  else showNewer()
}

export function showNewer(): void {
  upTo = 0
  reload()
}

export const reload: () => void = oneAtATime(async () => {
  const wanted = filters.peek()
  if (wanted === null) return
  const end = upTo
  const { first, last } = inSight.peek()
  const query = new URLSearchParams(wanted)
  query.set('offset', String(Math.max(0, first - LOADED_AROUND)))
  query.set('limit', String(last - first + 2 * LOADED_AROUND))
  if (end > 0) query.set('upTo', String(end))
  const found = await requests(query).catch(() => undefined)
  isAway.value = found === undefined
  if (found === undefined) return
  // Something else was wanted meanwhile.
  if (wanted !== filters.peek() || end !== upTo) return reload()
  newest = found.newest
  if (isRead && upTo === 0) upTo = newest
  batch(() => {
    listing.value = found
    loaded.value = { offset: found.offset, rows: found.rows }
  })
})

effect(() => {
  if (filters.value === null) return
  upTo = 0
  newest = 0
  inSight.value = { first: 0, last: 0 }
  reload()
})

onNews(reload)
