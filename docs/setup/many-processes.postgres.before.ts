import pg from 'pg'
const before = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' })
await before.query('CREATE SCHEMA IF NOT EXISTS gateway_guide')
await before.end()
