import type { Environment } from '../io.js'
import { callbackChecks } from './callbacks.js'
import type { Check } from './check.js'
import { type Finding, type NeededOptions, skip } from './finding.js'
import type { Known } from './known.js'
import { liveChecks } from './live.js'
import { payChecks } from './pay.js'
import { rateCheck, reachChecks } from './reach.js'
import { rightsChecks } from './rights.js'
import { settingChecks } from './settings.js'
import { signInChecks } from './sign-in.js'

export const checks: readonly Check[] = [
  ...settingChecks,
  ...reachChecks,
  ...signInChecks,
  ...rightsChecks,
  ...payChecks,
  ...callbackChecks,
  ...liveChecks,
  rateCheck,
]

/**
 * Goes through the table. Without `pay` it only reads from the gateway.
 *
 * @param report gets each finding as soon as it is known.
 * @returns the options that this gateway needs, as far as they were seen.
 */
export async function examine(
  env: Environment,
  examination: Pick<Known, 'live' | 'pay'>,
  report: (finding: Finding) => void,
): Promise<NeededOptions> {
  const known: Known = { env, needed: {}, ...examination }
  // Of the others, nobody has asked for more than was found.
  const missed = new Set<string>()
  for (const check of checks) {
    if (!check.canJudge(known)) {
      if (reachChecks.includes(check) || signInChecks.includes(check)) missed.add(check.name)
      if (rightsChecks.includes(check)) missed.add('operations')
      continue
    }
    const judged = await check.judge(known)
    if (judged === undefined) continue
    if (missed.size > 0) report({ check: 'not checked', ...skip([...missed].join(', ')) })
    missed.clear()
    report({ check: check.name, ...judged })
  }
  return known.needed
}
