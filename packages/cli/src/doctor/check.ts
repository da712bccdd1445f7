import type { Judged } from './finding.js'
import type { Known, With } from './known.js'

type Judgement = Judged | undefined | Promise<Judged | undefined>

export interface Check {
  readonly name: string
  readonly canJudge: (known: Known) => boolean
  /** Asks, and judges what came back; undefined where there is nothing to say. */
  readonly judge: (known: Known) => Judgement
}

/** @param needs what must be known before it can be judged. */
export function check<Need extends keyof Known = never>(
  name: string,
  needs: readonly Need[],
  judge: (known: With<Need>) => Judgement,
): Check {
  const knows = (known: Known): known is With<Need> => needs.every((need) => known[need] !== undefined)
  return { name, canJudge: knows, judge: (known) => (knows(known) ? judge(known) : undefined) }
}
