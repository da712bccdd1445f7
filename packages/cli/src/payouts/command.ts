import { Command } from 'commander'
import { path } from '../arguments.js'
import { withoutLinks } from '../files.js'
import { environmentHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import type { SendOptions } from './send.js'
import type { ShowOptions } from './show.js'

export function payoutsCommand(io: Io): Command {
  return new Command('payouts')
    .description('Send a file of payouts and see what became of them.')
    .usage('COMMAND [options]')
    .addCommand(sendCommand(io))
    .addCommand(showCommand(io, 'status', 'Print how far a run of payouts is.'))
    .addCommand(showCommand(io, 'refused', 'Print the payouts that need a person, and why.'))
    .addCommand(
      showCommand(io, 'report', 'Write what became of each payout, as CSV and JSON.').option(
        '--out <BASE>',
        'into BASE.csv and BASE.json',
        path,
      ),
    )
}

function sendCommand(io: Io): Command {
  const command = new Command('send')
    .description('Check a whole file, ask, send it, and write a report.')
    .argument('<FILE>', 'CSV or NDJSON, one payout on each line', path)
    .option('--write-ids', 'first put an id into each line that has none')
    .option('--yes', 'send without a question')
    .option('--no-wait', 'end when all are accepted')
    .option('--retry', 'send again what was refused')
    .option('--adopt-existing', 'take payouts that the gateway had before')
    .option('--allow-second-payout', 'pay again what was sent under another id')
    .option('--force-unlock', 'send although another run seems to be under way')
    .addHelpText('after', environmentHelp)
  return common(command).action(async (file: string, options: SendOptions) =>
    (await import('./send.js')).send(withoutLinks(file), options, io),
  )
}

function showCommand(io: Io, name: 'status' | 'refused' | 'report', description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<FILE>', 'the file that was sent', path)
  return common(command).action(async (file: string, options: ShowOptions) =>
    (await import('./show.js')).show(name, withoutLinks(file), options, io),
  )
}

function common(command: Command): Command {
  return command
    .option('--decimal-comma', 'amounts are written 10,50')
    .option('--no-check-ibans', 'take an account whose check digits are wrong')
    .option('--json', 'print JSON')
}
