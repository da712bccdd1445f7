import { routeNames } from '../../../gateway/wire/routes.js'
import type { RequestKind, RequestResult } from '../../api/requests/request-row.js'
import { putQuery, route } from '../route/route.js'
import { requestList } from './request-model.js'

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
  ['unanswered', 'Not answered'],
]

/** Which requests are shown. All of it is in the address of the page. */
export function RequestFilters() {
  const { counts } = requestList.listing.value ?? {}
  return (
    <div class="filters">
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong */}
      <div role="group" aria-label="What it was about">
        {kinds.map(([kind, name]) => (
          <Chip key={kind} filter="kind" value={kind}>
            {name}
          </Chip>
        ))}
        <Endpoint />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong */}
      <div role="group" aria-label="Result">
        {results.map(([result, name]) => (
          <Chip key={result} filter="status" value={result} amount={counts?.[result] ?? 0}>
            {name}
          </Chip>
        ))}
        <Chip filter="fault" value="yes" amount={counts?.fault ?? 0}>
          Met a fault
        </Chip>
      </div>
      <OfPayment />
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

function Endpoint() {
  const chosen = route.value.query.get('route') ?? ''
  return (
    <select
      class="filter"
      aria-label="Endpoint"
      value={chosen}
      data-on={chosen !== ''}
      onChange={(event) => putQuery({ route: event.currentTarget.value })}
    >
      <option value="">Any endpoint</option>
      {routeNames.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Only the requests of one payment; the way there is on the payment. */
function OfPayment() {
  const payment = route.value.query.get('payment')
  if (payment === null) return null
  return (
    <div>
      <button type="button" class="filter" aria-pressed="true" onClick={() => putQuery({ payment: '' })}>
        Only for <bdi>{payment}</bdi> <span aria-hidden="true">✕</span>
      </button>
    </div>
  )
}
