import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly placeholder: string
  /** What is searched for now; it may change without typing, by the browser's way back. */
  readonly text: string
  readonly found: string
  readonly onSearch: (text: string) => void
}

const PAUSE_MS = 120

/** A search that begins by itself, as soon as the typing pauses. */
export function SearchField({ label, placeholder, text, found, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (input.current !== null && input.current.value !== text) input.current.value = text
    return () => clearTimeout(timer.current)
  }, [text])
  const type = (typed: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(typed), PAUSE_MS)
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
        onInput={(event) => type(event.currentTarget.value)}
      />
      <p class="fine" aria-live="polite">
        {found}
      </p>
    </search>
  )
}
