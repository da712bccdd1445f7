import { expect, test, vi } from 'vitest'
import { isFinal, statusOf } from '../../../src/index.js'
import {
  checkWorker,
  jobOptions,
  type PaymentProcessorOptions,
  paymentData,
  paymentProcessor,
  wake,
} from '../../../src/jobs/bullmq/index.js'
import { describeWith } from '../../support/engines.js'
import { gatewayAndClient, payout } from './hand-made.js'
import { OwnStore } from './own-store.js'

const quick = { firstPollMs: 20, longestPollMs: 50 }
const never = { firstPollMs: 3_600_000, longestPollMs: 3_600_000 }
/** Asks until it is so: turns of the event loop alone would take the processor from the engine. */
const until = (isSo: () => Promise<boolean> | boolean) =>
  vi.waitUntil(isSo, { timeout: 10_000, interval: 10 })

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `payouts by BullMQ over ${engine}`, () => {
    async function setUp(
      gateway: Parameters<typeof gatewayAndClient>[0] = { payAfterMs: 0 },
      settings?: Parameters<typeof gatewayAndClient>[1],
    ) {
      const at = gatewayAndClient(gateway, settings)
      const store = new OwnStore(engine)
      const queue = store.queue()
      await queue.waitUntilReady()
      const add = (...payouts: ReturnType<typeof payout>[]) =>
        queue.addBulk(
          payouts.map((one) => ({
            name: 'payout',
            data: paymentData(at.client, one),
            opts: jobOptions(one),
          })),
        )
      const process = (options: PaymentProcessorOptions<'payout'> = {}) =>
        paymentProcessor(at.client, 'payout', { ...quick, ...options })
      const counts = (state: 'completed' | 'failed' | 'delayed' | 'prioritized') => async () =>
        (await queue.getJobCounts(state))[state] ?? 0
      return {
        ...at,
        store,
        queue,
        add,
        process,
        completed: counts('completed'),
        failed: counts('failed'),
        delayed: counts('delayed'),
        waiting: counts('prioritized'),
        async [Symbol.asyncDispose]() {
          await store[Symbol.asyncDispose]()
          await at[Symbol.asyncDispose]()
        },
      }
    }

    test('are sent once each, however often they are added, whatever their ids look like', async () => {
      await using at = await setUp()
      const ids = [
        '12345',
        'wait',
        'events',
        'a:b',
        'NaN',
        'withdrawal-1',
        'Größe',
        `long-${'x'.repeat(200)}`,
      ]
      const payouts = ids.map((id, number) => payout(number, id))
      await at.add(...payouts)
      const worker = at.store.worker(at.process())
      checkWorker(worker)
      await until(async () => (await at.completed()) === ids.length)
      await at.add(...payouts)
      expect(await at.waiting()).toBe(0)
      expect(
        at.sandbox.payouts
          .list()
          .map(({ id }) => id)
          .sort(),
      ).toEqual([...ids].sort())
      const job = await at.queue.getJob(jobOptions({ idPayout: '12345' }).jobId)
      expect(job?.returnvalue).toEqual({ status: 'SUCCESS', final: true })
    })

    test('of which one is refused are in the failed set with the reason, and the store names no customer', async () => {
      await using at = await setUp()
      const body = { message: 'operator unknown', detail: 'no account CANARY1000002 of Canary Name 2' }
      const route = 'POST /payouts/{idPayout}'
      at.sandbox.fault({ route, id: 'payout-2', action: { kind: 'status', status: 422, body } })
      await at.add(payout(1), payout(2), payout(3))
      at.store.worker(at.process())
      await until(async () => (await at.completed()) === 2 && (await at.failed()) === 1)
      const [failed] = await at.queue.getFailed()
      expect([failed?.id, failed?.failedReason]).toEqual([
        'payout-2',
        expect.stringMatching(/^refused: .*operator unknown/),
      ])
      expect(await at.store.contents()).toContain('payout-2')
      expect(await at.store.contents()).not.toMatch(/canary|BANK_TRANSFER/i)
      await failed?.retry()
      await until(async () => (await at.completed()) === 3)
      expect(at.sandbox.payouts.size).toBe(3)
    })

    test('are looked up at once when a callback comes, before a hundred that wait, and also when they were done', async () => {
      await using at = await setUp({ payAfterMs: false }, { rateLimit: 10 })
      const statuses: (string | undefined)[] = []
      await at.add(payout(1))
      at.store.worker(
        at.process({
          ...never,
          onChange: (found) => {
            statuses.push(statusOf(found))
          },
        }),
      )
      await until(async () => (await at.delayed()) === 1)
      await at.add(...Array.from({ length: 100 }, (_, n) => payout(n + 2)))
      at.sandbox.payouts.get('payout-1').pay()
      expect(await wake(at.queue, 'payout-1')).toBe(true)
      await until(() => statuses.at(-1) === 'SUCCESS')
      expect(await at.waiting()).toBeGreaterThan(80)
      await until(async () => (await at.completed()) === 1)
      at.sandbox.payouts.get('payout-1').setStatus('RETURNED')
      expect(await wake(at.queue, 'payout-1')).toBe(true)
      await until(() => statuses.at(-1) === 'RETURNED')
      expect(await at.waiting()).toBeGreaterThan(60)
      expect(await wake(at.queue, 'payout-unknown')).toBe(false)
    })

    test('that are cancelled are run again at once, and each is paid once', async () => {
      await using at = await setUp()
      at.sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'timeout', processed: true } })
      await at.add(payout(1))
      const worker = at.store.worker(at.process())
      await until(() => at.sandbox.payouts.size === 1)
      worker.cancelAllJobs()
      await worker.close()
      expect(await at.completed()).toBe(0)
      at.store.worker(at.process())
      await until(async () => (await at.completed()) === 1)
      expect(at.sandbox.payouts.size).toBe(1)
      expect(isFinal(await at.client.payouts.retrieve('payout-1'))).toBe(true)
    })
  })
}
