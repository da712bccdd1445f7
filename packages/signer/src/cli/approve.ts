import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { whyNoId } from '../../../../src/client/input/payment-id.js'
import { confirm } from '../../../cli/src/confirm.js'
import { CommandFailed, exitCodes } from '../../../cli/src/exit-codes.js'
import { fileProblem, withFile } from '../../../cli/src/files.js'
import type { Io } from '../../../cli/src/io.js'
import { printable } from '../../../cli/src/text.js'
import { amountText, microsOf, moneyText } from '../money.js'
import { logEntries } from '../verify-log.js'
import { logOf, policyIn } from './policy-file.js'

/** What stands on the line of arguments. */
export interface ApproveOptions {
  readonly policy: string
  readonly log?: string
  readonly money?: Money
  readonly yes?: true
}

interface Money {
  readonly amount: string
  readonly currencyCode: string
}

/** Writes an approval into the file that this user owns and the signer reads. */
export async function approve(id: string, options: ApproveOptions, io: Io): Promise<void> {
  const { policy: file, log = logOf(file), yes } = options
  const { approvals } = policyIn(file)
  if (approvals === undefined) throw new CommandFailed(`${file} names no approvals; nothing was approved.`)
  if (process.getuid?.() !== approvals.uid) {
    throw new CommandFailed(
      `approvals are those of user ${approvals.uid}: run it as that user; nothing was approved.`,
    )
  }
  const why = whyNoId(id)
  if (why !== undefined) throw new CommandFailed(`the id ${why}; nothing was approved.`)
  if (yes === true && options.money === undefined) {
    // A thief may have asked for more meanwhile.
    throw new CommandFailed(
      'with --yes nobody is shown what is approved, so say it by --money; nothing was approved.',
    )
  }
  const { amount, currencyCode } = options.money ?? (await lastRefused(log, id))
  const micros = microsOf(amount)
  if (micros === undefined) throw new CommandFailed('that is no amount; nothing was approved.')
  const money = moneyText(micros, currencyCode)
  const payout = printable(`payout ${id} of ${money}`)
  const answers = {
    question: `Approve ${payout}?`,
    nobody: `${payout}: give --money '${money}' --yes to approve it; nothing was approved.`,
    no: 'nothing was approved.',
  }
  await confirm(answers, yes === true, io)
  const line = [id, amountText(micros), currencyCode, new Date().toISOString()].join('\t')
  // On a line of its own also where a crash has left half of one.
  withFile(approvals.file, () => append(approvals.file, `\n${line}\n`))
  io.out(`approved for a day: ${payout}`)
  io.finish(exitCodes.ok)
}

/** What was asked for: of a thief's several amounts the last one, which is shown before it is approved. */
async function lastRefused(log: string, id: string): Promise<Money> {
  let last: Money | undefined
  try {
    for await (const entry of logEntries(log)) {
      const { rule, amount, currencyCode } = entry
      if (entry.id !== id || rule !== 'approval') continue
      if (amount !== undefined && currencyCode !== undefined) last = { amount, currencyCode }
    }
  } catch (error) {
    throw new CommandFailed(`${log} ${fileProblem(error)}; give --money, or a --log that this user may read.`)
  }
  if (last !== undefined) return last
  throw new CommandFailed('the log has no payout of that id that waits for an approval; give --money.')
}

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

function append(file: string, text: string): void {
  const opened = openSync(file, flags, 0o644)
  try {
    writeFileSync(opened, text, { flush: true })
  } finally {
    closeSync(opened)
  }
}
