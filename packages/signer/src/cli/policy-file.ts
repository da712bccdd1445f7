import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { jsonOf } from '../../../../src/client/input/json.js'
import { CommandFailed } from '../../../cli/src/exit-codes.js'
import { readText } from '../../../cli/src/files.js'
import { readPolicy, type SignerPolicy } from '../index.js'

/**
 * The policy that a file holds; the files that it names are found beside it.
 *
 * @throws {CommandFailed} or {ConfigurationError} for a file that holds none, or that others may change.
 */
export function policyIn(file: string): SignerPolicy {
  const policy = readPolicy(jsonOf(readText(file)))
  // Windows keeps permissions elsewhere.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o022) !== 0) {
    throw new CommandFailed(
      `${file} may be written by others than its owner; nothing is signed. Run "chmod go-w" on it.`,
    )
  }
  const { ids, approvals } = policy
  const beside = (name: string) => resolve(dirname(file), name)
  return {
    ...policy,
    ids: ids && beside(ids),
    approvals: approvals && { ...approvals, file: beside(approvals.file) },
  }
}

/** Where the decisions of a policy stand by default. */
export function logOf(policyFile: string): string {
  return `${policyFile.replace(/\.json$/, '')}.log`
}
