import { callbackWords, type Row } from '../../api/payments/listing.js'
import type { KeyedList } from '../list/list-keys.js'
import { NothingFound } from '../list/nothing-found.js'
import { SearchedList, searched } from '../list/searched-list.js'
import { amount, time } from '../parts/format.js'
import { StatusChip } from '../parts/status-chip.js'
import { isOpen, open } from '../route/route.js'
import { paymentList } from './list-model.js'

const keyed: KeyedList<Row> = {
  thing: 'payment',
  model: paymentList,
  keyOf: ({ kind, id }) => `${kind}/${id}`,
  isOpen: ({ kind, id }) => isOpen(kind, id),
  open,
}

export function PaymentList() {
  return (
    <SearchedList keyed={keyed} placeholder="id, amount, status, not told…" nothing={<NoRows />}>
      {(row) => <PaymentRow row={row} />}
    </SearchedList>
  )
}

function NoRows() {
  if (searched() !== '') return <NothingFound search={searched()}>No payment fits the search.</NothingFound>
  return (
    <div class="no-rows">
      <p>No payments yet.</p>
      <p>They appear here by themselves, the newest first.</p>
    </div>
  )
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

/** A payment whose merchant has not heard of it is not well, whatever its status; one with a note may not be either. */
function Warning({ callbacks, isNoted }: Pick<Row, 'callbacks' | 'isNoted'>) {
  const words = callbackWords[callbacks]
  if (words !== undefined) {
    return (
      <span
        class="pill"
        data-tone={callbacks === 'failed' ? 'bad' : 'waiting'}
        title="The merchant has not answered a callback about this status"
      >
        {words}
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
