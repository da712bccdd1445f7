import { useRef } from 'preact/hooks'
import { count } from './format.js'
import { search, searchFor, totals } from './list-model.js'

const PAUSE_MS = 120

export function SearchBox() {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const type = (text: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => searchFor(text), PAUSE_MS)
  }
  return (
    <search class="search">
      <label for="search">Search payments</label>
      <input
        id="search"
        type="search"
        placeholder="id, amount, status, reference…"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <p aria-live="polite">{found()}</p>
    </search>
  )
}

function found(): string {
  if (totals.value === null) return ''
  const { held, total } = totals.value
  if (search.value === '') return count(held, 'payment')
  return `${count(total, 'match', 'matches')} in ${count(held, 'payment')}`
}
