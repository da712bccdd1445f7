/**
 * A wall clock that can be asked at any time, made of one that may fail. Where it does, the last good
 * reading goes on by the monotonic clock: a clock that breaks in the middle of a call must not cost the
 * answer to what became of a payment.
 *
 * @throws what the clock throws at the first reading, or a TypeError when that is no number.
 */
export function steadyClock(now: () => number): () => number {
  let last = reading(now)
  let readAt = performance.now()
  return () => {
    try {
      last = reading(now)
      readAt = performance.now()
      return last
    } catch {
      return last + (performance.now() - readAt)
    }
  }
}

function reading(now: () => number): number {
  const ms: unknown = now()
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms
  throw new TypeError('not a number of milliseconds')
}
