import { dirname, resolve } from 'node:path'
import { ConfigurationError } from 'merchant-gateway'
import { readPolicy, type SignerPolicy } from '../policy.js'
import { textOfGuarded } from '../regular-file.js'
import { jsonOf, whyOf } from '../text.js'

/**
 * The policy in a file; the file of approvals is found beside it.
 *
 * @throws where it holds no policy, or where others may change it ({@link ConfigurationError}).
 */
export function policyIn(file: string): SignerPolicy {
  const policy = readPolicy(jsonOf(withFile(file, () => textOfGuarded(file))))
  const { approvals } = policy
  if (approvals === undefined) return policy
  return { ...policy, approvals: { ...approvals, file: resolve(dirname(file), approvals.file) } }
}

/** @throws with what could not be done with a file ({@link ConfigurationError}). */
export function withFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ConfigurationError(`${file} can't be used: ${whyOf(cause)}.`, {}, cause)
  }
}
