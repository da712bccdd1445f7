// @ts-check
// A cluster of three nodes of Redis on this machine, each with a third of the slots.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort, listening } from '../processes/engines.mjs'
import { sleep } from './support.mjs'

/** The last slot of each node. */
const ends = [5460, 10922, 16383]

/** Without `cluster-require-full-coverage`, so that a node that is away takes along its own merchants only. */
export async function privateCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-cluster-'))
  const nodes = []
  for (const _ of ends) {
    const [port, bus] = [await freePort(), await freePort()]
    const options = Object.entries({
      port: `${port}`,
      bind: '127.0.0.1',
      save: '',
      dir: folder,
      'cluster-enabled': 'yes',
      'cluster-config-file': `nodes-${port}.conf`,
      'cluster-announce-ip': '127.0.0.1',
      'cluster-port': `${bus}`,
      'cluster-require-full-coverage': 'no',
      'cluster-node-timeout': '2000',
    }).flatMap(([name, value]) => [`--${name}`, value])
    const server = spawn('redis-server', options, { stdio: 'ignore' })
    process.once('exit', () => server.kill('SIGKILL'))
    await listening(port)
    const redis = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null })
    redis.on('error', () => undefined)
    nodes.push({ port, bus, server, redis })
  }
  let from = 0
  for (const [n, { redis }] of nodes.entries()) {
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${ends[n]}`)
    from = (ends[n] ?? 0) + 1
  }
  const [first, ...others] = nodes
  for (const { port, bus } of others) {
    await first?.redis.call('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${bus}`)
  }
  for (const { redis } of nodes) {
    while (!String(await redis.call('CLUSTER', 'INFO')).includes('cluster_known_nodes:3')) await sleep(50)
    while (!String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(50)
    while ((String(await redis.call('CLUSTER', 'NODES')).match(/ connected \d/g) ?? []).length < 3)
      await sleep(50)
  }
  return {
    nodes,
    end: async () => {
      for (const { server, redis } of nodes) {
        redis.disconnect()
        if (server.exitCode === null && server.signalCode === null) {
          server.kill('SIGKILL')
          await once(server, 'exit')
        }
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
