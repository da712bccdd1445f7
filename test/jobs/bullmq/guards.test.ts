import * as bullmq from 'bullmq'
import { expect, test, vi } from 'vitest'
import { isFinal } from '../../../src/index.js'
import { paymentWorker } from '../../../src/jobs/bullmq/index.js'
import { runPayment } from '../../../src/jobs/bullmq/run-payment.js'
import { describeWith } from '../../support/engines.js'
import { isOver, payoutTests, quick } from './set-up.js'
import { collect, payout, payouts, until } from './support.js'

const never = { firstPollMs: 3_600_000, longestPollMs: 3_600_000 }

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `what BullMQ by ${engine} is guarded against`, () => {
    const setUp = payoutTests(engine)

    test('a payout whose workers were killed three times is taken over once more, and is no dead letter', async () => {
      const { queue, work, takeAndDie } = await setUp()
      await queue.add(payout(1))
      for (const _ of [1, 2]) {
        const dead = await takeAndDie()
        await dead.takenBack()
        await dead.die()
      }
      const last = await takeAndDie()
      expect(last.job?.id).toBe('p-payout-1')
      await last.die()
      await work({ checkLocksMs: 100 })
      await until(() => isOver(queue))
      expect(await collect(queue.report())).toMatchObject([{ state: 'done', paid: true }])
    })

    test('a payout whose worker was killed after the last look, before its job was done, is done all the same', async () => {
      const { client, queue, work, takeAndDie, parts } = await setUp()
      await queue.add(payout(1))
      // The first worker has created it, and is killed before it could write that down.
      const first = await takeAndDie()
      await client.payouts.create(payout(1))
      await until(async () => isFinal(await client.payouts.retrieve('payout-1')))
      await first.takenBack()
      await first.die()
      const { job, die } = await takeAndDie(1000)
      if (job === undefined) throw new Error('no job')
      expect(parts.seal.openResult(job.id ?? '', await runPayment(job, job.token, parts))).toMatchObject({
        paid: true,
      })
      await die()
      await work({ checkLocksMs: 100 })
      await until(() => isOver(queue))
      expect(await collect(queue.report())).toMatchObject([{ state: 'done', paid: true }])
    })

    test('a payout whose worker was killed before it could stop it is judged anew', async () => {
      const { sandbox, queue, work, takeAndDie, parts } = await setUp()
      sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'status', status: 422 } })
      await queue.add(payout(1))
      const { job, die } = await takeAndDie(1000)
      if (job === undefined) throw new Error('no job')
      await expect(runPayment(job, job.token, parts)).rejects.toThrow(bullmq.UnrecoverableError)
      await die()
      await work({ checkLocksMs: 100 })
      await until(() => isOver(queue))
      expect(await collect(queue.report())).toMatchObject([{ state: 'done', paid: true }])
    })

    test('a worker that stood still until another one had its payout writes nothing over what that one has found', async () => {
      const { queue, jobIn, takeAndDie, parts, refuse } = await setUp()
      refuse()
      await queue.add(payout(1))
      const first = await takeAndDie()
      await first.takenBack()
      const second = await takeAndDie(1000)
      if (first.job === undefined || second.job === undefined) throw new Error('no job')
      const { UnrecoverableError } = bullmq
      await expect(runPayment(second.job, second.job.token, parts)).rejects.toThrow(UnrecoverableError)
      await expect(runPayment(first.job, first.job.token, parts)).rejects.toThrow(/another worker/)
      const stored = parts.seal.open('p-payout-1', (await jobIn('p-payout-1')).data)
      expect(stored?.problem).toMatchObject({ because: 'look' })
      await Promise.all([first.die(), second.die()])
    })

    test('a refusal after a killed worker needs a look: it may have sent the payout', async () => {
      const { queue, work, takeAndDie, refuse } = await setUp()
      refuse()
      await queue.add(payout(1))
      await (await takeAndDie()).die()
      await work({ checkLocksMs: 100 })
      await until(() => isOver(queue))
      expect(await collect(queue.refused())).toMatchObject([{ state: 'look', starts: 2 }])
    })

    test('a payout that a worker has begun is not put behind all that wait, should that worker be killed', async () => {
      const { client, queue, options, jobIn } = await setUp()
      await queue.addAll(payouts(3))
      let whileSending: { readonly begun: number; readonly waiting: number } | undefined
      const create = async (...args: Parameters<typeof client.payouts.create>) => {
        // Both at the first: the last one will have begun, too, when this test has its next turn.
        whileSending ??= {
          begun: (await jobIn('p-payout-1')).priority,
          waiting: (await jobIn('p-payout-3')).priority,
        }
        return client.payouts.create(...args)
      }
      const retrieve = client.payouts.retrieve.bind(client.payouts)
      await using _ = await paymentWorker(
        {
          account: client.account,
          deriveKey: (purpose) => client.deriveKey(purpose),
          payouts: { create, retrieve },
        },
        'payout',
        { ...options, concurrency: 1, job: quick },
      )
      await until(() => isOver(queue))
      const { begun = 0, waiting = 0 } = whileSending ?? {}
      expect(begun).toBeGreaterThan(0)
      expect(begun).toBeLessThan(waiting)
    })

    test('a payout that is woken is looked at before a hundred that wait', async () => {
      const { sandbox, queue, work } = await setUp({
        gateway: { settleAfterMs: false },
        client: { rateLimit: 10 },
      })
      await queue.add(payout(1))
      await work({ job: never })
      await until(async () => (await queue.progress()).following === 1)
      await queue.addAll(payouts(100))
      sandbox.payouts.get('payout-1').pay()
      expect(await queue.wake('payout-1')).toBe(true)
      await until(async () => (await queue.progress()).done === 1)
      expect((await queue.progress()).waiting).toBeGreaterThan(80)
      expect(await queue.wake('payout-unknown')).toBe(false)
    })

    test.each([300_000, -300_000])(
      'a worker whose clock is %i ms off does not start, and the others do the work',
      async (off) => {
        const { queue, work, sandbox } = await setUp()
        await queue.addAll(payouts(3))
        const now = Date.now.bind(Date)
        const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + off)
        try {
          await expect(work()).rejects.toMatchObject({
            code: 'configuration',
            message: expect.stringMatching(/clock of this machine is 300 s (ahead of|behind) the store's/),
          })
        } finally {
          clock.mockRestore()
        }
        expect(sandbox.payouts.size).toBe(0)
        await work()
        await until(() => isOver(queue))
        expect(await queue.progress()).toMatchObject({ done: 3 })
      },
    )

    test.each([300_000, -300_000])(
      'a worker whose clock goes %i ms off while it runs takes nothing until it is right again, and writes no time of it',
      async (off) => {
        const { queue, work, sandbox } = await setUp({ gateway: { settleAfterMs: false } })
        const errors: unknown[] = []
        await work({ onError: (error) => errors.push(error), checkLocksMs: 100, concurrency: 1 })
        const now = Date.now.bind(Date)
        const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + off)
        try {
          await queue.addAll(payouts(3))
          await until(() => errors.length > 0)
          expect(sandbox.payouts.size).toBeLessThan(3)
        } finally {
          clock.mockRestore()
        }
        expect(errors).toEqual([
          expect.objectContaining({
            code: 'configuration',
            message: expect.stringMatching(/300 s (ahead of|behind) the store's.*until they agree/),
          }),
        ])
        await until(() => sandbox.payouts.size === 3)
        for (const { idPayout } of payouts(3)) sandbox.payouts.get(idPayout).pay()
        await until(() => isOver(queue))
        expect(await queue.progress()).toMatchObject({ done: 3 })
      },
    )

    test('a worker without load does not start beside a queue that holds ids, and starts no job', async () => {
      const { queue, work } = await setUp({ queue: { holds: 'ids' } })
      await queue.addAll(payouts(3))
      await expect(work()).rejects.toMatchObject({ code: 'configuration', option: 'load' })
      expect(await collect(queue.report())).toMatchObject(Array(3).fill({ state: 'waiting', starts: 0 }))
      await work({ load: (id) => payout(Number(id.slice(7))) })
      await until(() => isOver(queue))
      expect(await queue.progress()).toMatchObject({ done: 3 })
    })

    test('a worker without load stops at the first id that comes later, says why, and its start counts as none', async () => {
      const { sandbox, queue, work, refuse } = await setUp({ queue: { holds: 'ids' } })
      const errors: unknown[] = []
      await work({ onError: (error) => errors.push(error), concurrency: 2 })
      await queue.addAll(payouts(3))
      await until(async () => errors.length > 0 && (await queue.progress()).active === 0)
      expect(errors).toEqual([expect.objectContaining({ code: 'configuration', option: 'load' })])
      expect(sandbox.payouts.size).toBe(0)
      const starts = (await collect(queue.report())).reduce((sum, line) => sum + line.starts, 0)
      expect(starts).toBeLessThanOrEqual(2)
      // No run can have sent it, so that a refusal is one.
      refuse()
      await work({ load: (id) => payout(Number(id.slice(7))) })
      await until(() => isOver(queue))
      expect((await collect(queue.refused())).map(({ state }) => state)).toEqual(Array(3).fill('refused'))
    })

    test('a bug, or a load that fails, makes no dead letter', async () => {
      const { queue, work } = await setUp({ queue: { holds: 'ids' } })
      await queue.add(payout(1))
      const errors: unknown[] = []
      let left = 2
      const load = () => {
        if (left-- > 0) throw new RangeError('the database is away')
        return payout(1)
      }
      await work({ load, onError: (error) => errors.push(error) })
      await until(() => isOver(queue))
      expect(await collect(queue.report())).toMatchObject([{ state: 'done' }])
      expect(errors).toEqual([expect.any(RangeError), expect.any(RangeError)])
    })

    test('done payouts are kept for the report for as long as the worker is told', async () => {
      const { queue, work } = await setUp()
      await queue.addAll(payouts(5))
      const worker = await work()
      await until(() => isOver(queue))
      expect(await collect(queue.report())).toHaveLength(5)
      await worker.close()
      await work({ keepDoneMs: 0 })
      await queue.add(payout(6))
      await until(async () => (await collect(queue.report())).length === 0)
    })
  })
}
