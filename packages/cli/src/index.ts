export * from './books/index.js'
export { checkPayoutFile } from './files/payout-file.js'
