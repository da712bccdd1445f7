import type { RequestRow } from '../../control/requests/request-row.js'
import type { DrawnRow } from '../list/list-frame.js'
import { amount, elapsed, time } from '../parts/format.js'
import { openedEntry } from '../route/route.js'
import { ResultMark, toneOf } from './result-mark.js'

/** In pixels. */
export const ROW_HEIGHT = 52

export function optionId(index: number): string {
  return `request-${index}`
}

export function RequestOption({ row, index, total, isActive, onClick }: DrawnRow<RequestRow>) {
  const { type, key, method, path, what, fault, at, tookMs, payment, money } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys; its options never have the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names the active option
    <div
      class="row exchange-row"
      id={optionId(index)}
      role="option"
      aria-selected={openedEntry.value === key}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-active={isActive}
      data-tone={toneOf(row)}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
      onClick={onClick}
    >
      <ResultMark row={row} />
      <span class="exchange-path">
        <b>{method}</b> {type === 'callback' && <bdi>{payment?.id} at</bdi>} <bdi>{path}</bdi>
      </span>
      <time class="row-time" dateTime={new Date(at).toISOString()}>
        {time(at)}
      </time>
      <span class="exchange-what">
        {fault !== null && (
          <span class="pill" data-tone="forced">
            {fault}
          </span>
        )}{' '}
        {money !== null && (
          <b>
            {amount(money.amount, money.currencyCode)} {money.currencyCode}
          </b>
        )}{' '}
        {what}
      </span>
      <span class="row-time">{type === 'request' && elapsed(tookMs)}</span>
    </div>
  )
}
