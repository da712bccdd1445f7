import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../../src/index.js'
import { jobOptions, paymentData, wake } from '../../../src/jobs/bullmq/index.js'
import { describeWith, ownName } from '../../support/engines.js'
import { environmentOf } from '../../support/merchant-environment.js'
import { payoutOf } from './payouts.mjs'
import { dropAll, openQueue } from './store.mjs'

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url))
const create = 'POST /payouts/{idPayout}'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface WorkerSettings {
  readonly rateLimit?: number
  readonly locks?: object
  readonly polls?: object
}

/** BullMQ's own workers in processes, which are killed. */
export function testPayouts(engine: 'redis' | 'postgres'): void {
  describeWith(engine, `payouts in processes, by ${engine}`, () => {
    const running = new Set<ChildProcess>()
    afterEach(() => {
      for (const one of running) one.kill('SIGKILL')
      running.clear()
    })

    async function setUp(sandbox: Sandbox) {
      await sandbox.listen()
      const client = new GatewayClient(sandbox.clientOptions())
      const place = { engine, name: ownName() }
      const queue = openQueue(place)
      await queue.waitUntilReady()
      const add = (count: number, from = 1) =>
        queue.addBulk(
          Array.from({ length: count }, (_, n) => payoutOf(from + n)).map((payout) => ({
            name: 'payout',
            data: paymentData(client, payout),
            opts: jobOptions(payout),
          })),
        )
      const start = ({
        rateLimit = 20,
        locks = {},
        polls = { firstPollMs: 200, longestPollMs: 1_000 },
      }: WorkerSettings = {}) => {
        const settings = JSON.stringify({ place, rateLimit, locks, polls })
        const worker = fork(workerFile, [settings], {
          env: { ...process.env, ...environmentOf(sandbox) },
          stdio: 'ignore',
        })
        running.add(worker)
        return worker
      }
      const kill = (worker: ChildProcess) => {
        worker.kill('SIGKILL')
        running.delete(worker)
      }
      return {
        client,
        queue,
        add,
        start,
        kill,
        creates: () =>
          sandbox.requests.filter(({ route, idPayout }) => route === create && idPayout !== undefined),
        async [Symbol.asyncDispose]() {
          for (const worker of running) kill(worker)
          await queue.close()
          await client.close()
          await dropAll(place)
        },
      }
    }

    test('200 payouts, half of them with lost responses, through 20 kills: all are completed, each was made once', async () => {
      await using sandbox = createSandbox({
        rateLimit: false,
        payAfterMs: 200,
        magicAmounts: [],
        maxLogged: 50_000,
      })
      const [count, kills] = [200, 20]
      for (let number = 1; number <= count; number += 2) {
        sandbox.fault({ route: create, id: payoutOf(number).idPayout, action: { kind: 'drop-after' } })
      }
      await using at = await setUp(sandbox)
      await at.add(count)
      await at.add(count)
      const settings = { locks: { lockDuration: 1_000, stalledInterval: 300 } }
      let workers = [at.start(settings), at.start(settings)]
      let killed = 0
      const completed = () => at.queue.getCompletedCount()
      while ((await completed()) + (await at.queue.getFailedCount()) < count) {
        await pause(300 + 400 * Math.random())
        if (killed >= kills) continue
        const [first, ...others] = workers
        if (first) at.kill(first)
        workers = [...others, at.start(settings)]
        killed++
      }
      expect(killed).toBe(kills)
      expect(await completed()).toBe(count)
      expect(sandbox.payouts.size).toBe(count)
      for (let number = 1; number <= count; number++) {
        const { idPayout, paymentRequested } = payoutOf(number)
        const job = await at.queue.getJob(jobOptions({ idPayout }).jobId)
        expect(job?.returnvalue).toEqual({ status: 'SUCCESS', final: true })
        expect(sandbox.payouts.get(idPayout).money.amount).toBe(paymentRequested.money.amount)
      }
      for (const { idPayout = '', bodyText } of at.creates()) {
        const { account } = payoutOf(Number(idPayout.slice('withdrawal-'.length))).paymentMethod
        expect(bodyText).toContain(`"${account.accountNumber}"`)
      }
    }, 120_000)

    test("a killed worker's payout is taken over within fifteen seconds, by workerOptions", async () => {
      await using sandbox = createSandbox({ rateLimit: false, payAfterMs: 0 })
      // Its worker is killed over the first request, which is processed and never answered.
      sandbox.fault({ route: create, action: { kind: 'timeout', processed: true } })
      await using at = await setUp(sandbox)
      const first = at.start()
      await at.add(1)
      await vi.waitUntil(() => sandbox.payouts.size === 1, { timeout: 20_000 })
      at.kill(first)
      at.start()
      await vi.waitUntil(() => at.creates().length === 2, { timeout: 15_000 })
      await vi.waitUntil(async () => (await at.queue.getCompletedCount()) === 1, { timeout: 10_000 })
      expect(sandbox.payouts.size).toBe(1)
    }, 60_000)

    test('ten thousand are added once, and one whose callback comes is looked up before those that wait', async () => {
      await using sandbox = createSandbox({ payAfterMs: false, magicAmounts: [] })
      await using at = await setUp(sandbox)
      await at.add(1)
      at.start({ rateLimit: 10, polls: { firstPollMs: 3_600_000, longestPollMs: 3_600_000 } })
      await vi.waitUntil(async () => (await at.queue.getDelayedCount()) === 1, { timeout: 20_000 })
      for (const _ of [1, 2]) for (let from = 2; from < 10_000; from += 1_000) await at.add(1_000, from)
      const counts = await at.queue.getJobCounts()
      expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(10_001)
      const { idPayout } = payoutOf(1)
      sandbox.payouts.get(idPayout).pay()
      expect(await wake(at.queue, idPayout)).toBe(true)
      await vi.waitUntil(async () => (await at.queue.getCompletedCount()) === 1, { timeout: 10_000 })
      // In its turn it would be looked up after a quarter of an hour.
      expect(await at.queue.getPrioritizedCount()).toBeGreaterThan(9_000)
    }, 120_000)
  })
}
