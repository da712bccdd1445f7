import { closeSync, constants, fstatSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError } from 'merchant-gateway'
import { readPolicy, type SignerPolicy } from '../policy.js'
import { openRegularFile } from '../regular-file.js'
import { jsonOf, whyOf } from '../text.js'

/**
 * The policy in a file; the file of approvals is found beside it.
 *
 * @throws {ConfigurationError} where it holds no policy, or where others may change it.
 */
export function policyIn(file: string): SignerPolicy {
  const policy = readPolicy(jsonOf(withFile(file, () => textOf(file))))
  const { approvals } = policy
  if (approvals === undefined) return policy
  return { ...policy, approvals: { ...approvals, file: resolve(dirname(file), approvals.file) } }
}

function textOf(file: string): string {
  const opened = openRegularFile(file, constants.O_RDONLY)
  try {
    // Windows keeps permissions elsewhere.
    if (process.platform !== 'win32' && (fstatSync(opened).mode & 0o022) !== 0)
      throw new Error('others than its owner may write to it (chmod go-w)')
    return readFileSync(opened, 'utf8')
  } finally {
    closeSync(opened)
  }
}

/** @throws {ConfigurationError} with what could not be done with a file. */
export function withFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ConfigurationError(`${file} can't be used: ${whyOf(cause)}.`, {}, cause)
  }
}
