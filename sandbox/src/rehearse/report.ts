import type { Kind } from './gateway.js'
import type { Result } from './rehearsal.js'

/** How the application was rehearsed. */
export interface Setup {
  readonly act: string
  /** The arguments of the command that rehearses the same again. */
  readonly args: readonly string[]
}

/** A rehearsal that has come to its end. */
export interface Report {
  readonly setup: Setup
  readonly kind: Kind | undefined
  readonly results: readonly Result[]
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function countsOf(results: readonly Result[]): Counts {
  const count = (outcome: Result['verdict']['outcome']) =>
    results.filter(({ verdict }) => verdict.outcome === outcome).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** A time in a history, such as `+1.5 s`. */
export function sinceStart(atMs: number): string {
  return `+${(atMs / 1000).toFixed(1)} s`
}
