import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../parts/format.js'
import { putQuery, route } from '../route/route.js'
import { type LinkedList, List } from './list.js'
import { PAGE_ROWS } from './list-model.js'
import { SearchField } from './search-field.js'

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
