import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { putQuery } from '../route/route.js'

interface Props {
  readonly label: string
  readonly placeholder: string
  /** What is searched for now; it may change without typing, by the browser's way back. */
  readonly text: string
  readonly found: string
  /** What Enter does, when what was typed is searched for. */
  readonly onEnter: () => void
  readonly children?: ComponentChildren
}

const PAUSE_MS = 120

/** A search that begins by itself, as soon as the typing pauses. */
export function SearchField({ label, placeholder, text, found, onEnter, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (input.current !== null && input.current.value !== text) input.current.value = text
    return () => clearTimeout(timer.current)
  }, [text])
  const search = (typed: string, afterMs: number, then = () => {}) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      putQuery({ search: typed }, 'replace')
      then()
    }, afterMs)
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
        onInput={(event) => search(event.currentTarget.value, PAUSE_MS)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && search(currentTarget.value, 0, onEnter)}
      />
      <p class="fine" aria-live="polite">
        {found}
      </p>
      {children}
    </search>
  )
}
