import type { PaymentProfile } from '../../../../../src/client/profile/gateway-profile.js'

/** Statuses of the sandbox's own that the specification doesn't name. */
const passing = ['CREATED', 'PENDING']
const failed = ['FAILED', 'EXPIRED']

/**
 * A status as the gateway of a profile calls it. SUCCESS is the specification's own (section 3). For another one of
 * the sandbox's that this gateway was not seen to use, one that it uses for the same stands in: where a payment
 * passed through, or where one stayed that is not SUCCESS. A status that a test has made up stays as it is.
 */
export function statusName(status: string, { statuses = {} }: PaymentProfile): string {
  const seen = Object.entries(statuses)
  if (Object.hasOwn(statuses, status)) return status
  if (passing.includes(status)) {
    const names = seen.filter(([, meaning]) => meaning === 'passing').map(([name]) => name)
    return (status === 'CREATED' ? names.at(0) : names.at(-1)) ?? status
  }
  if (!failed.includes(status)) return status
  return seen.find(([name, meaning]) => meaning === 'final' && name !== 'SUCCESS')?.[0] ?? status
}
