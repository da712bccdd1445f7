import { Limit } from '../../../src/client/input/limit.js'
import { Activity } from './activity.js'
import type { ActAnswer } from './application.js'
import type { RunContext } from './context.js'
import type { Order } from './evidence.js'
import { abortable, waitForQuiet, waitUntil } from './waiting.js'

/** How what goes before an act went. */
export interface Prepared extends ActAnswer {
  /** What was paid by it; undefined where that is not one payin. */
  readonly paid?: Order | undefined
}

/**
 * Does what has to have happened before an act, such as the order that is refunded, and pays what it made. Nothing
 * is armed meanwhile, and none of it is counted.
 */
export async function prepare(cart: number, context: RunContext): Promise<Prepared | undefined> {
  const { application, calmMs, carts, gateway, patienceMs, signal, waitMs } = context
  if (application.before === undefined) return undefined
  const activity = new Activity(gateway, carts, cart)
  const limit = new Limit({ signals: [signal], ms: patienceMs })
  const answer = await abortable(application.before(cart, limit.signal), limit.signal)
    .catch((): ActAnswer => {
      signal.throwIfAborted()
      const isTooSlow = limit.signal.aborted
      return { isDone: false, says: isTooSlow ? `no answer within ${patienceMs / 1000} s` : 'no answer' }
    })
    .finally(() => limit.release())
  if (!answer.isDone) return answer
  await waitUntil(() => activity.payments.length > 0, waitMs, signal)
  for (const payment of activity.payments) payment.settle('SUCCESS')
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => activity.requests.length, calmMs, waitMs, signal)
  for (const { kind, cart, id } of activity.late()) carts.addLate(kind, cart, id)
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  return more.length > 0 ? answer : { ...answer, paid }
}
