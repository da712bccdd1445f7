import type { Finding } from '../../../packages/cli/src/doctor/finding.js'
import { usualPace } from '../../../packages/cli/src/learn/asker.js'
import { type LearnOptions, learn } from '../../../packages/cli/src/learn/learn.js'
import { ProfileDraft } from '../../../packages/cli/src/learn/profile-draft.js'
import type { GatewayProfile } from '../../../src/client/profile/gateway-profile.js'
import { readProfile } from '../../../src/profile/read-profile.js'
import { privatePem } from '../../support/vectors.js'

/** As fast as a gateway without a limit may be asked. */
export const fastPace = { ...usualPace, gapMs: 0, quietMs: 20, pollMs: 5, holdMs: 400, timeoutMs: 3000 }

export const credentials = { GATEWAY_MERCHANT_CODE: 'M-0001', GATEWAY_PRIVATE_KEY: privatePem }

export function learnOptions(baseUrl: string, more: Partial<LearnOptions> = {}): LearnOptions {
  return {
    env: { ...credentials, GATEWAY_BASE_URL: baseUrl },
    baseUrl: new URL(baseUrl),
    unit: 'seconds',
    kind: 'key',
    requests: { money: { amount: 10, currencyCode: 'EUR' } },
    callbacks: { port: 0 },
    waitMs: 2000,
    pace: fastPace,
    ...more,
  }
}

/** What is learnt of a gateway, through the file and back. */
export async function learnt(
  options: LearnOptions,
): Promise<{ readonly profile: GatewayProfile; readonly findings: readonly Finding[] }> {
  const draft = new ProfileDraft()
  const findings: Finding[] = []
  for await (const finding of learn(options, draft, new AbortController().signal)) findings.push(finding)
  const profile = readProfile(JSON.parse(JSON.stringify(draft.profile('it was not asked'))))
  return { profile, findings }
}
