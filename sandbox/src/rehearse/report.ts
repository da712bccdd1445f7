import type { HistoryLine } from './history.js'
import { isFinding, type Outcome, type Verdict } from './judge.js'
import type { Result } from './rehearsal.js'

/** A rehearsal that has come to its end. */
export interface Report {
  /** The arguments of the command that rehearses the same again. */
  readonly args: readonly string[]
  readonly results: readonly Result[]
}

export type Counts = Readonly<Record<Outcome, number>>

export function countsOf(results: readonly Result[]): Counts {
  const counts = { right: 0, wrong: 0, 'not yet': 0, 'could not tell': 0, 'not played': 0 }
  for (const { verdict } of results) counts[verdict.outcome] += 1
  return counts
}

export function isGood(results: readonly Result[]): boolean {
  return results.every(({ verdict }) => !isFinding(verdict))
}

/** What goes below a finding: the rule, how it is fixed, and what to look at before. */
export function adviceOf({ rule, fix = [], hint }: Verdict): string[] {
  if (rule === undefined) return []
  return [`Broken: ${rule}`, ...(hint === undefined ? [] : [hint]), 'Fix:', ...fix.map((line) => `  ${line}`)]
}

/** The history of both sides, a line each. */
export function historyTexts(history: readonly HistoryLine[]): string[] {
  return history.map(({ atMs, who, text }) => `${sinceStart(atMs)} ${who}: ${text}`)
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
