import { channel } from 'node:diagnostics_channel'
import type { BooksEvent, PaymentKind } from '../../index.js'
import type { BooksResult } from './types.js'

const closed = channel('merchant-gateway:books')

/** What a close has found, for metrics. */
export function publish({ currencies, open }: BooksResult): void {
  if (!closed.hasSubscribers) return
  // The oldest comes first.
  const oldest = (kind: PaymentKind) => open.find((one) => one.kind === kind)?.ageMs ?? 0
  const event: BooksEvent = {
    unexplained: currencies.map(({ currencyCode, unexplained }) => ({
      currencyCode,
      amount: Number(unexplained),
    })),
    oldestOpenMs: { payin: oldest('payin'), payout: oldest('payout') },
  }
  closed.publish(event)
}
