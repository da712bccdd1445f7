/**
 * What processes share by PostgreSQL.
 *
 * @module merchant-gateway/postgres
 */

export type { CallbackBroadcast, CalledBack, SeenStatus, SeenStore } from '../../callbacks/index.js'
export type { SharedBudgetOptions } from '../budget/options.js'
export { BudgetStoreError } from '../budget/store.js'
export type { EncryptionKey } from '../stores/encryption-keys.js'
export { type PostgresBroadcast, type PostgresBroadcastOptions, postgresBroadcast } from './broadcast.js'
export { type PostgresBudgetOptions, postgresBudget } from './budget.js'
export type { LentPostgresClient, PostgresPool } from './pool.js'
export type { PostgresConnection } from './query.js'
export { type SchemaSqlOptions, schemaSql } from './schema.js'
export { type PostgresSeenOptions, postgresSeen } from './seen.js'
export { type PostgresTokenStoreOptions, postgresTokenStore } from './token-store.js'
