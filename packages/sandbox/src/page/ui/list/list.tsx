import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListWindow } from '../../api/payments/listing.js'
import { capitalised, count } from '../parts/format.js'
import { putQuery, route } from '../route/route.js'
import type { Place } from '../route/route-hash.js'
import { onChange, oneAtATime } from '../server/live.js'

const PAGE_ROWS = 100

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

interface SearchProps {
  readonly label: string
  readonly placeholder: string
  /** What is searched for now; it may change without typing, by the browser's way back. */
  readonly text: string
  readonly found: string
  /** What Enter does, when what was typed is searched for. */
  readonly onEnter: () => void
  readonly children?: ComponentChildren
}

const PAUSE_MS = 120

/** A search that begins by itself, as soon as the typing pauses. */
function SearchField({ label, placeholder, text, found, onEnter, children }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (input.current !== null && input.current.value !== text) input.current.value = text
    return () => clearTimeout(timer.current)
  }, [text])
  const search = (typed: string, afterMs: number, then = () => {}) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      putQuery({ search: typed }, 'replace')
      then()
    }, afterMs)
  }
  return (
    <search class="search">
      <label for="search">{label}</label>
      <input
        id="search"
        ref={input}
        type="search"
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => search(event.currentTarget.value, PAUSE_MS)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && search(currentTarget.value, 0, onEnter)}
      />
      <p class="fine" aria-live="polite">
        {found}
      </p>
      {children}
    </search>
  )
}

export interface LinkedList<Row> {
  /** What a row is: the list and what is opened from it are called by it. */
  readonly thing: 'payment' | 'request'
  readonly model: ListModel<ListWindow<Row>>
  readonly linkOf: (row: Row) => RowLink
}

interface RowLink {
  readonly key: string
  readonly href: string
  readonly isOpen: boolean
  readonly tone?: string
  readonly content: ComponentChildren
}

/** A list that is moved through by arrow keys. */
function List<Row>({ thing, model, linkOf }: LinkedList<Row>) {
  const { rows = [] } = model.listing.value ?? {}
  return (
    <ul
      class="list"
      id={`${thing}s`}
      tabIndex={-1}
      aria-label={`${capitalised(thing)}s, newest first`}
      onKeyDown={moveByArrows}
    >
      {rows.map(linkOf).map((link) => (
        <Row {...link} key={link.key} />
      ))}
    </ul>
  )
}

function Row({ href, isOpen, tone, content }: RowLink) {
  // A click by a key has no detail: the focus goes to what is opened.
  const focusPane = ({ detail }: MouseEvent) => {
    if (detail === 0) document.getElementById('pane')?.focus()
  }
  return (
    <li>
      <a class="row" href={href} aria-current={isOpen} data-tone={tone} onClick={focusPane}>
        {content}
      </a>
    </li>
  )
}

function moveByArrows(event: KeyboardEvent): void {
  const { key, currentTarget } = event
  if (!(currentTarget instanceof HTMLElement)) return
  const links = [...currentTarget.querySelectorAll('a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(at + 1, links.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: links.length - 1,
  }
  const next = moves[key]
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

interface Props<Row> {
  readonly list: LinkedList<Row>
  /** What a search looks in, such as `id, amount…`. */
  readonly placeholder: string
  readonly filters?: (isOpen: boolean) => ComponentChildren
  readonly nothing: ComponentChildren
}

export function SearchedList<Row>({ list, placeholder, filters, nothing }: Props<Row>) {
  const { thing, model } = list
  const { held = 0, total = 0, offset = 0, rows = [] } = model.listing.value ?? {}
  // Where there is little room; elsewhere they are always there.
  const [isOpen, setOpen] = useState(false)
  const isKnown = model.listing.value !== null
  const all = count(held, thing)
  const isEmpty = isKnown ? total === 0 : model.isAway.value
  const found = total === held ? all : `${count(total, 'match', 'matches')} in ${all}`
  return (
    <>
      <SearchField
        label={`Search ${thing}s`}
        placeholder={placeholder}
        text={searched()}
        found={isKnown ? found : ''}
        onEnter={() => void openOnly(list)}
      >
        {filters !== undefined && (
          <button type="button" class="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Filters
          </button>
        )}
      </SearchField>
      {filters?.(isOpen)}
      {/* Another search or page is another list, from its top. */}
      {!isEmpty && <List key={model.filters.value} {...list} />}
      {total > PAGE_ROWS && <Pages from={offset} to={offset + rows.length} total={total} />}
      {isEmpty && (model.isAway.value ? <Away /> : nothing)}
    </>
  )
}

/** Opens the only match of the search. */
async function openOnly<Row>({ model, linkOf }: LinkedList<Row>): Promise<void> {
  const { rows = [] } = (await model.find(model.filters.peek() ?? '')) ?? {}
  const [only] = rows
  if (only !== undefined && rows.length === 1) location.hash = linkOf(only).href
}

/** `from` rows are on the pages before. */
function Pages({ from, to, total }: { from: number; to: number; total: number }) {
  const page = from / PAGE_ROWS + 1
  const buttonTo = (other: number, isThere: boolean, name: string) => (
    <button
      type="button"
      class="small"
      aria-disabled={!isThere}
      onClick={() => isThere && putQuery({ page: other === 1 ? '' : String(other) })}
    >
      {name}
    </button>
  )
  return (
    <nav class="pages" aria-label="Pages of the list">
      {buttonTo(page - 1, from > 0, 'Previous page')}
      <span class="fine">
        {from + 1} to {to}
      </span>
      {buttonTo(page + 1, to < total, 'Next page')}
    </nav>
  )
}

function Away() {
  return <p class="no-rows">The sandbox does not respond; this list comes back when it does.</p>
}

export function searched(): string {
  return route.value.query.get('search') ?? ''
}
