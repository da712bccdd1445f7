import { closeSync, constants, writeFileSync } from 'node:fs'
import { ConfigurationError } from 'merchant-gateway'
import { approvalLine } from '../approvals.js'
import { microsOf, moneyText } from '../money.js'
import { openRegularFile } from '../regular-file.js'
import { visible } from '../text.js'
import { isId } from '../token-request.js'
import { policyIn, withFile } from './policy-file.js'

/** The options of the command line. */
export interface ApproveOptions {
  readonly policy: string
  /** It is said, and not read from the log: a thief may have requested another amount meanwhile. */
  readonly money: { readonly amount: string; readonly currencyCode: string }
}

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** Writes an approval into the file that this user owns and the signer reads. */
export function approve(id: string, { policy: policyFile, money }: ApproveOptions): void {
  const { approvals } = policyIn(policyFile)
  if (approvals === undefined) throw failed(`${policyFile} names no approvals`)
  const { file, uid } = approvals
  if (process.getuid?.() !== uid) throw failed(`user ${uid} approves: run it as that user`)
  if (!isId(id)) throw failed('no payout can have that id')
  const line = approvalLine(id, money.amount, money.currencyCode, Date.now())
  withFile(file, () => {
    const opened = openRegularFile(file, flags, 0o644)
    try {
      writeFileSync(opened, line, { flush: true })
    } finally {
      closeSync(opened)
    }
  })
  const shown = moneyText(microsOf(money.amount) ?? 0n, money.currencyCode)
  process.stdout.write(`approved for a day: payout ${visible(id)} of ${shown}\n`)
}

function failed(why: string): ConfigurationError {
  return new ConfigurationError(`${why}; nothing was approved.`)
}
