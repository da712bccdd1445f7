import { Limit } from '../../../src/client/input/limit.js'
import { Activity } from './activity.js'
import type { ActAnswer } from './application.js'
import type { RunContext } from './context.js'
import type { Prepared } from './evidence.js'
import { abortable, waitForQuiet, waitUntil } from './waiting.js'

/** How many carts are prepared side by side. */
const WIDTH = 8

/**
 * Does what has to have happened before an act, such as the order that is refunded, and pays what it made. Nothing
 * is armed meanwhile, and none of it is counted.
 */
export async function prepare(cart: number, context: RunContext): Promise<Prepared | undefined> {
  const { application, calmMs, carts, gateway, signal, waitMs } = context
  if (application.before === undefined) return undefined
  const activity = new Activity(gateway, carts, cart)
  const answer = await actBefore(cart, context)
  if (!answer.isDone) return answer
  await waitUntil(() => activity.payments.length > 0, waitMs, signal)
  for (const payment of activity.payments) payment.settle('SUCCESS')
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => activity.requests.length, calmMs, waitMs, signal)
  for (const { kind, cart, id } of activity.late()) carts.addLate(kind, cart, id)
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  return more.length > 0 ? answer : { ...answer, paid }
}

/** The same for many carts side by side, of which nobody asks what was paid. Only for a gateway that nobody else uses. */
export async function prepareAll(
  carts: readonly number[],
  context: RunContext,
): Promise<ReadonlyMap<number, Prepared>> {
  const { application, calmMs, gateway, own, signal, waitMs } = context
  const { payins } = gateway
  const done = new Map<number, Prepared>()
  if (application.before === undefined || own === undefined) return done
  const before = payins.list().length
  const next = [...carts]
  const work = async () => {
    for (let cart = next.shift(); cart !== undefined; cart = next.shift()) {
      const answer = await actBefore(cart, context)
      // What failed may have been due to the others.
      if (answer.isDone) done.set(cart, answer)
    }
  }
  own.suspendLimit()
  await Promise.all(Array.from({ length: WIDTH }, work))
  await waitUntil(() => payins.list().length - before >= done.size, waitMs, signal)
  for (const payment of payins.list().slice(before)) payment.settle('SUCCESS')
  await abortable(gateway.idle(), signal)
  await waitForQuiet(() => gateway.requests.length, calmMs, waitMs, signal)
  own.renewLimit()
  return done
}

async function actBefore(cart: number, { application, patienceMs, signal }: RunContext): Promise<ActAnswer> {
  const limit = new Limit({ signals: [signal], ms: patienceMs })
  const act = application.before?.(cart, limit.signal) ?? Promise.reject(new Error('nothing goes before'))
  return abortable(act, limit.signal)
    .catch((): ActAnswer => {
      signal.throwIfAborted()
      const isTooSlow = limit.signal.aborted
      return { isDone: false, says: isTooSlow ? `no answer within ${patienceMs / 1000} s` : 'no answer' }
    })
    .finally(() => limit.release())
}
