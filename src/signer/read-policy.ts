import { ConfigurationError } from '../index.js'
import * as z from '../profile/zod-library.js'
import type { SignerPolicy } from './policy.js'
import { policySchema } from './policy-schema.js'

/**
 * A policy, read from JSON.
 *
 * @throws {ConfigurationError} naming the place that is wrong, also for a name that is not known: a limit that is
 * spelled wrong would be none.
 * @example
 * const policy = readPolicy(JSON.parse(readFileSync('policy.json', 'utf8')))
 */
export function readPolicy(json: unknown): SignerPolicy {
  const read = z.safeParse(policySchema, json, { error: whyNot })
  const [issue] = read.error?.issues ?? []
  if (issue !== undefined) throw wrong(issue.path.map(String).join('.'), issue.message)
  if (read.data === undefined) throw wrong('', 'is none')
  for (const [currency, { approvalAbove }] of Object.entries(read.data.payouts)) {
    if (approvalAbove === undefined || read.data.approvals !== undefined) continue
    throw wrong(`payouts.${currency}.approvalAbove`, 'needs approvals, which say where approvals stand')
  }
  return read.data
}

function whyNot(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `has fields that are not known: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_key') return 'must be named by currency codes such as EUR'
  return issue.input === undefined ? 'is missing' : 'must be an object'
}

function wrong(place: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `the policy can't be read: ${place === '' ? 'it' : place} ${why}; nothing is signed.`,
    {
      option: 'policy',
    },
  )
}
