import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../../src/index.js'
import { jobOptions, paymentData } from '../../../src/jobs/bullmq/index.js'
import { type Engine, OwnStore } from '../../jobs/bullmq/own-store.js'
import { bundle } from '../../support/bundle.js'
import { describeWith } from '../../support/engines.js'
import { environmentOf } from '../../support/merchant-environment.js'
import { root } from '../../support/root.js'
import { payoutOf } from './payout-of.js'
import type { WorkerSettings } from './worker.js'

const create = 'POST /payouts/{idPayout}'

/** BullMQ's own workers in processes, which are killed. */
export function testPayouts(engine: Engine): void {
  describeWith(engine, `payouts in processes, by ${engine}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'payouts-'))
    const program = join(folder, 'worker.mjs')
    const running = new Set<ChildProcess>()
    beforeAll(() => bundle(join(root, 'test/engines/payouts/worker.ts'), program))
    afterAll(() => rmSync(folder, { recursive: true }))
    afterEach(() => {
      for (const one of running) one.kill('SIGKILL')
      running.clear()
    })

    async function setUp(sandbox: Sandbox) {
      await sandbox.listen()
      const client = new GatewayClient(sandbox.clientOptions())
      const store = new OwnStore(engine)
      const queue = store.queue()
      await queue.waitUntilReady()
      const add = (count: number, from = 1) =>
        queue.addBulk(
          Array.from({ length: count }, (_, n) => payoutOf(from + n)).map((payout) => ({
            name: 'payout',
            data: paymentData(client, payout),
            opts: jobOptions(payout),
          })),
        )
      const start = (other: Partial<WorkerSettings> = {}) => {
        const settings: WorkerSettings = {
          engine,
          name: store.name,
          rateLimit: 50,
          locks: {},
          polls: { firstPollMs: 200, longestPollMs: 1_000 },
          ...other,
        }
        const worker = fork(program, [JSON.stringify(settings)], {
          env: { ...process.env, ...environmentOf(sandbox) },
          stdio: 'ignore',
        })
        running.add(worker)
        return worker
      }
      const kill = (worker: ChildProcess | undefined) => {
        if (worker === undefined || worker.exitCode !== null)
          throw new Error('the worker has ended by itself')
        worker.kill('SIGKILL')
        running.delete(worker)
      }
      return {
        queue,
        add,
        start,
        kill,
        creates: () =>
          sandbox.requests.filter(({ route, idPayout }) => route === create && idPayout !== undefined),
        async [Symbol.asyncDispose]() {
          for (const worker of running) worker.kill('SIGKILL')
          running.clear()
          await client.close()
          await store[Symbol.asyncDispose]()
        },
      }
    }

    test('200 payouts, half of them with lost responses, through 20 kills: all are completed, each was made once', async () => {
      await using sandbox = createSandbox({
        rateLimit: false,
        payAfterMs: 200,
        magicAmounts: false,
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
      // The oldest of three is killed, so that others work while the next one starts.
      const workers = [at.start(settings), at.start(settings), at.start(settings)]
      const completed = () => at.queue.getCompletedCount()
      for (let killed = 0; killed < kills; killed++) {
        // Each payout takes two requests at least, so that none of the kills comes too late.
        const wanted = killed * 20 + randomInt(1, 20)
        await vi.waitUntil(() => sandbox.requests.length >= wanted, { timeout: 60_000, interval: 5 })
        at.kill(workers.shift())
        workers.push(at.start(settings))
      }
      expect(await completed()).toBeLessThan(count)
      await vi.waitUntil(async () => (await completed()) + (await at.queue.getFailedCount()) === count, {
        timeout: 120_000,
      })
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
    })

    test("a killed worker's payout is taken over within fifteen seconds, by workerOptions", async () => {
      await using sandbox = createSandbox({ rateLimit: false, payAfterMs: 0 })
      // Its worker is killed over the first request, which is processed and never answered.
      sandbox.fault({ route: create, action: { kind: 'timeout', processed: true } })
      await using at = await setUp(sandbox)
      const first = at.start()
      await at.add(1)
      await vi.waitUntil(() => sandbox.payouts.size === 1, { timeout: 60_000 })
      at.kill(first)
      at.start()
      await vi.waitUntil(() => at.creates().length === 2, { timeout: 15_000 })
      await vi.waitUntil(async () => (await at.queue.getCompletedCount()) === 1, { timeout: 60_000 })
      expect(sandbox.payouts.size).toBe(1)
    })
  })
}
