import { useEffect, useRef } from 'preact/hooks'
import type { Row } from '../control/messages.js'
import { useListKeys } from './list-keys.js'
import {
  inSight,
  keyOf,
  loaded,
  look,
  newer,
  OVERSCAN,
  ROW_HEIGHT,
  search,
  shifts,
  totals,
} from './list-model.js'
import { optionId, PaymentRow } from './payment-row.js'

/** Only the rows in sight are in the document, with a few around them, however many there are. */
export function PaymentList() {
  const list = useRef<HTMLDivElement>(null)
  const { active, keyDown, click, focus } = useListKeys(list)
  useSight(list)
  const { offset, rows } = loaded.value
  const total = totals.value?.total ?? 0
  if (totals.value !== null && total === 0) return <NoRows />
  return (
    <div class="list-frame">
      {newer.value > 0 && <NewerButton list={list} />}
      <div
        class="list"
        id="payments"
        role="listbox"
        aria-label="Payments, newest first"
        aria-activedescendant={rows[active.value - offset] === undefined ? undefined : optionId(active.value)}
        tabIndex={0}
        ref={list}
        onKeyDown={keyDown}
        onFocus={focus}
      >
        <div class="list-inner" role="presentation" style={{ height: `${total * ROW_HEIGHT}px` }}>
          {drawn(rows, offset).map(({ row, index }) => (
            <PaymentRow
              key={keyOf(row)}
              row={row}
              index={index}
              total={total}
              isActive={index === active.value}
              onClick={() => click(index)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function NoRows() {
  return <p class="no-rows">{search.value === '' ? 'No payments yet.' : 'No payment fits the search.'}</p>
}

function NewerButton({ list }: { list: { current: HTMLDivElement | null } }) {
  const toTop = () => {
    list.current?.scrollTo({ top: 0 })
    list.current?.focus()
  }
  return (
    <button type="button" class="newer" onClick={toTop}>
      ↑ {newer.value} newer
    </button>
  )
}

/** Keeps the model told which rows can be seen, and the reader where the reading is. */
function useSight(list: { current: HTMLDivElement | null }): void {
  const isThere = totals.value === null || totals.value.total > 0
  useEffect(() => {
    const element = list.current
    if (!isThere || element === null) return undefined
    const tell = () => {
      const first = Math.floor(element.scrollTop / ROW_HEIGHT)
      look(first, first + Math.ceil(element.clientHeight / ROW_HEIGHT) + 1)
    }
    const shift = (rows: number) => {
      element.scrollTop += rows * ROW_HEIGHT
    }
    const sizes = new ResizeObserver(tell)
    sizes.observe(element)
    element.addEventListener('scroll', tell, { passive: true })
    shifts.add(shift)
    tell()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', tell)
      shifts.delete(shift)
    }
  }, [list, isThere])
}

/** The rows that are in the document: those in sight and a few around them. */
function drawn(rows: readonly Row[], offset: number): { row: Row; index: number }[] {
  const { first, last } = inSight.value
  const from = Math.max(0, first - OVERSCAN - offset)
  const to = Math.max(0, last + OVERSCAN - offset)
  return rows.slice(from, to).map((row, index) => ({ row, index: offset + from + index }))
}
