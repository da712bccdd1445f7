import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redisRateLimit } from '../../src/stores/redis/index.js'
import { closedAddress } from '../support/listening.js'

const freePort = async () => Number(new URL(await closedAddress()).port)

const never = new AbortController().signal
let port = 0
let server: ChildProcess
let folder: string

/** A cluster of one node, which has all slots. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-cluster-'))
  port = await freePort()
  const options = Object.entries({
    port: `${port}`,
    bind: '127.0.0.1',
    save: '',
    dir: folder,
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    'cluster-port': `${await freePort()}`,
  }).flatMap(([name, value]) => [`--${name}`, value])
  server = spawn('redis-server', options, { stdio: 'ignore' })
  const redis = new Redis({ host: '127.0.0.1', port })
  redis.on('error', () => undefined)
  await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  while (!String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  redis.disconnect()
})
afterAll(async () => {
  server.kill('SIGKILL')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
})

test('a rate limit is shared over clusters of both libraries', async () => {
  const ofIoRedis = new Cluster([{ host: '127.0.0.1', port }])
  const ofNodeRedis = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${port}` }] })
  await ofNodeRedis.connect()
  try {
    const limiters = [ofIoRedis, ofNodeRedis].map((connection) => redisRateLimit({ connection, name: 'M-1' }))
    const startedAt = performance.now()
    for (let n = 0; n < 11; n++) {
      await limiters[n % 2]?.acquire(never, { priority: 'customer' })
      limiters[n % 2]?.sent?.()
    }
    // Each counting for itself, they would have had ten at once.
    expect(performance.now() - startedAt).toBeGreaterThan(1000)
  } finally {
    ofIoRedis.disconnect()
    ofNodeRedis.destroy()
  }
})
