import type { Environment } from '../io.js'
import { checkCallbacks } from './callbacks.js'
import { type Finding, type NeededOptions, type Say, skip } from './finding.js'
import { checkLive } from './live.js'
import { checkPay, type PayCheck } from './pay.js'
import { checkRate, reaches } from './reach.js'
import { checkRights } from './rights.js'
import { readSettings } from './settings.js'
import { signIn } from './sign-in.js'

/** What `--live` and `--pay` are given. */
export interface Examination {
  readonly live?: { readonly idPayin?: string }
  readonly pay?: PayCheck
}

/** What each step needs of the ones before it. */
const steps = ['connection', 'clock', 'API version', 'signature', 'token', 'operations']

/**
 * Goes from the settings to what a token allows. Without `pay` it only reads from the gateway.
 *
 * @param report gets each finding as soon as it is known.
 * @returns the options that this gateway needs, as far as they were seen.
 */
export async function examine(
  env: Environment,
  { live, pay }: Examination,
  report: (finding: Finding) => void,
): Promise<NeededOptions> {
  const needed: NeededOptions = {}
  const say: Say = (check, judged) => judged !== undefined && report({ check, ...judged })
  const missed = (from: string) => say('not checked', skip(steps.slice(steps.indexOf(from)).join(', ')))
  const settings = readSettings(env, say)
  const { gateway, asked } = settings
  if (gateway === undefined) missed('connection')
  else if (!(await reaches(gateway, say))) missed('clock')
  else if (asked === undefined) missed('signature')
  else {
    const granted = await signIn(gateway, asked, needed, say)
    if (granted === undefined) missed('token')
    else {
      await checkRights(granted.client, say)
      if (pay !== undefined) await checkPay(gateway, granted.client, pay, needed, say)
    }
  }
  const callbacks = await checkCallbacks(env, gateway, say)
  if (live !== undefined) await checkLive(env, settings, callbacks, live.idPayin, say)
  if (gateway !== undefined) await checkRate(gateway, needed, say)
  return needed
}
