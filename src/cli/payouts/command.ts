import { Command, Option } from 'commander'
import { path, someText, timestampUnit } from '../arguments.js'
import { CommandFailed } from '../exit-codes.js'
import { environmentHelp, unitHelp } from '../gateway-call.js'
import type { Io } from '../io.js'
import { withoutLinks } from './checked-file.js'
import { resumeQueue, sendToQueue } from './queue.js'
import { queueRefused, queueReport, queueStatus } from './queue-show.js'
import { resume, type SendOptions, send } from './send.js'
import { type ShowOptions, showRefused, showReport, showStatus } from './show.js'
import { type Store, type StoreOptions, storeOf } from './store.js'

/** Payouts of a file: sent from this process, or by the queue that workers share. */
export function payoutsCommand(io: Io): Command {
  return new Command('payouts')
    .description('Send a file of payouts and see what became of them.')
    .usage('COMMAND [options]')
    .addCommand(sendCommand(io))
    .addCommand(resumeCommand(io))
    .addCommand(showCommand(io, 'status', 'Print how far a run of payouts is.', showStatus, queueStatus))
    .addCommand(
      showCommand(io, 'refused', 'Print the payouts that need a person, and why.', showRefused, queueRefused),
    )
    .addCommand(
      showCommand(
        io,
        'report',
        'Write what became of each payout, as CSV and JSON.',
        showReport,
        queueReport,
      ).option('--out <BASE>', 'into BASE.csv and BASE.json', path),
    )
}

function sendCommand(io: Io): Command {
  const command = new Command('send')
    .description('Check a whole file, ask, send it, and write a report.')
    .argument('<FILE>', 'CSV or NDJSON, one payout on each line', path)
    .option('--write-ids', 'first put an id into each line that has none')
    .option('--yes', 'send without a question')
    .option('--no-wait', 'end when all are accepted; with a store, all added')
    .option('--migrate', 'make the tables of queue and budget in PostgreSQL')
    .option('--retry', 'without a store: send again what was refused')
  return working(command).action((file: string, options: SendOptions & StoreOptions) =>
    either(
      options,
      io,
      (store) => sendToQueue(withoutLinks(file), options, store, io),
      () => send(withoutLinks(file), options, io),
    ),
  )
}

function resumeCommand(io: Io): Command {
  const command = new Command('resume')
    .description('Go on with a run of payouts that was stopped.')
    .argument('[FILE]', 'without a store: the file that was sent', path)
  return working(command).action((file: string | undefined, options: SendOptions & StoreOptions) =>
    either(
      options,
      io,
      (store) => resumeQueue(options, store, io),
      () => resume(needed(file), options, io),
    ),
  )
}

/** A command that asks the gateway nothing. */
function showCommand(
  io: Io,
  name: string,
  description: string,
  here: (file: string, options: ShowOptions, io: Io) => Promise<void>,
  there: (options: ShowOptions, store: Store, io: Io) => Promise<void>,
): Command {
  const command = new Command(name)
    .description(description)
    .argument('[FILE]', 'without a store: the file that was sent', path)
  return storeOptions(command).action((file: string | undefined, options: ShowOptions & StoreOptions) =>
    either(
      options,
      io,
      (store) => there(options, store, io),
      () => here(needed(file), options, io),
    ),
  )
}

function working(command: Command): Command {
  return storeOptions(command)
    .option('--budget <NAME>', 'of the shared rate (default: the merchant code)', someText)
    .option('--timestamp-unit <UNIT>', unitHelp, timestampUnit)
    .addHelpText('after', environmentHelp)
}

function storeOptions(command: Command): Command {
  return command
    .option('--redis <URL>', 'the queue in this Redis; or a variable with its URL')
    .option('--postgres <URL>', 'the same in this PostgreSQL')
    .option('--queue <NAME>', 'which queue there (default: payouts)')
    .addOption(new Option('--format <FORMAT>', 'csv or ndjson').choices(['csv', 'ndjson']))
    .option('--json', 'print JSON')
}

function either(
  options: StoreOptions,
  io: Io,
  there: (store: Store) => Promise<void>,
  here: () => Promise<void>,
): Promise<void> {
  const store = storeOf(options, io.env)
  return store === undefined ? here() : there(store)
}

function needed(file: string | undefined): string {
  if (file !== undefined) return withoutLinks(file)
  throw new CommandFailed('give the FILE that was sent, or --redis or --postgres where its queue is.')
}
