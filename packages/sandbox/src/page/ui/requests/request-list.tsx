import type { RequestRow } from '../../api/requests/request-row.js'
import type { LinkedList } from '../list/list.js'
import { ListModel } from '../list/list-model.js'
import { SearchedList } from '../list/searched-list.js'
import { amount, elapsed, time } from '../parts/format.js'
import { linkTo, openedRequest, putQuery, route } from '../route/route.js'
import { requests } from '../server/server.js'
import { RequestFilters } from './request-filters.js'
import { ResultMark, toneOf } from './result-mark.js'

export const requestList = new ListModel('requests', requests)

const list: LinkedList<RequestRow> = {
  thing: 'request',
  model: requestList,
  linkOf: (row) => {
    const number = String(row.number)
    return {
      key: number,
      href: linkTo({ view: 'requests', request: number }),
      isOpen: openedRequest.value === number,
      tone: toneOf(row),
      content: <Request row={row} />,
    }
  },
}

export function RequestList() {
  return (
    <SearchedList
      list={list}
      placeholder="path, id, amount, code, reference…"
      filters={(isOpen) => <RequestFilters counts={requestList.listing.value?.counts} isOpen={isOpen} />}
      nothing={<NoRows />}
    />
  )
}

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
  const showAll = () => {
    const names = [...route.peek().query.keys()]
    putQuery(Object.fromEntries(names.map((name) => [name, ''])))
  }
  return (
    <div class="no-rows">
      <p>No request fits.</p>
      <button type="button" onClick={showAll}>
        Show all requests
      </button>
    </div>
  )
}
