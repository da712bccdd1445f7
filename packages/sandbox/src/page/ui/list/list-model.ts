import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ListWindow } from '../../api/payments/listing.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { route } from '../route/route.js'
import type { Place } from '../route/route-hash.js'
import { onChange } from '../server/live.js'

/** So many rows has a page of a list. */
export const PAGE_ROWS = 100

/** A list of which one page is loaded. While somebody reads it nothing moves in it, and new rows wait. */
export class ListModel<Found extends ListWindow<unknown>> {
  /** Search, filters and page, from the address; null while another view is shown. */
  readonly filters: ReadonlySignal<string | null>
  /** What the sandbox said last; null until its first response. */
  readonly listing = signal<Found | null>(null)
  /** Whether the sandbox did not respond when the list was last asked for. */
  readonly isAway = signal(false)
  readonly #read: (query: URLSearchParams) => Promise<Found>
  readonly #reload: () => void
  #isRead = false
  /** While the list is read it ends at the row that was the newest then; 0 for no end. */
  #upTo = 0

  constructor(view: Place['view'], read: (query: URLSearchParams) => Promise<Found>) {
    this.filters = computed(() => (route.value.place.view === view ? route.value.query.toString() : null))
    this.#read = read
    this.#reload = oneAtATime(() => this.#load())
    effect(() => {
      if (this.filters.value !== null) this.showNewer()
    })
    onChange(this.#reload)
  }

  setIsRead(isRead: boolean): void {
    if (isRead === this.#isRead) return
    this.#isRead = isRead
    if (isRead) this.#upTo = this.listing.peek()?.newest ?? 0
    else this.showNewer()
  }

  showNewer(): void {
    this.#upTo = 0
    this.#reload()
  }

  async #load(): Promise<void> {
    const wanted = this.filters.peek()
    if (wanted === null) return
    const upTo = this.#upTo
    const query = new URLSearchParams(wanted)
    query.set('offset', String((pageOf(query) - 1) * PAGE_ROWS))
    query.set('limit', String(PAGE_ROWS))
    if (upTo > 0) query.set('upTo', String(upTo))
    const found = await this.#read(query).catch(() => undefined)
    this.isAway.value = found === undefined
    if (found === undefined) return
    // Something else was wanted meanwhile.
    if (wanted !== this.filters.peek() || upTo !== this.#upTo) return this.#reload()
    if (this.#isRead) this.#upTo = upTo || found.newest
    this.listing.value = found
  }
}

/** The page that an address names: the first, when it names none that can be. */
function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}
