import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type KeyedList, useListKeys } from './list-keys.js'
import { drawnRows, type Sight, useSight } from './list-sight.js'
import { NewerBar, useIsRead } from './newer-bar.js'

/** A row as the list draws it. */
export interface DrawnRow<Row> {
  readonly row: Row
  /** Its place in the whole list. */
  readonly index: number
  readonly isActive: boolean
  readonly onClick: () => void
}

interface Props<Row> {
  /** What the list is called in addresses and by the keys. */
  readonly id: string
  /** What it is called for somebody who doesn't see it. */
  readonly label: string
  readonly list: RefObject<HTMLDivElement | null>
  readonly keyed: KeyedList<Row>
  readonly inSight: ReadonlySignal<Sight>
  /** Told of the rows that can be seen; a function that stays the same. */
  readonly look: (first: number, last: number) => void
  readonly total: number
  /** How many rows wait above the list. */
  readonly newer: number
  /** What makes room to scroll although all rows fit. */
  readonly minHeight?: string
  readonly optionId: (index: number) => string
  /** Told whether somebody reads the list, and at its end that nobody does. */
  readonly onRead: (isRead: boolean) => void
  /** The rows that wait are wanted. */
  readonly onNewer?: () => void
  readonly onPointerLeave?: () => void
  readonly children: (drawn: DrawnRow<Row>) => ComponentChildren
}

/** A list that is moved through by keys. Only the rows in sight are in the document, with a few around them, however many there are. */
export function ListFrame<Row>(props: Props<Row>) {
  const { id, label, list, keyed, inSight, look, total, newer, minHeight, optionId, onRead, children } = props
  const frame = useRef<HTMLDivElement>(null)
  const { active, keyDown, click, focus } = useListKeys(list, keyed)
  useSight(list, keyed.rowHeight, look)
  const isRead = useIsRead(frame, list)
  useEffect(() => onRead(isRead), [isRead])
  useEffect(() => () => onRead(false), [])
  const { offset, rows } = keyed.loaded.value
  const toTop = () => {
    list.current?.scrollTo({ top: 0 })
    list.current?.focus()
    props.onNewer?.()
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
        onPointerLeave={props.onPointerLeave}
      >
        <div
          class="list-inner"
          role="presentation"
          style={minHeight === undefined ? { height } : { height, minHeight }}
        >
          {drawnRows(keyed.loaded.value, inSight.value).map(({ row, index }) =>
            children({ row, index, isActive: index === active.value, onClick: () => click(index) }),
          )}
        </div>
      </div>
    </div>
  )
}
