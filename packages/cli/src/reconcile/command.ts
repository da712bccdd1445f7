import { Command, Option } from 'commander'
import { path } from '../arguments.js'
import { withGatewayOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import type { ReconcileCommandOptions } from './run.js'

export function reconcileCommand(io: Io): Command {
  const command = new Command('reconcile')
    .description('Compare balances and payments: what moved, what nobody explains.')
    .requiredOption('--payments <FILE>', 'CSV with kind, id and status of your payments', path)
    .option('--opening <FILE>', 'what the last run wrote (default: this is the first)', path)
    .option('--out <BASE>', 'into BASE.json and BASE.csv (default: by the FILE of payments)', path)
    .option('--pending-payins', 'the balance has payins that are not paid yet')
    .option('--pending-payouts', 'the balance is without payouts that are not final')
    .addOption(
      new Option('--fees <HOW>', 'kept: not given back with a payout; apart: not in it').choices([
        'kept',
        'apart',
      ]),
    )
  return withGatewayOptions(command).action(async (options: ReconcileCommandOptions) =>
    (await import('./run.js')).reconcileFiles(options, io),
  )
}
