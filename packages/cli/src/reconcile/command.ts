import { Command, Option } from 'commander'
import { path } from '../arguments.js'
import { withGatewayOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import type { ReconcileCommandOptions } from './run.js'

export function reconcileCommand(io: Io): Command {
  const command = new Command('reconcile')
    .description('Compare balances and payments: what moved, what nobody explains.')
    .requiredOption('--payments <FILE>', 'CSV with kind, id and status of your payments', path)
    .option('--opening <FILE>', 'the JSON that the last run wrote (none for the first run)', path)
    .option('--out <BASE>', 'write BASE.json and BASE.csv (default: named after FILE)', path)
    .option('--pending-payins', 'a payin is in the balance before it is paid')
    .option('--pending-payouts', 'a payout is taken when it is created')
    .addOption(
      new Option(
        '--fees <HOW>',
        'kept: not given back with a returned payout; apart: not in the balance',
      ).choices(['kept', 'apart']),
    )
  return withGatewayOptions(command).action(async (options: ReconcileCommandOptions) =>
    (await import('./run.js')).reconcileFiles(options, io),
  )
}
