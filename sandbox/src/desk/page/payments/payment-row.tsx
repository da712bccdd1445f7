import type { CallbackHealth, Row } from '../../control/messages/payments.js'
import { amount, time } from '../parts/format.js'
import { StatusChip } from '../parts/status-chip.js'

export function optionId(index: number): string {
  return `payment-${index}`
}

/** What is in the row of a payment. */
export function PaymentRow({ row }: { row: Row }) {
  const { kind, id, currencyCode, createdAt, callbacks, isNoted } = row
  return (
    <>
      <span class="row-kind" data-kind={kind}>
        <KindIcon kind={kind} />
        <span>{kind === 'payin' ? 'Payin' : 'Payout'}</span>
      </span>
      <span class="row-amount">
        {amount(row.amount, currencyCode)} <small>{currencyCode}</small>
      </span>
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
