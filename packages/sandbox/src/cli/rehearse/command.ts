import { Command, Option } from 'commander'
import { cases, clean } from '../../rehearse/cases.js'
import { usualWaits } from '../../rehearse/context.js'
import { anotherPath, path, someText, wholeNumber } from '../arguments.js'
import { exitCodes } from '../failure.js'
import type { Io } from '../io.js'
import { jsonLine } from '../text.js'
import { applicationFlags } from './options.js'
import { listLines } from './reports.js'
import { type RehearseOptions, rehearseAll } from './run.js'

/** Below the others in the help, in a line or two: it has to fit a screen. */
const files = ['options', 'junit', 'app-log']

export function rehearseCommand(io: Io): Command {
  const command = new Command('rehearse').description('Play what can go wrong against your application.')
  for (const name of files) command.addOption(new Option(`--${name} <FILE>`).argParser(path).hideHelp())
  for (const [name, [value, description]] of Object.entries(applicationFlags)) {
    command.option(`--${name} ${value}`, description, someText)
  }
  return command
    .addOption(new Option('--list').hideHelp())
    .addOption(new Option('--host <NAME>').argParser(someText).hideHelp())
    .addOption(new Option('--port <N>').argParser(wholeNumber(0, 65_535)).default(0).hideHelp())
    .addOption(new Option('--public-key <FILE>').argParser(anotherPath).hideHelp())
    .addOption(new Option('--first <N>').argParser(wholeNumber(1, 2_000_000_000)).hideHelp())
    .option(
      '--patience <SECS>',
      'how long a customer waits for a response',
      wholeNumber(1, 600),
      usualWaits.patienceMs / 1000,
    )
    .option('--cases <NAMES>', 'clean and only these cases, with commas', someText)
    .option('--price <MONEY>', 'what an order costs, such as "19.90 EUR"', someText)
    .option('--payouts', 'count payouts, where there are payins as well')
    .option('--wait <SECS>', 'how long your application may take (default: 10)', wholeNumber(1, 600))
    .option('--save', 'write these options into rehearse.json')
    .option('--json', 'print one line of JSON in place of the table')
    .action(async (options: RehearseOptions) => {
      if (options.list === true) list(options, io)
      else await rehearseAll(options, io)
    })
}

function list({ json }: RehearseOptions, io: Io): void {
  const all = [clean, ...cases].map(({ name, title }) => ({ name, title }))
  io.out(json === true ? jsonLine({ cases: all }) : listLines(io).join('\n'))
  io.finish(exitCodes.ok)
}
