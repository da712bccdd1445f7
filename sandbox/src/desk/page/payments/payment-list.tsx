import type { CallbackHealth } from '../../../gateway/callbacks/health.js'
import type { Row } from '../../control/payments/listing.js'
import { type DrawnRow, ListFrame } from '../list/list-frame.js'
import type { KeyedList } from '../list/list-keys.js'
import { NothingFound } from '../list/nothing-found.js'
import { SearchField } from '../list/search-field.js'
import { amount, count, time } from '../parts/format.js'
import { StatusChip } from '../parts/status-chip.js'
import { isOpen, open, putQuery, route, wantsFocus } from '../route/route.js'
import { paymentList } from './list-model.js'

/** In pixels. */
const ROW_HEIGHT = 56
const { listing, isAway, filters } = paymentList

const keyed: KeyedList<Row> = {
  rowHeight: ROW_HEIGHT,
  model: paymentList,
  keyOf,
  open(row, focusOn) {
    wantsFocus.value = focusOn === 'opened'
    if (isOpen(row.kind, row.id)) document.getElementById('payment')?.focus()
    open(row)
  },
}

function keyOf({ kind, id }: Row): string {
  return `${kind}/${id}`
}

function searched(): string {
  return route.value.query.get('search') ?? ''
}

export function PaymentList() {
  if (isEmpty()) return <NoRows />
  // Another search is another list, from its top.
  return (
    <ListFrame
      key={filters.value}
      id="payments"
      label="Payments, newest first"
      keyed={keyed}
      optionId={optionId}
    >
      {(drawn) => <Option key={keyOf(drawn.row)} {...drawn} />}
    </ListFrame>
  )
}

function isEmpty(): boolean {
  if (listing.value === null) return isAway.value
  return listing.value.total === 0 && listing.value.newer === 0
}

function Option({ row, index, total, isActive, onClick }: DrawnRow<Row>) {
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
    >
      <PaymentRow row={row} />
    </div>
  )
}

function NoRows() {
  if (isAway.value)
    return <p class="no-rows">The sandbox does not answer; this list comes back when it does.</p>
  if (searched() !== '') return <NothingFound search={searched()}>No payment fits the search.</NothingFound>
  return (
    <div class="no-rows">
      <p>No payments yet.</p>
      <p>They appear here by themselves, the newest first.</p>
    </div>
  )
}

function optionId(index: number): string {
  return `payment-${index}`
}

/** What is in the row of a payment. */
function PaymentRow({ row }: { row: Row }) {
  const { kind, id, currencyCode, createdAt, callbacks, isNoted } = row
  return (
    <>
      <span class="row-kind">
        <KindIcon kind={kind} />
        <span>{kind === 'payin' ? 'Payin' : 'Payout'}</span>
      </span>
      <b>
        {amount(row.amount, currencyCode)} <small>{currencyCode}</small>
      </b>
      <StatusChip status={row.status} />
      <span class="row-id">
        <bdi>{id}</bdi>
      </span>
      <Warning callbacks={callbacks} isNoted={isNoted} />
      <time class="row-time" dateTime={new Date(createdAt).toISOString()}>
        {time(createdAt)}
      </time>
    </>
  )
}

const unheard: Readonly<Partial<Record<CallbackHealth, { readonly tone: string; readonly text: string }>>> = {
  failed: { tone: 'bad', text: 'not told' },
  retrying: { tone: 'waiting', text: 'callback fails' },
}

/** A payment whose merchant has not heard of it is not well, whatever its status; one with a note may not be either. */
function Warning({ callbacks, isNoted }: Pick<Row, 'callbacks' | 'isNoted'>) {
  const found = unheard[callbacks]
  if (found !== undefined) {
    return (
      <span
        class="pill"
        data-tone={found.tone}
        title="The merchant has not answered a callback about this status"
      >
        {found.text}
      </span>
    )
  }
  return isNoted ? (
    <span class="pill" data-tone="waiting" title="A gateway may not accept this">
      see its note
    </span>
  ) : null
}

function KindIcon({ kind }: { kind: Row['kind'] }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={kind === 'payin' ? 'M12 4l-8 8M4 6v6h6' : 'M4 12l8-8M12 10V4H6'} />
    </svg>
  )
}

export function SearchBox() {
  return (
    <SearchField
      label="Search payments"
      placeholder="id, amount, status, reference…"
      text={searched()}
      found={found()}
      onSearch={(text) => putQuery({ search: text }, 'replace')}
    />
  )
}

function found(): string {
  if (listing.value === null) return ''
  const { held, total, newer } = listing.value
  if (searched() === '') return count(held, 'payment')
  return `${count(total + newer, 'match', 'matches')} in ${count(held, 'payment')}`
}
