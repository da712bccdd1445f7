import { Cluster, Redis } from 'ioredis'
import pg from 'pg'
import { createClient, createClientPool, createCluster } from 'redis'
import { expect, test } from 'vitest'
import { type PostgresConnection, postgresRateLimit } from '../../../src/stores/postgres/index.js'
import { type RedisConnection, redisRateLimit } from '../../../src/stores/redis/index.js'

/** Made and not connected: that they fit, the compiler says and the door does. */
const address = { host: '127.0.0.1', port: 1 }
const ofRedis: Readonly<Record<string, () => RedisConnection>> = {
  'a client of ioredis': () => new Redis({ ...address, lazyConnect: true }),
  'a cluster of ioredis': () => new Cluster([address], { lazyConnect: true }),
  'a client of node-redis': () => createClient(),
  'a pool of node-redis': () => createClientPool(),
  'a cluster of node-redis': () => createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] }),
}
const ofPostgres: Readonly<Record<string, () => PostgresConnection>> = {
  'a pool of pg': () => new pg.Pool(),
  'a client of pg': () => new pg.Client(),
}

test.each(Object.entries(ofRedis))('a shared rate limit takes %s', (_, connection) => {
  expect(redisRateLimit({ connection: connection(), name: 'M-1' })).toHaveProperty('acquire')
})

test.each(Object.entries(ofPostgres))('a shared rate limit takes %s', (_, connection) => {
  expect(postgresRateLimit({ connection: connection(), name: 'M-1' })).toHaveProperty('acquire')
})
