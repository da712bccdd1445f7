import { randomBytes } from 'node:crypto'

/** Where Redis and PostgreSQL are. Tests share them: each takes a prefix or a schema of its own, and clears it away. */
export const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
export const databaseUrl = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** A name that no other test has. */
export function ownName(): string {
  return `test_${randomBytes(6).toString('hex')}`
}
