import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ListWindow } from '../../api/payments/listing.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onNews } from '../server/live.js'

/** So many rows has a page of a list. */
export const PAGE_ROWS = 100

/** A list of which one page is loaded. */
export interface ListModel<Found extends ListWindow<unknown>> {
  /** Search, filters and page, from the address; null while another view is shown. */
  readonly filters: ReadonlySignal<string | null>
  /** What the sandbox said last; null until its first answer. */
  readonly listing: ReadonlySignal<Found | null>
  /** Whether the sandbox did not answer when the list was last asked for. */
  readonly isAway: ReadonlySignal<boolean>
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
  let isRead = false
  /** The number of the newest row under these filters; 0 while that is not known. */
  let newest = 0
  /** While the list is read it ends at the row that was the newest then; 0 for no end. */
  let upTo = 0

  const reload: () => void = oneAtATime(async () => {
    const wanted = filters.peek()
    if (wanted === null) return
    const end = upTo
    const query = new URLSearchParams(wanted)
    query.set('offset', String((pageOf(query) - 1) * PAGE_ROWS))
    query.set('limit', String(PAGE_ROWS))
    if (end > 0) query.set('upTo', String(end))
    const found = await read(query).catch(() => undefined)
    isAway.value = found === undefined
    if (found === undefined) return
    // Something else was wanted meanwhile.
    if (wanted !== filters.peek() || end !== upTo) return reload()
    newest = found.newest
    if (isRead && upTo === 0) upTo = newest
    listing.value = found
  })
  const showNewer = () => {
    upTo = 0
    reload()
  }

  effect(() => {
    if (filters.value === null) return
    upTo = 0
    newest = 0
    reload()
  })
  onNews(reload)
  return {
    filters,
    listing,
    isAway,
    setIsRead(now) {
      if (now === isRead) return
      isRead = now
      if (isRead) upTo = newest
      else showNewer()
    },
    showNewer,
  }
}

/** The page that an address names: the first, when it names none that can be. */
function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}
