import type { RequestRow } from '../../api/requests/request-row.js'
import type { KeyedList } from '../list/list-keys.js'
import { NothingFound } from '../list/nothing-found.js'
import { SearchedList } from '../list/searched-list.js'
import { amount, elapsed, time } from '../parts/format.js'
import { goTo, openedEntry, putQuery, route } from '../route/route.js'
import { RequestFilters } from './request-filters.js'
import { requestList } from './request-model.js'
import { ResultMark, toneOf } from './result-mark.js'

const keyed: KeyedList<RequestRow> = {
  thing: 'request',
  model: requestList,
  keyOf: ({ number }) => String(number),
  isOpen: ({ number }) => openedEntry.value === String(number),
  open: ({ number }) => goTo({ view: 'requests', entry: String(number) }),
  toneOf,
}

/** Everything that was asked of the gateway, with a search and filters. */
export function RequestList() {
  return (
    <SearchedList
      keyed={keyed}
      placeholder="path, id, amount, code, reference…"
      filters={<RequestFilters />}
      nothing={<NoRows />}
    >
      {(row) => <Request row={row} />}
    </SearchedList>
  )
}

/** What is in the row of a request. */
function Request({ row }: { row: RequestRow }) {
  const { method, path, what, fault, at, tookMs, money } = row
  return (
    <>
      <ResultMark row={row} />
      <span class="exchange-path">
        <b>{method}</b> <bdi>{path}</bdi>
      </span>
      <time class="row-time" dateTime={new Date(at).toISOString()}>
        {time(at)}
      </time>
      <span class="exchange-what">
        {fault !== null && (
          <span class="pill" data-tone="forced">
            {fault}
          </span>
        )}{' '}
        {money !== null && (
          <b>
            {amount(money.amount, money.currencyCode)} {money.currencyCode}
          </b>
        )}{' '}
        {what}
      </span>
      <span class="row-time">{elapsed(tookMs)}</span>
    </>
  )
}

function NoRows() {
  if (requestList.filters.value === '') return <p class="no-rows">No request has arrived yet.</p>
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
