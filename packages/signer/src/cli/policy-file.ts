import { dirname, resolve } from 'node:path'
import { ConfigurationError } from 'merchant-gateway'
import { readPolicy, type SignerPolicy } from '../policy.js'
import { textOfGuarded } from '../regular-file.js'
import { jsonOf, whyOf } from '../text.js'

/**
 * The policy in a file; the file of approvals is found beside it.
 *
 * @throws {ConfigurationError} where it holds no policy, or where others may change it.
 */
export function policyIn(file: string): SignerPolicy {
  const policy = readPolicy(jsonOf(withFile(file, () => textOfGuarded(file))))
  const { approvals } = policy
  if (approvals === undefined) return policy
  return { ...policy, approvals: { ...approvals, file: resolve(dirname(file), approvals.file) } }
}

/** @throws {ConfigurationError} with what could not be done with a file. */
export function withFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ConfigurationError(`${file} can't be used: ${whyOf(cause)}.`, {}, cause)
  }
}
