import { expect, test, vi } from 'vitest'
import { describeWith } from '../../support/engines.js'
import { isOver, payoutTests } from './set-up.js'
import { collect, payout, payouts, until } from './support.js'

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `payouts by ${engine}`, () => {
    const setUp = payoutTests(engine)

    test('each payout is sent once, and the report has a line for each', async () => {
      const { sandbox, queue, work } = await setUp()
      expect(await queue.addAll(payouts(20))).toEqual({ given: 20, added: 20, differing: [] })
      expect(await queue.progress()).toMatchObject({ total: 20, waiting: 20, following: 0, done: 0 })
      await work()
      await until(() => isOver(queue))
      const lines = await collect(queue.report())
      expect(lines).toHaveLength(20)
      expect(lines).toContainEqual({
        idPayout: 'payout-7',
        state: 'done',
        status: 'SUCCESS',
        paid: true,
        final: true,
        money: { amount: 1007, currencyCode: 'EUR' },
        processedAt: expect.any(String),
        starts: expect.any(Number),
      })
      expect(sandbox.payouts.list()).toHaveLength(20)
      expect(await queue.progress()).toMatchObject({ total: 20, done: 20, stopped: 0, paused: false })
    })

    test('adding again adds nothing, and names what is known with another request', async () => {
      const { queue } = await setUp()
      await queue.addAll(payouts(250))
      const other = { ...payout(3), paymentRequested: { money: { amount: 5, currencyCode: 'EUR' } } }
      const again = [...payouts(250)].map((one) => (one.idPayout === 'payout-3' ? other : one))
      const added = await queue.addAll([...again, payout(251)])
      expect(added).toEqual({ given: 251, added: 1, differing: ['payout-3'] })
      expect((await queue.progress()).total).toBe(251)
    })

    test('names what is known with another request also while somebody else adds', async () => {
      const { queue } = await setUp()
      await queue.addAll(payouts(3))
      const other = { ...payout(3), paymentRequested: { money: { amount: 5, currencyCode: 'EUR' } } }
      async function* meanwhile() {
        yield other
        await queue.addAll([payout(4), payout(5), payout(6)])
      }
      expect(await queue.addAll(meanwhile())).toEqual({ given: 1, added: 0, differing: ['payout-3'] })
    })

    test('an id that comes twice with different requests is refused at the door', async () => {
      const { queue } = await setUp()
      const adding = queue.addAll([payout(1), payout(2, 'payout-1')])
      await expect(adding).rejects.toMatchObject({ code: 'invalid_input', idPayout: 'payout-1' })
      expect((await queue.progress()).total).toBe(0)
    })

    test('ids of every kind are taken, also those that BullMQ refuses or uses itself', async () => {
      const { sandbox, queue, work } = await setUp()
      const ids = ['a:b', '123', 'wait', 'id', 'events', 'meta', 'ä€🎉', '0:1', 'x'.repeat(255), '%41', 'A']
      await queue.addAll(ids.map((id, n) => payout(n, id)))
      await work()
      await until(() => isOver(queue))
      const lines = await collect(queue.report())
      expect(lines.map(({ idPayout }) => idPayout).sort()).toEqual([...ids].sort())
      expect(sandbox.payouts.list()).toHaveLength(ids.length)
    })

    test('a refused payout stops with its reason, and runs again when somebody says so', async () => {
      const { queue, work, refuse } = await setUp()
      const fault = refuse({ id: 'payout-2' })
      await queue.addAll(payouts(3))
      await work()
      await until(() => isOver(queue))
      const problem = { because: 'refused', code: 'invalid_request', message: expect.stringContaining('422') }
      expect(await collect(queue.refused())).toMatchObject([
        { idPayout: 'payout-2', state: 'refused', problem },
      ])
      expect(await queue.progress()).toMatchObject({ done: 2, stopped: 1 })
      fault.remove()
      expect(await queue.retry('payout-1')).toBe(false)
      expect(await queue.retry('payout-9')).toBe(false)
      expect(await queue.retry('payout-2')).toBe(true)
      await until(() => isOver(queue))
      expect(await collect(queue.refused())).toEqual([])
      expect(await queue.progress()).toMatchObject({ done: 3, stopped: 0 })
    })

    test('a refusal after a retry is still called one, since no run can have sent it', async () => {
      const { queue, work, refuse } = await setUp()
      refuse()
      await queue.add(payout(1))
      await work()
      for (const _ of [1, 2]) {
        await until(async () => (await queue.progress()).stopped === 1)
        expect(await collect(queue.refused())).toMatchObject([{ state: 'refused' }])
        await queue.retry('payout-1')
      }
      await until(() => isOver(queue))
      expect(await collect(queue.refused())).toMatchObject([{ state: 'refused', starts: 3 }])
    })

    test('the first payout of a worker is looked at before all that wait are sent, so that real money ends it', async () => {
      vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
      const { sandbox, queue, work } = await setUp({ gateway: { settleAfterMs: false } })
      sandbox.fault({
        route: 'GET /payouts/{idPayout}',
        times: Number.POSITIVE_INFINITY,
        action: { kind: 'mutate', change: { process: { isTest: false } } },
      })
      await queue.addAll(payouts(60))
      const errors: unknown[] = []
      await work({ concurrency: 1, onError: (error) => errors.push(error) })
      await until(() => errors.length > 0)
      expect(errors[0]).toMatchObject({ code: 'configuration', option: 'live' })
      expect(sandbox.payouts.size).toBeLessThan(5)
      expect(await collect(queue.refused())).toMatchObject([{ state: 'look' }])
    })

    test('what a store lost that was restored from an older copy is named, and added again pays nobody twice', async () => {
      const { sandbox, queue, work, raw } = await setUp()
      await queue.addAll(payouts(4))
      const worker = await work()
      await until(() => isOver(queue))
      await worker.close()
      // The copy is from before the third and the fourth were added.
      for (const id of ['p-payout-3', 'p-payout-4']) await raw().remove(id)
      const missing = async () =>
        (await collect(queue.report(payouts(4)))).filter(({ state }) => state === 'missing')
      expect(await missing()).toEqual([
        { idPayout: 'payout-3', state: 'missing', starts: 0 },
        { idPayout: 'payout-4', state: 'missing', starts: 0 },
      ])
      expect(await queue.addAll(payouts(4))).toEqual({ given: 4, added: 2, differing: [] })
      expect(await missing()).toEqual([])
      await work()
      await until(() => isOver(queue))
      // Nobody knows here any more that this queue has sent them, so a person looks at the dates, and says so.
      const looks = await collect(queue.refused())
      expect(looks).toMatchObject([
        { state: 'look', problem: { createdAt: expect.any(String) } },
        { state: 'look', problem: { createdAt: expect.any(String) } },
      ])
      for (const { idPayout } of looks) await queue.retry(idPayout)
      await until(() => isOver(queue))
      expect(await queue.progress()).toMatchObject({ total: 4, done: 4, stopped: 0 })
      expect(sandbox.payouts.size).toBe(4)
    })

    test('an id that belongs to another payout is a conflict that names the fields', async () => {
      const { client, queue, work } = await setUp()
      await client.payouts.create({
        ...payout(1),
        paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
      })
      await queue.add(payout(1))
      await work()
      await until(() => isOver(queue))
      const problem = { because: 'conflict', differences: ['paymentRequested.money.amount'] }
      expect(await collect(queue.refused())).toMatchObject([{ state: 'conflict', problem }])
    })

    test('any number of calls at once warn of nothing', async () => {
      const warned = vi.spyOn(process, 'emitWarning')
      const { queue } = await setUp()
      await Promise.all([...payouts(20)].map((one) => queue.add(one)))
      expect(await queue.progress()).toMatchObject({ total: 20 })
      expect(warned).not.toHaveBeenCalled()
    })

    test('a paused queue sends nothing until it is resumed', async () => {
      const { sandbox, queue, work } = await setUp()
      await queue.pause()
      await queue.addAll(payouts(3))
      await work()
      expect(await queue.progress()).toMatchObject({ paused: true, total: 3, waiting: 3 })
      expect(sandbox.payouts.size).toBe(0)
      await queue.resume()
      await until(() => isOver(queue))
      expect(sandbox.payouts.size).toBe(3)
    })
  })
}
