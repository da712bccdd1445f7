import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { capitalised, count } from '../parts/format.js'
import { type KeyedList, useListKeys } from './list-keys.js'

interface Props<Row> {
  readonly keyed: KeyedList<Row>
  readonly children: (row: Row) => ComponentChildren
}

/** A list that is moved through by keys. */
export function ListFrame<Row>({ keyed, children }: Props<Row>) {
  const { thing, keyOf, isOpen, toneOf } = keyed
  const { listing, setIsRead, showNewer } = keyed.model
  const { rows = [], offset = 0, total = 0, newer = 0 } = listing.value ?? {}
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { active, keyDown, click, focus } = useListKeys(keyed)
  const isRead = useIsRead(frame, list)
  useEffect(() => setIsRead(isRead), [isRead])
  useEffect(() => () => setIsRead(false), [])
  const toTop = () => {
    list.current?.scrollTo({ top: 0 })
    list.current?.focus()
    showNewer()
  }
  const optionId = (index: number) => `${thing}-${index}`
  return (
    <div class="list-frame" ref={frame}>
      <NewerBar newer={newer} onShow={toTop} />
      <div
        class="list"
        id={`${thing}s`}
        role="listbox"
        aria-label={`${capitalised(thing)}s, newest first`}
        aria-activedescendant={rows[active.value] === undefined ? undefined : optionId(active.value)}
        tabIndex={0}
        ref={list}
        onKeyDown={keyDown}
        onFocus={focus}
      >
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys; its options never have the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names the active option
          <div
            key={keyOf(row)}
            class="row"
            id={optionId(index)}
            role="option"
            aria-selected={isOpen(row)}
            aria-posinset={offset + index + 1}
            aria-setsize={total}
            data-active={index === active.value}
            data-tone={toneOf?.(row)}
            onClick={() => click(index)}
          >
            {children(row)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Rows that wait above the list until the reader wants them. */
function NewerBar({ newer, onShow }: { newer: number; onShow: () => void }) {
  if (newer === 0) return null
  return (
    <button type="button" class="newer primary small" onClick={onShow}>
      ↑ {count(newer, 'newer', 'newer')}
    </button>
  )
}

type Place = { readonly current: HTMLElement | null }

const events = ['scroll', 'pointerenter', 'pointerleave', 'focusin', 'focusout', 'keydown'] as const

/**
 * Whether somebody reads a list at this moment: it is scrolled, the pointer is over it, or it is used by keys.
 * Then nothing may move in it, and new rows wait.
 *
 * @param frame the list and the bar above it, which the pointer must be able to reach
 */
function useIsRead(frame: Place, list: Place): boolean {
  const isRead = useSignal(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () => {
      const isScrolled = (list.current?.scrollTop ?? 0) > 0
      isRead.value =
        isScrolled || element.matches(':hover') || list.current?.matches(':focus-visible') === true
    }
    // Scrolling and the focus reach the frame only on their way down.
    for (const event of events) element.addEventListener(event, look, { capture: true, passive: true })
    look()
    return () => {
      for (const event of events) element.removeEventListener(event, look, { capture: true })
      isRead.value = false
    }
  }, [frame, list])
  return isRead.value
}
