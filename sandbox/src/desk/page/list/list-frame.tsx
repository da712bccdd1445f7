import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { count } from '../parts/format.js'
import { type KeyedList, useListKeys } from './list-keys.js'
import { drawnRows, useSight } from './list-sight.js'

/** A row as the list draws it. */
export interface DrawnRow<Row> {
  readonly row: Row
  /** Its place in the whole list. */
  readonly index: number
  /** How many rows the whole list has. */
  readonly total: number
  readonly isActive: boolean
  readonly onClick: () => void
}

interface Props<Row> {
  /** What the list is called in addresses and by the keys. */
  readonly id: string
  /** What it is called for somebody who doesn't see it. */
  readonly label: string
  readonly keyed: KeyedList<Row>
  readonly optionId: (index: number) => string
  readonly children: (drawn: DrawnRow<Row>) => ComponentChildren
}

/** A list that is moved through by keys. Only the rows in sight are in the document, with a few around them, however many there are. */
export function ListFrame<Row>({ id, label, keyed, optionId, children }: Props<Row>) {
  const { loaded, inSight, listing, look, setIsRead, showNewer } = keyed.model
  const { total = 0, newer = 0 } = listing.value ?? {}
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { active, keyDown, click, focus } = useListKeys(list, keyed)
  useSight(list, keyed.rowHeight, look)
  const isRead = useIsRead(frame, list)
  useEffect(() => setIsRead(isRead), [isRead])
  useEffect(() => () => setIsRead(false), [])
  const { offset, rows } = loaded.value
  const toTop = () => {
    list.current?.scrollTo({ top: 0 })
    list.current?.focus()
    showNewer()
  }
  const height = `${total * keyed.rowHeight}px`
  return (
    <div class="list-frame" ref={frame}>
      <NewerBar newer={newer} onShow={toTop} />
      <div
        class="list"
        id={id}
        role="listbox"
        aria-label={label}
        aria-activedescendant={rows[active.value - offset] === undefined ? undefined : optionId(active.value)}
        tabIndex={0}
        ref={list}
        onKeyDown={keyDown}
        onFocus={focus}
      >
        <div class="list-inner" role="presentation" style={{ height, '--row': `${keyed.rowHeight}px` }}>
          {drawnRows(loaded.value, inSight.value).map(({ row, index }) =>
            children({ row, index, total, isActive: index === active.value, onClick: () => click(index) }),
          )}
        </div>
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
