import type { Limiter } from './limiter.js'

/** How many requests passed and were refused. */
export interface RateSums {
  readonly passed: number
  readonly refused: number
}

const STEP_MS = 1000
const STEPS = 60

/** Counts what a limiter lets through and what it refuses, over the last minute. */
export interface RateMeter {
  /** The same limiter, with its decisions counted. */
  measure(limiter: Limiter): Limiter
  /** The sums of the last minute. */
  read(nowMs: number): RateSums
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
      const recent = samples.filter(({ step }) => step > last - STEPS && step <= last)
      return {
        passed: recent.reduce((sum, { passed }) => sum + passed, 0),
        refused: recent.reduce((sum, { refused }) => sum + refused, 0),
      }
    },
  }
}
