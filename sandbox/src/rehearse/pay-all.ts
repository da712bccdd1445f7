import type { Activity } from './activity.js'
import type { Armed } from './armed.js'
import type { FaultPlan } from './cases.js'
import type { RunContext } from './context.js'
import type { Kind } from './gateway.js'
import { abortable, sleep, waitForQuiet, waitUntil } from './waiting.js'

const MOST_ROUNDS = 4

/** What becomes of the payments, and how often that is told. */
export interface Ending extends Pick<FaultPlan, 'end' | 'moreCallbacks'> {
  readonly kind: Kind
}

/**
 * Lets every payment succeed, or end as the case has it, also what comes of that: a payout may follow when its payin is
 * paid, long after the act. What is armed for it lasts until it has met something.
 */
export async function payAll(
  activity: Activity,
  { kind, end, moreCallbacks }: Ending,
  armed: Armed,
  { calmMs, gateway, signal, waitMs }: RunContext,
): Promise<void> {
  const isThere = () => activity.payments.some((payment) => payment.kind === kind)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = activity.payments.filter(({ status }) => !isOver(status))
    if (open.length === 0 && isThere()) return
    const mine = open.filter((payment) => payment.kind === kind)
    // What earlier callbacks look up is not what goes wrong.
    await abortable(gateway.idle(), signal)
    if (mine.length > 0) armed.beforePayment()
    for (const payment of open) payment.settle((payment.kind === kind && end) || 'SUCCESS')
    if (moreCallbacks !== undefined) {
      for (const payment of open) payment.sendCallback({ times: moreCallbacks })
    }
    await abortable(gateway.idle(), signal)
    if (isThere()) continue
    if (!(await waitUntil(() => isThere() || armed.isMet, waitMs, signal))) return
    if (armed.isMet) await sleep(armed.holdMs, signal)
    await waitForQuiet(() => activity.requests.length, 3 * calmMs, waitMs, signal)
    armed.endLasting()
  }
}

function isOver(status: string): boolean {
  return status !== 'CREATED' && status !== 'PENDING'
}
