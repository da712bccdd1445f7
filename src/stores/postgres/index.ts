/**
 * What processes share by PostgreSQL.
 *
 * @module merchant-gateway/postgres
 */

export type { DedupeStore, DeliveredStatus } from '../../callbacks/index.js'
export type { SharedRateLimitOptions } from '../rate-limit/options.js'
export { RateLimitStoreError } from '../rate-limit/store.js'
export type { PostgresConnection, PostgresStoreOptions } from './connection.js'
export { type PostgresDedupeOptions, postgresDedupe } from './dedupe.js'
export { type PostgresRateLimitOptions, postgresRateLimit } from './rate-limit.js'
export { type SchemaSqlOptions, schemaSql } from './schema.js'
