import { Command } from 'commander'
import type { BalancesResult } from 'merchant-gateway'
import { currencyCode } from './arguments.js'
import { exitCodes } from './exit-codes.js'
import { askGateway, type GatewayCallOptions, withGatewayOptions } from './gateway-call.js'
import { moneyText } from './input/amounts.js'
import { moneyIn } from './input/values.js'
import type { Io } from './io.js'
import { jsonLine, printable } from './text.js'

export function balancesCommand(io: Io): Command {
  const command = new Command('balances')
    .description('Print the balances of the merchant in one line.')
    .argument('[CURRENCY...]', 'which ones, such as EUR USD (default: all)', currencyCode)
  return withGatewayOptions(command).action(
    async (currencies: readonly string[] = [], options: GatewayCallOptions) => {
      const input = currencies.length === 0 ? {} : { currencies }
      const result = await askGateway(io, (client) => client.balances.list(input))
      io.out(options.json === true ? jsonLine(result) : lineOf(result))
      io.finish(exitCodes.ok)
    },
  )
}

/** The specification does not show what a balance looks like: money where there is some, else the whole answer. */
export function lineOf({ balances, notReturned = [] }: BalancesResult): string {
  const found = [...moneyIn(balances)].map(moneyText)
  const shown = found.length === 0 ? jsonLine(balances) : found.join(', ')
  return printable([shown, ...notReturned.map((code) => `${code} not returned`)].join(', '))
}
