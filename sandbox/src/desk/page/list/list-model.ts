import { batch, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ListWindow } from '../../control/payments/listing.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onNews } from '../server/live.js'
import { type Loaded, OVERSCAN, type Sight } from './list-sight.js'

const LOADED_AROUND = 40

/** A list of which the page holds a window: the rows in sight and some around them. */
export interface ListModel<Found extends ListWindow<unknown>> {
  /** Search and filters, from the address of the page; null while another view is shown. */
  readonly filters: ReadonlySignal<string | null>
  /** What the sandbox said last; null until its first answer. */
  readonly listing: ReadonlySignal<Found | null>
  /** Whether the sandbox did not answer when the list was last asked for. */
  readonly isAway: ReadonlySignal<boolean>
  readonly loaded: ReadonlySignal<Loaded<Found['rows'][number]>>
  readonly inSight: ReadonlySignal<Sight>
  /** Told which rows can be seen; what is missing is loaded. */
  readonly look: (first: number, last: number) => void
  /** Told whether somebody reads the list: then nothing moves in it, and new rows wait. */
  readonly setIsRead: (now: boolean) => void
  readonly showNewer: () => void
}

export function createListModel<Found extends ListWindow<unknown>>(
  filters: ReadonlySignal<string | null>,
  read: (query: URLSearchParams) => Promise<Found>,
): ListModel<Found> {
  const listing = signal<Found | null>(null)
  const isAway = signal(false)
  const loaded = signal<Loaded<Found['rows'][number]>>({ offset: 0, rows: [] })
  const inSight = signal<Sight>({ first: 0, last: 0 })
  let isRead = false
  /** The number of the newest row under these filters; 0 while that is not known. */
  let newest = 0
  /** While the list is read it ends at the row that was the newest then; 0 for no end. */
  let upTo = 0

  const reload: () => void = oneAtATime(async () => {
    const wanted = filters.peek()
    if (wanted === null) return
    const end = upTo
    const { first, last } = inSight.peek()
    const query = new URLSearchParams(wanted)
    query.set('offset', String(Math.max(0, first - LOADED_AROUND)))
    query.set('limit', String(last - first + 2 * LOADED_AROUND))
    if (end > 0) query.set('upTo', String(end))
    const found = await read(query).catch(() => undefined)
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
  const showNewer = () => {
    upTo = 0
    reload()
  }

  effect(() => {
    if (filters.value === null) return
    upTo = 0
    newest = 0
    inSight.value = { first: 0, last: 0 }
    reload()
  })
  onNews(reload)
  return {
    filters,
    listing,
    isAway,
    loaded,
    inSight,
    look(first, last) {
      const seen = inSight.peek()
      if (first === seen.first && last === seen.last) return
      inSight.value = { first, last }
      const { offset, rows } = loaded.peek()
      const to = Math.min(last + OVERSCAN, listing.peek()?.total ?? 0)
      if (Math.max(0, first - OVERSCAN) < offset || to > offset + rows.length) reload()
    },
    setIsRead(now) {
      if (now === isRead) return
      isRead = now
      if (isRead) upTo = newest
      else showNewer()
    },
    showNewer,
  }
}
