import { abortable } from '../common/limit.js'
import { Activity } from './activity.js'
import type { RunContext } from './context.js'
import type { Prepared } from './evidence.js'
import { answerTo, waitForQuiet, waitUntil } from './waiting.js'

/** Such as the order that is refunded. Nothing is armed meanwhile, and none of it is counted. */
export async function prepare(order: number, context: RunContext): Promise<Prepared | undefined> {
  const { application, calmMs, orders, gateway, patienceMs, signal, waitMs } = context
  const action = application.before?.bind(application)
  if (action === undefined) return undefined
  const activity = new Activity(orders, order)
  const seen = await answerTo((ends) => action(order, ends), patienceMs, signal)
  if (seen.end !== 'done') return seen
  await waitUntil(() => activity.payments.length > 0, waitMs, signal)
  for (const payment of activity.payments) payment.pay()
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => activity.requests.length, calmMs, context)
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  return more.length > 0 ? seen : { ...seen, paid }
}
