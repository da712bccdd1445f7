import { callbackWords, type Row } from '../../api/payments/listing.js'
import { type LinkedList, ListModel, SearchedList, searched } from '../list/list.js'
import { amount, time } from '../parts/format.js'
import { StatusChip } from '../parts/marks.js'
import { linkToPayment, opened } from '../route/route.js'
import { payments } from '../server/server.js'

export const paymentList = new ListModel('payments', payments)

const list: LinkedList<Row> = {
  thing: 'payment',
  model: paymentList,
  linkOf: (row) => ({
    key: `${row.kind}/${row.id}`,
    href: linkToPayment(row),
    isOpen: opened.value?.kind === row.kind && opened.value.id === row.id,
    content: <Payment row={row} />,
  }),
}

export function PaymentList() {
  return <SearchedList list={list} placeholder="id, amount, status, callback failed…" nothing={<NoRows />} />
}

function NoRows() {
  const search = searched()
  if (search === '') return <p class="no-rows">No payments yet. They appear here by themselves.</p>
  return (
    <div class="no-rows">
      <p>No payment fits the search.</p>
      <p>
        <a href={`#/requests?${new URLSearchParams({ search })}`}>Search the requests</a>, also those that
        were refused.
      </p>
    </div>
  )
}

function Payment({ row }: { row: Row }) {
  const { kind, id, currencyCode, createdAt } = row
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
      <Warning row={row} />
      <time class="row-time" dateTime={new Date(createdAt).toISOString()}>
        {time(createdAt)}
      </time>
    </>
  )
}

function Warning({ row: { callbacks, isNoted } }: { row: Row }) {
  if (callbacks === 'failed' || callbacks === 'retrying') {
    return (
      <span class="pill" data-tone={callbacks === 'failed' ? 'bad' : 'waiting'}>
        {callbackWords[callbacks]}
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
