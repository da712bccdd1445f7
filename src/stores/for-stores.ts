/** What shares a rate limit and what was delivered over Redis and over PostgreSQL. It is built as one file, which both entries import. */
export * from './budget/account-budgets.js'
export * from './budget/options.js'
export * from './budget/store.js'
export * from './seal.js'
export * from './seen-status.js'
