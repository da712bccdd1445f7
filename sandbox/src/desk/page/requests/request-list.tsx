import type { RequestRow } from '../../control/requests/request-row.js'
import { ListFrame } from '../list/list-frame.js'
import type { KeyedList } from '../list/list-keys.js'
import { NothingFound } from '../list/nothing-found.js'
import { SearchField } from '../list/search-field.js'
import { count } from '../parts/format.js'
import { goTo, openedEntry, putQuery, route, wantsFocus } from '../route/route.js'
import { RequestFilters } from './request-filters.js'
import { requestList } from './request-model.js'
import { optionId, RequestOption, ROW_HEIGHT } from './request-option.js'

const { listing, isAway, filters } = requestList

const keyed: KeyedList<RequestRow> = {
  rowHeight: ROW_HEIGHT,
  model: requestList,
  keyOf: ({ key }) => key,
  open({ key }, focusOn) {
    wantsFocus.value = focusOn === 'opened'
    if (openedEntry.peek() === key) document.getElementById('request')?.focus()
    goTo({ view: 'requests', entry: key })
  },
}

/** Everything that was asked of the gateway, with a search and filters. */
export function RequestList() {
  return (
    <>
      <SearchField
        label="Search requests"
        placeholder="path, id, amount, code, reference…"
        text={route.value.query.get('search') ?? ''}
        found={found()}
        onSearch={(text) => putQuery({ search: text }, 'replace')}
      />
      <RequestFilters />
      {isEmpty() ? (
        <NoRows />
      ) : (
        <ListFrame
          key={filters.value}
          id="requests"
          label="Requests, newest first"
          keyed={keyed}
          optionId={optionId}
        >
          {(drawn) => <RequestOption key={drawn.row.key} {...drawn} />}
        </ListFrame>
      )}
    </>
  )
}

function isEmpty(): boolean {
  if (listing.value === null) return isAway.value
  return listing.value.total === 0 && listing.value.newer === 0
}

function NoRows() {
  if (isAway.value)
    return <p class="no-rows">The sandbox does not answer; this list comes back when it does.</p>
  if (filters.value === '') return <p class="no-rows">No request has arrived yet.</p>
  return (
    <div class="no-rows">
      <NothingFound search="">No request fits.</NothingFound>
      <button type="button" onClick={showAll}>
        Show all requests
      </button>
    </div>
  )
}

function showAll(): void {
  const names = [...route.peek().query.keys()]
  putQuery(Object.fromEntries(names.map((name) => [name, ''])))
}

function found(): string {
  if (listing.value === null) return ''
  const { held, total, newer } = listing.value
  const isCallbacks = route.value.query.get('kind') === 'callbacks'
  const all = isCallbacks ? count(held, 'failed callback') : count(held, 'request')
  return total + newer === held ? all : `${count(total + newer, 'match', 'matches')} in ${all}`
}
