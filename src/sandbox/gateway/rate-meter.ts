import type { ArrivalLimiter } from './limiter.js'

/** A second of arrivals. */
export interface Beat {
  /** Which second, counted by the clock that the limiter is asked with. */
  readonly step: number
  readonly passed: number
  readonly refused: number
}

export const STEP_MS = 1000
export const STEPS = 60

/** Counts what a limiter lets through and what it refuses, over the last minute. */
export interface Meter {
  /** The same limiter, counted. */
  measure(limiter: ArrivalLimiter): ArrivalLimiter
  /** The seconds of the last minute in which anything arrived, the oldest first. */
  read(nowMs: number): Beat[]
}

export function meter(): Meter {
  const beats = Array.from({ length: STEPS }, () => ({ step: -1, passed: 0, refused: 0 }))
  const at = (nowMs: number) => {
    const step = Math.floor(nowMs / STEP_MS)
    const beat = beats[step % STEPS] ?? { step: -1, passed: 0, refused: 0 }
    if (beat.step !== step) Object.assign(beat, { step, passed: 0, refused: 0 })
    return beat
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
      return beats
        .filter(({ step }) => step > last - STEPS && step <= last)
        .sort((a, b) => a.step - b.step)
        .map((beat) => ({ ...beat }))
    },
  }
}
