// @ts-check
// What the stores keep for 10,000 merchants, on a Redis Cluster of three nodes: whether the keys spread, whether any
// call is refused for keys of two nodes, and what becomes of the merchants when a node is killed.
import { once, setMaxListeners } from 'node:events'
import { Cluster } from 'ioredis'
import { money } from 'merchant-gateway'
import { paymentQueue } from 'merchant-gateway/bullmq'
import { redisBudget, redisSeen } from 'merchant-gateway/redis'
import { privateCluster } from './nodes.mjs'
import { merchantOf, percentile, sleep } from './support.mjs'

/** @param {string} idPayout */
const payoutOf = (idPayout) => ({
  idPayout,
  paymentRequested: { money: money('1.00', 'EUR') },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'A', accountNumber: '1' },
    paymentOperatorCode: 'HARBOUR',
    emailAddress: 'a@shop.example',
  },
})
const never = new AbortController().signal
setMaxListeners(0, never)

/** @param {{ quick: boolean }} options */
export async function measureCluster({ quick }) {
  const merchants = Array.from({ length: quick ? 600 : 10_000 }, (_, n) => merchantOf(n))
  const { nodes, end } = await privateCluster()
  const addresses = nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
  const open = () => {
    const cluster = new Cluster(addresses, { redisOptions: { maxRetriesPerRequest: 1 } })
    cluster.on('error', () => undefined)
    return cluster
  }
  const connection = open()
  try {
    /** @type {string[]} */
    const failures = []
    const failed = (/** @type {unknown} */ error) => failures.push(String(error))
    const sizes = () => Promise.all(nodes.map(({ redis }) => redis.dbsize()))
    /** What a part adds to each node. @param {() => Promise<unknown>} part */
    const spread = async (part) => {
      const before = await sizes()
      await part()
      return (await sizes()).map((size, n) => size - (before[n] ?? 0))
    }

    let atShare = 0
    const budgets = merchants.map((name) =>
      redisBudget({ connection, name, storeTimeoutMs: 5000, onStoreAway: failed }),
    )
    /** @param {(typeof budgets)[number]} budget */
    const permit = async (budget) => {
      await budget.acquire(never, { priority: 'customer' })
      budget.sent?.()
    }
    // Not all at once, as no platform begins with all its merchants in one moment.
    const ofBudgets = await spread(async () => {
      /** @type {Promise<unknown>[]} */
      const taken = []
      for (let n = 0; n < budgets.length; n += 100) {
        taken.push(...budgets.slice(n, n + 100).map((one) => permit(one).catch(failed)))
        await sleep(50)
      }
      await Promise.all(taken)
    })

    const ofSeen = await spread(() =>
      Promise.all(
        merchants.map((code) =>
          redisSeen({ connection, prefix: code }).set('payin:order-1', { status: 'SUCCESS', final: true }),
        ),
      ).catch(failed),
    )

    const queued = merchants.slice(0, quick ? 30 : 300)
    const ofQueues = await spread(async () => {
      for (const code of queued) {
        const shared = open()
        const client = { account: code, deriveKey: () => Buffer.from(code.padEnd(32)) }
        const queue = await paymentQueue(client, 'payout', {
          connection: { redis: shared },
          prefix: `{${code}}`,
        })
        await queue.add(payoutOf(code)).catch(failed)
        await queue.close()
        shared.disconnect()
      }
    })

    // A node is killed: who has a budget there goes on at its share, and the others as before.
    const [killed] = nodes
    const exit = killed && once(killed.server, 'exit')
    killed?.server.kill('SIGKILL')
    await exit
    await sleep(4000)
    const tried = merchants.slice(0, quick ? 300 : 1500)
    const began = performance.now()
    const took = await Promise.all(
      tried.map(async (name) => {
        await permit(redisBudget({ connection, name, processes: 20, onStoreAway: () => atShare++ }))
        return performance.now() - began
      }),
    )

    /** @param {string} what @param {number[]} counts */
    const figure = (what, counts) =>
      counts.map((count, n) => ({ what: `${what}: keys on node ${n + 1}`, value: count, unit: '' }))
    for (const failure of new Set(failures)) console.error(`  ${failure}`)
    return [
      ...figure(`budgets of ${merchants.length} merchants`, ofBudgets),
      ...figure('a payment that was seen of each', ofSeen),
      ...figure(`queues of ${queued.length} of them, a payout each`, ofQueues),
      { what: 'calls refused or failed while all nodes were there', value: failures.length, unit: '' },
      {
        what: `one of three nodes killed: permits for ${tried.length} merchants`,
        value: took.length,
        unit: '',
      },
      { what: 'the same: half of them after', value: percentile(took, 0.5), unit: ' ms' },
      { what: 'the same: the last one after', value: Math.max(...took), unit: ' ms' },
      { what: 'the same: merchants that went on at their share', value: atShare, unit: '' },
    ]
  } finally {
    connection.disconnect()
    await end()
  }
}
