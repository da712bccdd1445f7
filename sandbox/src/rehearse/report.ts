import type { HistoryLine } from './history.js'
import { isFinding, type Outcome, type Verdict } from './judge.js'
import type { Result } from './result.js'

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
