import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ListWindow } from '../../api/payments/listing.js'
import { route } from '../route/route.js'
import type { Place } from '../route/route-hash.js'
import { onChange, oneAtATime } from '../server/live.js'

export const PAGE_ROWS = 100

export class ListModel<Found extends ListWindow<unknown>> {
  /** Search, filters and page, from the address; null while another view is shown. */
  readonly filters: ReadonlySignal<string | null>
  /** What the sandbox said last; null until its first response. */
  readonly listing = signal<Found | null>(null)
  /** Whether the sandbox did not respond when the list was last asked for. */
  readonly isAway = signal(false)

  readonly #read: (query: URLSearchParams) => Promise<Found>

  constructor(view: Place['view'], read: (query: URLSearchParams) => Promise<Found>) {
    this.#read = read
    this.filters = computed(() => (route.value.place.view === view ? route.value.query.toString() : null))
    const load = oneAtATime(async () => {
      const wanted = this.filters.peek()
      if (wanted === null) return
      const found = await this.find(wanted)
      this.isAway.value = found === undefined
      // Where something else was wanted meanwhile, it is loaded next.
      if (found !== undefined && wanted === this.filters.peek()) this.listing.value = found
    })
    effect(() => {
      if (this.filters.value !== null) load()
    })
    onChange(load)
  }

  /** Undefined when the sandbox does not respond. */
  find(filters: string): Promise<Found | undefined> {
    const query = new URLSearchParams(filters)
    query.set('offset', String((pageOf(query) - 1) * PAGE_ROWS))
    query.set('limit', String(PAGE_ROWS))
    return this.#read(query).catch(() => undefined)
  }
}

/** The page that an address names: the first, when it names none that can be. */
function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}
