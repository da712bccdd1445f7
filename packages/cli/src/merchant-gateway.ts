import { balancesCommand } from './balances.js'
import { doctorCommand } from './doctor/command.js'
import { keygenCommand } from './keygen.js'
import { payinCommand, payoutCommand } from './payment-get.js'
import { payoutsCommand } from './payouts/command.js'
import type { CommandLine } from './program.js'
import { reconcileCommand } from './reconcile/command.js'

/** What `merchant-gateway` can do. */
export const merchantGateway: CommandLine = {
  name: 'merchant-gateway',
  description: 'Keys, checks and status requests at the payment gateway, and files of payouts.',
  commands: (io) => [
    keygenCommand(io),
    doctorCommand(io),
    payinCommand(io),
    payoutCommand(io),
    payoutsCommand(io),
    balancesCommand(io),
    reconcileCommand(io),
  ],
  examples: {
    keygen: 'keygen --out keys',
    doctor: 'doctor --json',
    'payin get': 'payin get order-1',
    'payout get': 'payout get refund-1',
    'payouts send': 'payouts send payouts.csv --write-ids',
    'payouts status': 'payouts status payouts.csv',
    'payouts refused': 'payouts refused payouts.csv',
    'payouts report': 'payouts report payouts.csv',
    balances: 'balances EUR USD',
    reconcile: 'reconcile --opening day-1.json --payments day-2.csv',
    help: 'help payin get',
  },
  example: 'doctor',
  ownPages: ['payouts'],
}
