import type { RequestListing } from '../../api/requests/request-listing.js'
import type { RequestKind, RequestResult } from '../../api/requests/request-row.js'
import { putQuery, route } from '../route/route.js'

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
export function RequestFilters({ counts, isOpen }: FiltersProps) {
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
