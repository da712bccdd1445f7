import { batch, signal } from '@preact/signals'
import type { Row } from '../control/messages.js'
import { onNews } from './live.js'
import { oneAtATime } from './one-at-a-time.js'
import { payments } from './server.js'

/** In pixels; the stylesheet has the same number. */
export const ROW_HEIGHT = 68
/** Rows above and below those in sight that are loaded and drawn, so that scrolling meets no gap. */
export const OVERSCAN = 12
const LOADED_AROUND = 40

export const search = signal('')
/** How many payments there are, and how many of them fit the search; null until the first answer. */
export const totals = signal<{ readonly held: number; readonly total: number } | null>(null)
export const loaded = signal<{ readonly offset: number; readonly rows: readonly Row[] }>({
  offset: 0,
  rows: [],
})
/** Which rows are in sight. */
export const inSight = signal({ first: 0, last: 0 })
/** How many came in front while the reader was further down. */
export const newer = signal(0)

/** By how many rows the list has grown in front of what is being read; the view scrolls by as much. */
export const shifts = new Set<(rows: number) => void>()

export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}/${id}`
}

/** The row at a place of the whole list, if it is loaded. */
export function rowAt(index: number): Row | undefined {
  return loaded.value.rows[index - loaded.value.offset]
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
  search.value = text
  newer.value = 0
  reload()
}

export const reload = oneAtATime(async () => {
  const words = search.peek()
  const { first, last } = inSight.peek()
  const offset = Math.max(0, first - LOADED_AROUND)
  const limit = last - first + 2 * LOADED_AROUND
  // At the top the newest are wanted; further down what is being read has to stay.
  const kept = first > 0 ? loaded.peek().rows[offset - loaded.peek().offset] : undefined
  const listing = await payments(words, offset, limit, kept === undefined ? '' : keyOf(kept)).catch(
    () => undefined,
  )
  if (listing === undefined || words !== search.peek()) return
  const shift = listing.offset - offset
  batch(() => {
    totals.value = { held: listing.held, total: listing.total }
    loaded.value = { offset: listing.offset, rows: listing.rows }
    if (shift > 0) newer.value += shift
  })
  if (shift !== 0) for (const scroll of shifts) scroll(shift)
})

onNews(reload)
