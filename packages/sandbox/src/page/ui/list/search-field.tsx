import { useEffect, useRef } from 'preact/hooks'
import { putQuery } from '../route/route.js'

interface Props {
  readonly label: string
  readonly placeholder: string
  /** What is searched for now; it may change without typing, by the browser's way back. */
  readonly text: string
  readonly found: string
}

const PAUSE_MS = 120

/** A search that begins by itself, as soon as the typing pauses. Enter opens the only match. */
export function SearchField({ label, placeholder, text, found }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (input.current !== null && input.current.value !== text) input.current.value = text
    return () => clearTimeout(timer.current)
  }, [text])
  const type = (typed: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => putQuery({ search: typed }, 'replace'), PAUSE_MS)
  }
  const openOnly = ({ key }: KeyboardEvent) => {
    const links = document.querySelectorAll<HTMLElement>('.list .row')
    if (key === 'Enter' && links.length === 1) links[0]?.click()
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
        onKeyDown={openOnly}
      />
      <p class="fine" aria-live="polite">
        {found}
      </p>
    </search>
  )
}
