import { Command, Option } from 'commander'
import { anotherPath, path, someText, wholeNumber } from '../../../../src/cli/arguments.js'
import { exitCodes } from '../../../../src/cli/exit-codes.js'
import type { Io } from '../../../../src/cli/io.js'
import { jsonLine } from '../../../../src/cli/text.js'
import { cases, clean } from '../../rehearse/cases.js'
import { routes } from '../../rehearse/gateway.js'
import { usualPatienceSecs, withApplicationOptions } from './options.js'
import { type RehearseOptions, rehearseAll } from './run.js'
import { listLines } from './text.js'

const help = `
FILE of --junit, --vitest: report, test; of --app-log: all output.`

export function rehearseCommand(io: Io): Command {
  return (
    withApplicationOptions(
      new Command('rehearse').description('Play what can go wrong against your application.'),
    )
      .option(
        '--patience <SECS>',
        'how long a customer waits for an answer',
        wholeNumber(1, 600),
        usualPatienceSecs,
      )
      .option('--cases <NAMES>', 'only these, with commas; --route <ENDPOINT>: where', someText)
      .option('--list', 'print the cases, and play none')
      .option('--payouts', 'count payouts, where a cart makes payins as well')
      .option('--wait <SECS>', 'how long your application may take', wholeNumber(1, 600), 10)
      .option(
        '--first <N>',
        'the number of the first cart (default: of the time)',
        wholeNumber(1, 2_000_000_000),
      )
      .option('--port <PORT>', 'where the sandbox listens; 0 is any', wholeNumber(0, 65_535), 0)
      .option('--public-key <FILE>', 'public PEM of your own key', anotherPath)
      // Below the others in the help, in one line: it has to fit a screen.
      .addOption(new Option('--route <ENDPOINT>').choices(routes).hideHelp())
      .addOption(new Option('--junit <FILE>').argParser(path).hideHelp())
      .addOption(new Option('--vitest <FILE>').argParser(path).hideHelp())
      .addOption(new Option('--app-log <FILE>').argParser(path).hideHelp())
      .option('--json', 'print one line of JSON in place of the table')
      .addHelpText('after', help)
      .action(async (options: RehearseOptions) => {
        if (options.list === true) list(options, io)
        else await rehearseAll(options, io)
      })
  )
}

function list({ json }: RehearseOptions, io: Io): void {
  const all = [clean, ...cases].map(({ name, title }) => ({ name, title }))
  io.out(json === true ? jsonLine({ cases: all }) : listLines().join('\n'))
  io.finish(exitCodes.ok)
}
