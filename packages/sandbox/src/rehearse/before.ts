import { Activity } from './activity.js'
import type { RunContext } from './context.js'
import type { Prepared } from './evidence.js'
import type { Turn } from './turns.js'
import { abortable, answerTo, waitForQuiet, waitUntil } from './waiting.js'

/**
 * Does what has to have happened before an act, such as the order that is refunded, and pays what it made. Nothing is
 * armed meanwhile, and none of it is counted.
 */
export async function prepare(cart: number, context: RunContext, turn?: Turn): Promise<Prepared | undefined> {
  const { application, calmMs, carts, gateway, patienceMs, signal, waitMs } = context
  const act = application.before?.bind(application)
  if (act === undefined) return undefined
  const activity = new Activity(carts, cart)
  const order = async () => {
    const seen = await answerTo((ends) => act(cart, ends), patienceMs, signal)
    if (seen.end === 'done') await waitUntil(() => activity.payments.length > 0, waitMs, signal)
    return seen
  }
  const seen = await (turn === undefined ? order() : turn.during(order))
  if (seen.end !== 'done') return seen
  for (const payment of activity.payments) payment.settle('SUCCESS')
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => activity.requests.length, calmMs, context)
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  return more.length > 0 ? seen : { ...seen, paid }
}
