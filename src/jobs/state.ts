import { isObject } from '../client/input/values.js'
import type { Outcome } from '../index.js'
import { stronger } from './decide.js'
import type { PaymentJobState } from './types.js'

/**
 * The state that a run begins with. Where the stored state is not of the run just before, that run was lost (a killed
 * process, a state that was not stored or can't be read), and nobody knows what it sent.
 */
export function stateFor(stored: unknown, starts: number): PaymentJobState {
  const before = readState(stored)
  if (before === undefined) {
    const isFirst = (stored === undefined || stored === null) && starts === 1
    return { v: 1, step: 'create', outcome: isFirst ? 'not-accepted' : 'unknown', starts, tries: 0 }
  }
  const wasLost = before.starts !== starts - 1
  return { ...before, outcome: wasLost ? stronger(before.outcome, 'unknown') : before.outcome, starts }
}

/** A stored state, when it is one. */
export function readState(stored: unknown): PaymentJobState | undefined {
  if (!isObject(stored)) return undefined
  const { v, step, outcome, starts, tries, followedAt } = stored
  if (v !== 1 || !isStep(step) || !isOutcome(outcome) || !isCount(starts) || !isCount(tries)) return undefined
  // Only what was accepted is followed.
  if (step === 'follow' && outcome !== 'accepted') return undefined
  return { v, step, outcome, starts, tries, ...(isCount(followedAt) ? { followedAt } : {}) }
}

function isStep(value: unknown): value is PaymentJobState['step'] {
  return value === 'create' || value === 'follow'
}

function isOutcome(value: unknown): value is Outcome {
  return value === 'not-accepted' || value === 'unknown' || value === 'accepted'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** For a run of what was done, such as after a callback: it looks the payment up and follows it anew. */
export function stateOfDone(starts: number): PaymentJobState {
  return { v: 1, step: 'follow', outcome: 'accepted', starts, tries: 0 }
}
