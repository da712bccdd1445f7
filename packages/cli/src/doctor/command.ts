import { Command } from 'commander'
import { moneyArgument } from '../arguments.js'
import { CommandFailed } from '../exit-codes.js'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { jsonLine } from '../text.js'
import type { LimitTry } from '../token-limits.js'
import { checksOf, exitCodeOfFindings, type Finding, linesOf, summaryOf } from './finding.js'

interface Options {
  readonly json?: true
  readonly live?: true
  readonly payin?: string
  readonly tokenLimits?: LimitTry['money']
}

export function doctorCommand(io: Io): Command {
  return new Command('doctor')
    .description('Check settings, key, clock and rights; pays nothing.')
    .option('--live', 'go through the checklist of going live as well')
    .option('--payin <ID>', 'with --live: a payin that you have paid yourself there')
    .option('--token-limits <MONEY>', 'try payouts of it that must be refused', moneyArgument)
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `${environmentHelp}\nFor callbacks: GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL.`,
    )
    .action(async ({ json, live, payin, tokenLimits }: Options) => {
      if (payin !== undefined && live !== true) throw new CommandFailed('--payin needs --live.')
      const { examine } = await import('./examine.js')
      const findings: Finding[] = []
      const check = payin === undefined ? {} : { idPayin: payin }
      for await (const finding of examine(io.env, live === true ? check : undefined, tokenLimits)) {
        findings.push(finding)
        // Printed at once, because a check may take seconds.
        if (json !== true) for (const line of linesOf(finding, io.paint, io.columns)) io.out(line)
      }
      const exitCode = exitCodeOfFindings(findings)
      io.out(
        json === true ? jsonLine({ ok: exitCode === 0, checks: checksOf(findings) }) : summaryOf(findings),
      )
      io.finish(exitCode)
    })
}
