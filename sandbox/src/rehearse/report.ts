import type { Result } from './rehearsal.js'

/** A rehearsal that has come to its end. */
export interface Report {
  /** The arguments of the command that rehearses the same again. */
  readonly args: readonly string[]
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

/** Options as the arguments of a command; what is undefined is left out. */
export function argumentsOf(options: Readonly<Record<string, string | number | true | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
}
