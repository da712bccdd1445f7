import type { ArrivalLimiter } from './limiter.js'

/** How many requests passed and were refused in one second. */
export interface RateSample {
  /** Which second, by the clock that the limiter is given. */
  readonly step: number
  readonly passed: number
  readonly refused: number
}

export const STEP_MS = 1000
const STEPS = 60

/** Counts what a limiter lets through and what it refuses, over the last minute. */
export interface RateMeter {
  /** The same limiter, with its decisions counted. */
  measure(limiter: ArrivalLimiter): ArrivalLimiter
  /** The seconds of the last minute in which anything arrived, the oldest first. */
  read(nowMs: number): RateSample[]
}

export function createRateMeter(): RateMeter {
  const samples = Array.from({ length: STEPS }, () => ({ step: -1, passed: 0, refused: 0 }))
  const at = (nowMs: number) => {
    const step = Math.floor(nowMs / STEP_MS)
    const sample = samples[step % STEPS] ?? { step: -1, passed: 0, refused: 0 }
    if (sample.step !== step) Object.assign(sample, { step, passed: 0, refused: 0 })
    return sample
  }
  return {
    measure: (limiter) => ({
      admit(nowMs) {
        const wait = limiter.admit(nowMs)
        if (wait > 0) at(nowMs).refused += 1
        else at(nowMs).passed += 1
        return wait
      },
    }),
    read(nowMs) {
      const last = Math.floor(nowMs / STEP_MS)
      return samples
        .filter(({ step }) => step > last - STEPS && step <= last)
        .sort((a, b) => a.step - b.step)
        .map((sample) => ({ ...sample }))
    },
  }
}
