import { SearchField } from '../list/search-field.js'
import { count } from '../parts/format.js'
import { search, searchFor, totals } from './list-model.js'

export function SearchBox() {
  return (
    <SearchField
      label="Search payments"
      placeholder="id, amount, status, reference…"
      text={search.value}
      found={found()}
      onSearch={searchFor}
    />
  )
}

function found(): string {
  if (totals.value === null) return ''
  const { held, total } = totals.value
  if (search.value === '') return count(held, 'payment')
  return `${count(total, 'match', 'matches')} in ${count(held, 'payment')}`
}
