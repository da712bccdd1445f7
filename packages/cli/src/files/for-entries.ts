/** What reads and checks files of payouts. It is built as one file, which the queue and the command import. */
export * from './columns.js'
export * from './csv.js'
export * from './lines.js'
export * from './payout-file.js'
export * from './totals.js'
