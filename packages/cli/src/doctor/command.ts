import { Command } from 'commander'
import type { Money } from 'merchant-gateway'
import { moneyArgument, wholeNumber } from '../arguments.js'
import { CommandFailed } from '../exit-codes.js'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { confirm } from '../prompt.js'
import { jsonLine } from '../text.js'
import { checksOf, exitCodeOfFindings, type Finding, linesOf, summaryOf } from './finding.js'
import { linesOfNeeded, type NeededOptions } from './pay.js'

interface Options {
  readonly json?: true
  readonly live?: true
  readonly payin?: string
  readonly pay?: true
  readonly money: Money
  readonly wait: number
  readonly yes?: true
}

export function doctorCommand(io: Io): Command {
  return new Command('doctor')
    .description('Check settings, key, clock and rights.')
    .option('--live', 'go through the checklist of going live as well')
    .option('--payin <ID>', 'with --live: a payin that you have paid yourself there')
    .option('--pay', 'at a test gateway: make a payin and a payout, and print the options it needs')
    .option('--money <MONEY>', 'with --pay: of each payment (default: "10 EUR")', moneyArgument, {
      amount: 10,
      currencyCode: 'EUR',
    })
    .option('--wait <SECS>', 'with --pay: for the end of both', wholeNumber(1, 600), 60)
    .option('--yes', 'with --pay: make the payments without a question')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', environmentHelp)
    .action(async (options: Options) => {
      const { json, live, payin, pay, money, wait } = options
      if (payin !== undefined && live !== true) throw new CommandFailed('--payin needs --live.')
      if (pay === true) await askToPay(options, io)
      const { examine } = await import('./examine.js')
      const findings: Finding[] = []
      const examining = examine(io.env, {
        live: live === true ? { ...(payin !== undefined && { idPayin: payin }) } : undefined,
        pay: pay === true ? { money, waitMs: wait * 1000 } : undefined,
      })
      let needed: NeededOptions = {}
      for (;;) {
        const { done, value } = await examining.next()
        if (done === true) needed = value
        if (done === true) break
        findings.push(value)
        // Printed at once, because a check may take seconds.
        if (json !== true) for (const line of linesOf(value, io.paint, io.columns)) io.out(line)
      }
      const exitCode = exitCodeOfFindings(findings)
      const more = pay === true ? { options: needed } : {}
      if (json === true) io.out(jsonLine({ ok: exitCode === 0, checks: checksOf(findings), ...more }))
      else {
        io.out(summaryOf(findings))
        if (pay === true) for (const line of linesOfNeeded(needed)) io.out(line)
      }
      io.finish(exitCode)
    })
}

/** @throws {CommandFailed} unless the gateway is for tests, and somebody has said that payments may be made. */
async function askToPay({ money, yes }: Options, io: Io): Promise<void> {
  if (io.env.GATEWAY_LIVE?.trim() !== 'false') {
    throw new CommandFailed('--pay makes payments, which are for a test gateway: set GATEWAY_LIVE=false.')
  }
  await confirm(
    {
      question: `Make one payin and one payout of ${money.amount} ${money.currencyCode} at ${io.env.GATEWAY_BASE_URL}?`,
      nobody: 'nobody can be asked here whether payments may be made, so nothing was sent; give --yes.',
      no: 'nothing was sent.',
    },
    yes === true,
    io,
  )
}
