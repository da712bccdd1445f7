import type { PayoutLine, PayoutQueue } from '../../bullmq/index.js'
import type { SendableLine } from '../../payout-files/payout-file.js'
import type { ReportLine } from '../../payout-files/report.js'
import { amountText } from '../../payout-files/totals.js'

/** All that a queue knows. */
export async function* reportOf(queue: PayoutQueue): AsyncGenerator<ReportLine> {
  for await (const line of queue.report()) yield reportLine(line)
}

/** In the order of the file, with the amounts as they are written there. */
export async function* reportOfFile(
  queue: PayoutQueue,
  lines: readonly SendableLine[],
): AsyncGenerator<ReportLine> {
  const found = new Map<string, ReportLine>()
  for await (const line of queue.report()) found.set(line.idPayout, reportLine(line))
  for (const { line, request } of lines) {
    const { amount, currencyCode } = request.paymentRequested.money
    const { state = 'waiting', status, reason } = found.get(request.idPayout) ?? {}
    yield {
      line,
      idPayout: request.idPayout,
      amount: amountText(amount),
      currencyCode,
      state,
      status,
      reason,
    }
  }
}

/** A line of a queue's report as the command line has it. */
export function reportLine({ idPayout, state, money, status, paid, problem }: PayoutLine): ReportLine {
  return {
    idPayout,
    state: state === 'done' ? (paid === true ? 'paid' : 'failed') : state,
    amount: money === undefined ? undefined : amountText(money.amount),
    currencyCode: money?.currencyCode,
    status,
    reason: problem?.message,
  }
}
