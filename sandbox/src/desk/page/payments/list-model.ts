import { batch, computed, effect, signal } from '@preact/signals'
import type { Row } from '../../control/messages/payments.js'
import { type Loaded, OVERSCAN, type Sight } from '../list/list-sight.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { putQuery, route } from '../route/route.js'
import { onNews } from '../server/live.js'
import { payments } from '../server/server.js'

/** In pixels; the stylesheet has the same number. */
export const ROW_HEIGHT = 56
const LOADED_AROUND = 40

/** What is searched for, from the address of the page. */
export const search = computed(() => {
  const { place, query } = route.value
  return place.view === 'payments' ? (query.get('search') ?? '') : ''
})
/** How many payments there are, and how many rows the list has; null until the first answer. */
export const totals = signal<{ readonly held: number; readonly total: number } | null>(null)
export const loaded = signal<Loaded<Row>>({ offset: 0, rows: [] })
/** Which rows are in sight. */
export const inSight = signal<Sight>({ first: 0, last: 0 })
/** How many rows wait in front of those that are being read. */
export const newer = signal(0)
/** Whether the sandbox did not answer when the list was last asked for. */
export const isAway = signal(false)
/** Whether somebody reads the list at this moment; then nothing may move in it. */
export const isRead = signal(false)
/** The row under the pointer, which before all others stays where it is. */
export const pointed = signal<number | null>(null)
/** By how many rows the list has grown in front of what is being read; the view has to scroll by as much. */
export const scrollBy = signal(0)

export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}/${id}`
}

/** Tells the model which rows can be seen; it loads what is missing. */
export function look(first: number, last: number): void {
  const seen = inSight.peek()
  if (first === seen.first && last === seen.last) return
  inSight.value = { first, last }
  if (first === 0) newer.value = 0
  const { offset, rows } = loaded.peek()
  const total = totals.peek()?.total ?? 0
  const isMissing = first < offset || Math.min(last, total) > offset + rows.length
  const isNearEdge =
    (offset > 0 && first - OVERSCAN < offset) || Math.min(last + OVERSCAN, total) > offset + rows.length
  if (isMissing || isNearEdge) reload()
}

export function searchFor(text: string): void {
  putQuery({ search: text }, 'replace')
}

export const reload = oneAtATime(async () => {
  const words = search.peek()
  const { first, last } = inSight.peek()
  const offset = Math.max(0, first - LOADED_AROUND)
  const limit = last - first + 2 * LOADED_AROUND
  const wanted = { search: words, offset, limit, keep: keptRows(first, last) }
  const listing = await payments(wanted).catch(() => undefined)
  isAway.value = listing === undefined
  if (listing === undefined || words !== search.peek()) return
  const { held, total, shift, rows } = listing
  batch(() => {
    totals.value = { held, total }
    loaded.value = { offset: listing.offset, rows }
    if (shift === 0) return
    inSight.value = { first: first + shift, last: last + shift }
    scrollBy.value = shift
    newer.value = Math.max(0, newer.peek() + shift)
  })
})

/** Rows that stay where they are, with their places: the first of them that is still there is taken. */
function keptRows(first: number, last: number): string[] {
  // At the top, and unread, the newest are wanted.
  if (first === 0 && !isRead.peek()) return []
  const { offset, rows } = loaded.peek()
  const places = [...rows.keys()].map((index) => offset + index).filter((at) => at >= first && at < last)
  const at = pointed.peek()
  const ordered = at === null ? places : [at, ...places.filter((place) => place !== at)]
  return ordered.flatMap((place) => {
    const row = rows[place - offset]
    return row === undefined ? [] : [`${place}:${keyOf(row)}`]
  })
}

effect(() => {
  search.value
  newer.value = 0
  inSight.value = { first: 0, last: inSight.peek().last - inSight.peek().first }
  reload()
})

onNews(reload)
