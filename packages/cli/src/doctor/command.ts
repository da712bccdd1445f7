import { Command, Option } from 'commander'
import type { Money } from 'merchant-gateway'
import { moneyArgument, wholeNumber } from '../arguments.js'
import { CommandFailed } from '../exit-codes.js'
import { environmentHelp } from '../gateway-call.js'
import { moneyText } from '../input/amounts.js'
import { type Io, printJson } from '../io.js'
import { confirm } from '../prompt.js'
import { coloured } from '../text.js'
import { exitCodeOfFindings, type Finding, linesOfNeeded, summaryOf } from './finding.js'

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
    .addOption(
      new Option('--money <MONEY>', 'with --pay: of each payment')
        .argParser(moneyArgument)
        .default({ amount: 10, currencyCode: 'EUR' }, '10.00 EUR'),
    )
    .option('--wait <SECS>', 'with --pay: for the end of both', wholeNumber(1, 600), 60)
    .option('--yes', 'with --pay: make the payments without a question')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', environmentHelp)
    .action((options: Options) => doctor(options, io))
}

async function doctor(options: Options, io: Io): Promise<void> {
  const { json, live, payin, pay, money, wait } = options
  if (payin !== undefined && live !== true) throw new CommandFailed('--payin needs --live.')
  if (pay === true) await askToPay(options, io)
  const { examine } = await import('./examine.js')
  const findings: Finding[] = []
  const examination = {
    ...(live === true && { live: payin === undefined ? {} : { idPayin: payin } }),
    ...(pay === true && { pay: { money, waitMs: wait * 1000 } }),
  }
  const needed = await examine(io.env, examination, (finding) => {
    findings.push(finding)
    // Printed at once, because a check may take seconds.
    if (json !== true) printFinding(finding, io)
  })
  const exitCode = exitCodeOfFindings(findings)
  if (json === true) {
    const checks = findings.map(({ exit: _, ...shown }) => shown)
    printJson(io, { ok: exitCode === 0, checks, ...(pay === true && { options: needed }) })
  } else {
    io.out(summaryOf(findings))
    if (pay === true) for (const line of linesOfNeeded(needed)) io.raw(line)
  }
  io.finish(exitCode)
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'grey' } as const

/** What comes after the arrow says what to do. */
function printFinding({ check, verdict, message, fix }: Finding, io: Io): void {
  const head = `${coloured(colours[verdict], verdict.padEnd(4))}  ${check.padEnd(13)} `
  io.out(message, head)
  if (fix !== undefined) io.out(fix, `${' '.repeat(20)}-> `)
}

/** @throws unless the gateway is for tests, and somebody has said that payments may be made ({@link CommandFailed}). */
async function askToPay({ money, yes }: Options, io: Io): Promise<void> {
  if (io.env.GATEWAY_LIVE?.trim() !== 'false') {
    throw new CommandFailed('--pay makes payments, which are for a test gateway: set GATEWAY_LIVE=false.')
  }
  if (yes === true) return
  await confirm(`Make one payin and one payout of ${moneyText(money)} at ${io.env.GATEWAY_BASE_URL}?`, io)
}
