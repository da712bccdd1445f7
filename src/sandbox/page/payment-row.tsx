import type { Row } from '../control/messages.js'
import { amount, time } from './format.js'
import { ROW_HEIGHT } from './list-model.js'
import { isOpen } from './route.js'
import { StatusChip } from './status-chip.js'

interface Props {
  readonly row: Row
  readonly index: number
  readonly total: number
  readonly isActive: boolean
  readonly onClick: () => void
}

export function optionId(index: number): string {
  return `payment-${index}`
}

export function PaymentRow({ row, index, total, isActive, onClick }: Props) {
  const { kind, id, status, currencyCode, createdAt } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys; its options never have the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names the active option
    <div
      class="row"
      id={optionId(index)}
      role="option"
      aria-selected={isOpen(kind, id)}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-active={isActive}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
      onClick={onClick}
    >
      <span class="row-kind" data-kind={kind}>
        <KindIcon kind={kind} />
        <span>{kind === 'payin' ? 'Payin' : 'Payout'}</span>
      </span>
      <span class="row-amount">
        {amount(row.amount, currencyCode)} <small>{currencyCode}</small>
      </span>
      <StatusChip status={status} />
      <span class="row-id">{id}</span>
      <time class="row-time" dateTime={new Date(createdAt).toISOString()}>
        {time(createdAt)}
      </time>
    </div>
  )
}

export function KindIcon({ kind }: { kind: Row['kind'] }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={kind === 'payin' ? 'M12 4l-8 8M4 6v6h6' : 'M4 12l8-8M12 10V4H6'} />
    </svg>
  )
}
