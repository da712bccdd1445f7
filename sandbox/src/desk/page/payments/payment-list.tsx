import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Row } from '../../control/messages/payments.js'
import { type DrawnRow, ListFrame } from '../list/list-frame.js'
import type { KeyedList } from '../list/list-keys.js'
import { NothingFound } from '../list/nothing-found.js'
import { isOpen, open, wantsFocus } from '../route/route.js'
import {
  inSight,
  isAway,
  isRead,
  keyOf,
  loaded,
  look,
  newer,
  pointed,
  ROW_HEIGHT,
  scrollBy,
  search,
  totals,
} from './list-model.js'
import { optionId, PaymentRow } from './payment-row.js'

const keyed: KeyedList<Row> = {
  rowHeight: ROW_HEIGHT,
  loaded,
  keyOf,
  total: () => totals.peek()?.total ?? 0,
  open(row, focusOn) {
    wantsFocus.value = focusOn === 'opened'
    if (isOpen(row.kind, row.id)) document.getElementById('payment')?.focus()
    open(row)
  },
}

export function PaymentList() {
  if (totals.value === null ? isAway.value : totals.value.total === 0) return <NoRows />
  // Another search is another list, from its top.
  return <Rows key={search.value} total={totals.value?.total ?? 0} />
}

function Rows({ total }: { total: number }) {
  const list = useRef<HTMLDivElement>(null)
  // When the list grows in front of the reader. After the rows are drawn, because there has to be room to scroll,
  // and before they are painted.
  useLayoutEffect(() => {
    if (scrollBy.value === 0) return
    if (list.current !== null) list.current.scrollTop += scrollBy.value * ROW_HEIGHT
    scrollBy.value = 0
  }, [list, scrollBy.value])
  // Room to scroll even where all rows fit, so that newer ones can wait above what is being read.
  const minHeight = newer.value === 0 ? {} : { minHeight: `calc(100% + ${newer.value * ROW_HEIGHT}px)` }
  return (
    <ListFrame
      id="payments"
      label="Payments, newest first"
      list={list}
      keyed={keyed}
      inSight={inSight}
      look={look}
      total={total}
      newer={newer.value}
      {...minHeight}
      optionId={optionId}
      onRead={read}
      onPointerLeave={leave}
    >
      {(drawn) => <Option key={keyOf(drawn.row)} total={total} {...drawn} />}
    </ListFrame>
  )
}

function read(now: boolean): void {
  isRead.value = now
}

function leave(): void {
  pointed.value = null
}

function Option({ row, index, total, isActive, onClick }: DrawnRow<Row> & { readonly total: number }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys; its options never have the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names the active option
    <div
      class="row"
      id={optionId(index)}
      role="option"
      data-kind={row.kind}
      aria-selected={isOpen(row.kind, row.id)}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-active={isActive}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
      onClick={onClick}
      onPointerEnter={() => {
        pointed.value = index
      }}
    >
      <PaymentRow row={row} />
    </div>
  )
}

function NoRows() {
  if (isAway.value)
    return <p class="no-rows">The sandbox does not answer; this list comes back when it does.</p>
  if (search.value !== '')
    return <NothingFound search={search.value}>No payment fits the search.</NothingFound>
  return (
    <div class="no-rows">
      <p>No payments yet.</p>
      <p>They appear here by themselves, the newest first.</p>
    </div>
  )
}
