import { Command } from 'commander'
import { path, someText } from '../arguments.js'
import { withGatewayOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import type { BooksCloseOptions } from './close.js'

/** The books, closed from files. */
export function booksCommand(io: Io): Command {
  const close = new Command('close')
    .description('Close the books: what moved, what nobody explains.')
    .requiredOption('--payments <FILE>', 'CSV with kind, id and status of your payments', path)
    .option('--opening <FILE>', 'what the last close wrote (default: this is the first)', path)
    .option('--out <BASE>', 'into BASE.json and BASE.csv (default: by the FILE of payments)', path)
    .option('--refresh <COMMAND>', 'run before each round, to write the payments anew', someText)
  withGatewayOptions(close).action(async (options: BooksCloseOptions) =>
    (await import('./close.js')).closeFiles(options, io),
  )
  return new Command('books').description('The books of the merchant.').addCommand(close)
}
