import type { Armed } from './armed.js'
import type { Kind } from './gateway.js'
import type { Stage } from './stage.js'
import { orAborted, pause, quiet, until } from './waits.js'
import type { Window } from './window.js'

const MOST_ROUNDS = 4

/**
 * Lets every payment succeed, also what comes of that: a payout may follow when its payin is paid, long after the
 * act. What is armed for it lasts until it has met something.
 */
export async function payAll(
  window: Window,
  kind: Kind,
  armed: Armed,
  { calmMs, gateway, signal, waitMs }: Stage,
): Promise<void> {
  const isThere = () => window.payments.some((payment) => payment.kind === kind)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = window.payments.filter(({ status }) => !isOver(status))
    if (open.length === 0 && isThere()) return
    for (const payment of open) payment.settle('SUCCESS')
    await orAborted(gateway.idle(), signal)
    if (isThere()) continue
    if (!(await until(() => isThere() || armed.isMet, waitMs, signal))) return
    if (armed.isMet) await pause(armed.holdMs, signal)
    await quiet(gateway, 3 * calmMs, waitMs, signal)
    armed.endLasting()
  }
}

function isOver(status: string): boolean {
  return status !== 'CREATED' && status !== 'PENDING'
}
