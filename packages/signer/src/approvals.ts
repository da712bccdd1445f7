import { closeSync, constants, fstatSync, readFileSync } from 'node:fs'
import { type Micros, microsOf } from './money.js'
import { openRegularFile } from './regular-file.js'
import { whyOf } from './text.js'

/** What a person approved: the money of one payout, and when, in milliseconds since 1970. */
export interface Approval {
  readonly amount: Micros | undefined
  readonly currencyCode: string
  readonly at: number
}

/** What `approve` adds to the file: on a line of its own, also where a crash has left half a line. */
export function approvalLine(id: string, amount: string, currencyCode: string, nowMs: number): string {
  return `\n${[id, amount, currencyCode, new Date(nowMs).toISOString()].join('\t')}\n`
}

/** The last approval of an id among such lines. A last line without its end may be half written, and does not count. */
export function approvalIn(text: string, id: string): Approval | undefined {
  const lines = text.split('\n').slice(0, -1)
  const last = lines.findLast((line) => line.startsWith(`${id}\t`))
  if (last === undefined) return undefined
  const [, amount = '', currencyCode = '', at = ''] = last.split('\t')
  return { amount: microsOf(amount), currencyCode, at: Date.parse(at) }
}

/**
 * What is in the file of approvals.
 *
 * @throws {Error} saying why it can't be believed: a link, another user's, writable by others.
 */
export function approvalsText(path: string, uid: number): string {
  try {
    const file = openRegularFile(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const stats = fstatSync(file)
      if ((stats.mode & 0o022) !== 0) throw new Error('others than its owner may write to it')
      if (stats.uid !== uid)
        throw new Error(`it belongs to user ${stats.uid}, and the policy names user ${uid}`)
      return readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new Error(`the file of approvals can't be believed: ${whyOf(error)}`)
  }
}
