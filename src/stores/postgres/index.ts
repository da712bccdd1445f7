/**
 * What processes share by PostgreSQL.
 *
 * @module merchant-gateway/postgres
 */

export type { SeenStatus, SeenStore } from '../../callbacks/index.js'
export type { SharedBudgetOptions } from '../budget/options.js'
export { BudgetStoreError } from '../budget/store.js'
export { type PostgresBudgetOptions, postgresBudget } from './budget.js'
export type { PostgresConnection, PostgresStoreOptions } from './connection.js'
export { type SchemaSqlOptions, schemaSql } from './schema.js'
export { type PostgresSeenOptions, postgresSeen } from './seen.js'
