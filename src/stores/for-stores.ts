/** What shares a rate limit and what was delivered over Redis and over PostgreSQL. It is built as one file, which both entries import. */

export * from './delivered-status.js'
export * from './rate-limit/options.js'
export * from './rate-limit/shared-rate-limit.js'
export * from './rate-limit/store.js'
