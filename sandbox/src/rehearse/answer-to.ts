import { Limit, limited } from '../../../src/client/input/limit.js'
import type { ActAnswer } from './application.js'
import { abortable } from './waiting.js'

/** What a person sees of an act. */
export interface Seen extends ActAnswer {
  /** Whether the person waited no longer. */
  readonly isTooSlow: boolean
}

/**
 * How an act is answered to a person who waits for `patienceMs`. What rejects has failed.
 *
 * @param killed ends the act, where that is the application
 * @throws the reason of `signal` when that fires
 */
export async function answerTo(
  act: (signal: AbortSignal) => Promise<ActAnswer>,
  patienceMs: number,
  signal: AbortSignal,
  killed?: AbortSignal,
): Promise<Seen> {
  const patience = new Limit({ ms: patienceMs })
  const signals = [signal, patience.signal, ...(killed ? [killed] : [])]
  try {
    const answer = await limited({ signals }, (ends) => abortable(act(ends), ends))
    return { ...answer, isTooSlow: false }
  } catch {
    signal.throwIfAborted()
    const isTooSlow = patience.signal.aborted
    const late = isTooSlow ? `no answer within ${patienceMs / 1000} s` : 'no answer'
    return { isDone: false, says: killed?.aborted ? 'killed' : late, isTooSlow }
  } finally {
    patience.release()
  }
}
