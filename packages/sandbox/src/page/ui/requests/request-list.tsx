import type { RequestKind, RequestListing, RequestResult, RequestRow } from '../../api/requests/requests.js'
import { type LinkedList, ListModel, SearchedList } from '../list/list.js'
import { amount, elapsed, time } from '../parts/format.js'
import { ResultMark, toneOf } from '../parts/marks.js'
import { linkTo, openedRequest, putQuery, route } from '../route/route.js'
import { requests } from '../server/server.js'

const kinds: readonly (readonly [kind: RequestKind, name: string])[] = [
  ['tokens', 'Tokens'],
  ['payins', 'Payins'],
  ['payouts', 'Payouts'],
  ['info', 'Info'],
]
const results: readonly (readonly [result: RequestResult, name: string])[] = [
  ['ok', 'OK'],
  ['refused', 'Refused 4xx'],
  ['failed', 'Failed 5xx'],
  ['unanswered', 'No response'],
]

interface FiltersProps {
  readonly counts: RequestListing['counts'] | undefined
  readonly isOpen: boolean
}

/** Which requests are shown. All of it is in the address of the page. */
function RequestFilters({ counts, isOpen }: FiltersProps) {
  const { query } = route.value
  const payment = query.get('payment')
  const isFiltered = ['kind', 'result', 'fault', 'payment'].some((name) => query.has(name))
  return (
    <div class="filters" data-open={isOpen || isFiltered}>
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong */}
      <div role="group" aria-label="Endpoints">
        {kinds.map(([kind, name]) => (
          <Chip key={kind} filter="kind" value={kind}>
            {name}
          </Chip>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong */}
      <div role="group" aria-label="Result">
        {results.map(([result, name]) => (
          <Chip key={result} filter="result" value={result} amount={counts?.[result] ?? 0}>
            {name}
          </Chip>
        ))}
        <Chip filter="fault" value="yes" amount={counts?.fault ?? 0}>
          With a fault
        </Chip>
      </div>
      {payment !== null && (
        <div>
          <button type="button" class="filter" aria-pressed="true" onClick={() => putQuery({ payment: '' })}>
            Only for <bdi>{payment}</bdi> <span aria-hidden="true">✕</span>
          </button>
        </div>
      )}
    </div>
  )
}

interface ChipProps {
  readonly filter: string
  readonly value: string
  /** How many it would show; none is written where it says nothing. */
  readonly amount?: number
  readonly children: string
}

function Chip({ filter, value, amount, children }: ChipProps) {
  const isOn = route.value.query.get(filter) === value
  return (
    <button
      type="button"
      class="filter"
      aria-pressed={isOn}
      onClick={() => putQuery({ [filter]: isOn ? '' : value })}
    >
      {children}
      {amount !== undefined && ' '}
      {amount !== undefined && <b>{amount}</b>}
    </button>
  )
}

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
