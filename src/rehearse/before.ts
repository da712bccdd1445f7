import type { ActAnswer } from './application.js'
import type { Stage } from './stage.js'
import { orAborted, quiet, until } from './waits.js'
import { Window } from './window.js'

/**
 * Does what has to have happened before an act, such as the order that is refunded, and pays what it made. Nothing
 * is armed meanwhile, and none of it is counted.
 */
export async function prepare(cart: number, stage: Stage): Promise<ActAnswer | undefined> {
  const { application, calmMs, gateway, patienceMs, signal, waitMs } = stage
  if (application.before === undefined) return undefined
  const window = new Window(gateway)
  const impatience = AbortSignal.timeout(patienceMs)
  const ends = AbortSignal.any([signal, impatience])
  const answer = await orAborted(application.before(cart, ends), ends).catch((): ActAnswer => {
    signal.throwIfAborted()
    return {
      isDone: false,
      says: impatience.aborted ? `no answer within ${patienceMs / 1000} s` : 'no answer',
    }
  })
  if (!answer.isDone) return answer
  await until(() => window.payments.length > 0, waitMs, signal)
  for (const payment of window.payments) payment.settle('SUCCESS')
  await orAborted(gateway.idle(), signal)
  await quiet(gateway, calmMs, waitMs, signal)
  return answer
}
