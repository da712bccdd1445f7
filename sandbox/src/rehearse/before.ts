import { Activity } from './activity.js'
import { answerTo } from './answer-to.js'
import type { ActAnswer } from './application.js'
import { WIDTH } from './carts.js'
import type { RunContext } from './context.js'
import type { Prepared } from './evidence.js'
import { abortable, waitForQuiet, waitUntil } from './waiting.js'

/**
 * Does what has to have happened before an act, such as the order that is refunded, and pays what it made: for one cart,
 * or for several side by side, where nobody else uses the gateway. Nothing is armed meanwhile, and none of it is counted.
 */
export async function prepare(
  wanted: readonly number[],
  context: RunContext,
): Promise<ReadonlyMap<number, Prepared>> {
  const { calmMs, carts, gateway, own, patienceMs, signal, waitMs } = context
  const act = context.application.before?.bind(context.application)
  const [first, ...others] = wanted
  if (act === undefined || first === undefined) return new Map()
  const activity = new Activity(gateway, carts, first)
  const answers = new Map<number, ActAnswer>()
  const next = [...wanted]
  const work = async () => {
    for (let cart = next.shift(); cart !== undefined; cart = next.shift()) {
      const mine = cart
      answers.set(mine, await answerTo((ends) => act(mine, ends), patienceMs, signal))
    }
  }
  if (others.length > 0) own?.suspendLimit()
  try {
    await Promise.all(Array.from({ length: WIDTH }, work))
    const done = [...answers.values()].filter(({ isDone }) => isDone)
    if (done.length > 0) {
      await waitUntil(() => activity.payments.length >= done.length, waitMs, signal)
      for (const payment of activity.payments) payment.settle('SUCCESS')
      await abortable(gateway.idle(), signal)
      await waitForQuiet(() => activity.requests.length, calmMs, waitMs, signal)
      for (const { kind, cart, id } of activity.late()) carts.addLate(kind, cart, id)
    }
  } finally {
    if (others.length > 0) own?.renewLimit()
  }
  if (others.length > 0) return answers
  const [paid, ...more] = activity.counted().filter(({ kind }) => kind === 'payin')
  const answer = answers.get(first)
  return answer === undefined || more.length > 0 ? answers : new Map([[first, { ...answer, paid }]])
}
