import { Command } from 'commander'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { jsonLine } from '../text.js'
import { examine } from './examine.js'
import { exitCodeOfFindings, type Finding, linesOf, summaryOf } from './finding.js'

export function doctorCommand(io: Io): Command {
  return new Command('doctor')
    .description('Check settings, key, clock and rights; pays nothing.')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `${environmentHelp}\nFor callbacks: GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL.`,
    )
    .action(async ({ json }: { readonly json?: true }) => {
      const findings: Finding[] = []
      for await (const finding of examine(io.env)) {
        findings.push(finding)
        // Printed at once, because a check may take seconds.
        if (json !== true) for (const line of linesOf(finding, io.paint, io.columns)) io.out(line)
      }
      const exitCode = exitCodeOfFindings(findings)
      if (json === true) {
        const checks = findings.map(({ check, verdict, message, fix }) => ({ check, verdict, message, fix }))
        io.out(jsonLine({ ok: exitCode === 0, checks }))
      } else io.out(summaryOf(findings))
      io.finish(exitCode)
    })
}
