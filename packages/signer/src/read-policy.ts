import { ConfigurationError } from '../../../src/index.js'
import * as z from '../../../src/profile/zod-library.js'
import { policySchema, type SignerPolicy } from './policy.js'

/**
 * A policy, read from JSON.
 *
 * @throws {ConfigurationError} naming the place that is wrong, also for a name that is not known: a limit that is
 * spelled wrong would be none.
 * @example
 * const policy = readPolicy(JSON.parse(readFileSync('policy.json', 'utf8')))
 */
export function readPolicy(json: unknown): SignerPolicy {
  const { data: policy, error } = z.safeParse(policySchema, json, { error: whyNot })
  if (policy === undefined) {
    const [issue] = error.issues
    throw wrong(issue?.path.map(String).join('.') || 'it', issue?.message ?? 'is none')
  }
  for (const [currency, { approvalAbove }] of Object.entries(policy.payouts)) {
    if (approvalAbove === undefined || policy.approvals !== undefined) continue
    throw wrong(`payouts.${currency}.approvalAbove`, 'needs approvals, which say where approvals stand')
  }
  return policy
}

function whyNot(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `has fields that are not known: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_key') return 'must be named by currency codes such as EUR'
  return issue.input === undefined ? 'is missing' : 'must be an object'
}

function wrong(place: string, why: string): ConfigurationError {
  const sentence = `the policy can't be read: ${place} ${why}; nothing is signed.`
  return new ConfigurationError(sentence, { option: 'policy' })
}
