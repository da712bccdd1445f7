import { Limit } from '../../../../src/client/input/limit.js'
import type { BooksProgress } from './types.js'

/** The gateway takes ten requests a second (specification, section 8). */
const msEach = 100
/** How many are under way at once: the budget paces them, this keeps memory flat. */
const atOnce = 10

/** Counts look-ups, and says how far they are. */
export function lookUpCount(onProgress: ((progress: BooksProgress) => void) | undefined) {
  let [done, total] = [0, 0]
  const say = () => onProgress?.({ done, total, remainingMs: (total - done) * msEach })
  return {
    more(count: number) {
      total += count
      if (count > 0) say()
    },
    did() {
      done++
      say()
    },
  }
}

/** Runs `run` over all of them, ten at once; the first that fails ends the others, and is what it rejects with. */
export async function forAll<T>(
  all: readonly T[],
  signal: AbortSignal | undefined,
  run: (one: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const either = new Limit({ signals: signal === undefined ? [stop.signal] : [signal, stop.signal] })
  const rest = all.values()
  let failure: { readonly error: unknown } | undefined
  const work = async () => {
    try {
      for (const one of rest) {
        either.signal.throwIfAborted()
        await run(one, either.signal)
      }
    } catch (error) {
      failure ??= { error }
      stop.abort()
    }
  }
  // None is left behind, not even when one fails.
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work))
  either.release()
  signal?.throwIfAborted()
  if (failure !== undefined) throw failure.error
}
