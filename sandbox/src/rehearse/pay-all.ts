import { isOpen } from './activity.js'
import type { Scene } from './scene.js'
import { abortable, sleep } from './waiting.js'

const MOST_ROUNDS = 4

/**
 * Lets every payment succeed, or end as the case has it, also what comes of that: a payout may follow when its payin is
 * paid, long after the act. What is armed for it lasts until it has met something.
 */
export async function payAll(scene: Scene): Promise<void> {
  const { activity, armed, context, part } = scene
  const { calmMs, gateway, signal } = context
  const { end = 'SUCCESS', moreCallbacks } = part.one
  // Whoever has sent nothing in all its time has nothing to be paid.
  if (activity.payments.length === 0) return
  const isThere = () => scene.payments.length > 0
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = activity.payments.filter(isOpen)
    if (open.length === 0 && isThere()) return
    // What earlier callbacks look up is not what goes wrong.
    await abortable(gateway.idle(), signal)
    const isMine = ({ kind }: { readonly kind: string }) => kind === part.target.kind
    if (open.some(isMine)) armed.beforePayment()
    for (const payment of open) payment.settle(isMine(payment) ? end : 'SUCCESS')
    if (moreCallbacks !== undefined) {
      for (const payment of open) payment.sendCallback({ times: moreCallbacks })
    }
    await abortable(gateway.idle(), signal)
    if (isThere()) continue
    if (!(await scene.until(() => isThere() || armed.isMet))) return
    if (armed.isMet) await sleep(armed.holdMs, signal)
    await scene.quiet(3 * calmMs)
    armed.endLasting()
    if (armed.lasts) await scene.until(() => activity.isSentAgain)
  }
}
