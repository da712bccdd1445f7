import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { GatewayClient } from '../../../src/index.js'
import { paymentQueue, paymentWorker } from '../../../src/jobs/bullmq/index.js'
import { describeWith } from '../../support/engines.js'
import { isOver, payoutTests, quick } from './set-up.js'
import { collect, payout, payouts, until } from './support.js'

const richer = { ...payout(1), paymentRequested: { money: { amount: 9999, currencyCode: 'EUR' } } }
const key = () => randomBytes(32)

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `somebody who can write to the payouts in ${engine}`, () => {
    const setUp = payoutTests(engine)
    type At = Awaited<ReturnType<typeof setUp>>

    /** Runs what is there, and says what the gateway has and what the queue says. */
    const run = async ({ work, queue, sandbox }: At, options: Parameters<At['work']>[0] = {}) => {
      const worker = await work(options)
      await until(() => isOver(queue))
      await worker.close()
      return { sent: sandbox.payouts.size, lines: await collect(queue.report()) }
    }
    const foreign = { state: 'foreign', problem: { because: 'foreign', code: 'configuration' } }

    test("can't make a worker pay a request of theirs: what is not sealed is sent by nobody", async () => {
      const at = await setUp({ queue: { holds: 'ids' } })
      await at.queue.add(payout(1))
      const job = await at.raw().getJob('p-payout-1')
      await job?.updateData({ v: 1, idPayout: 'payout-1', request: richer })
      const { sent, lines } = await run(at, { load: () => payout(1) })
      expect(sent).toBe(0)
      expect(lines).toMatchObject([{ idPayout: 'payout-1', ...foreign }])
      expect(await collect(at.queue.refused())).toMatchObject([{ idPayout: 'payout-1', state: 'foreign' }])
      expect(await at.queue.retry('payout-1')).toBe(false)
    })

    test("can't make a worker with load pay what another queue of the merchant has sealed as a request", async () => {
      const at = await setUp()
      await at.queue.add(richer)
      const { lines } = await run(at, { load: () => payout(1) })
      expect(lines).toMatchObject([{ state: 'done', money: { amount: 1001 } }])
      expect(at.sandbox.payouts.get('payout-1').money.amount).toBe(1001)
    })

    test("can't change what is stored by a single sign, and the payout goes on once that is undone", async () => {
      const at = await setUp()
      await at.queue.add(payout(1))
      const raw = at.raw()
      const { data } = await at.jobIn('p-payout-1')
      const sealed: string = data.sealed
      const place = sealed.length - 10
      const other = sealed[place] === 'A' ? 'B' : 'A'
      await (await raw.getJob('p-payout-1'))?.updateData({
        ...data,
        sealed: sealed.slice(0, place) + other + sealed.slice(place + 1),
      })
      expect(await run(at)).toMatchObject({ sent: 0, lines: [foreign] })
      await (await raw.getJob('p-payout-1'))?.updateData(data)
      expect(await at.queue.retry('payout-1')).toBe(true)
      expect(await run(at)).toMatchObject({ sent: 1, lines: [{ state: 'done', paid: true }] })
    })

    test("can't move a job to another queue, nor under another id, nor to another merchant", async () => {
      const at = await setUp()
      await at.queue.addAll(payouts(2))
      const raw = at.raw()
      const [one, two] = [await at.jobIn('p-payout-1'), await raw.getJob('p-payout-2')]
      await two?.updateData(one.data)
      const opts = { jobId: 'p-payout-1', priority: 10 }
      await using other = await paymentQueue(at.client, 'payout', { ...at.options, name: 'other' })
      await at.raw(`other-payout-${at.client.account}`).add('payout', one.data, opts)
      const stranger = new GatewayClient({ ...at.sandbox.clientOptions(), merchantCode: 'ANOTHER' })
      await using theirs = await paymentQueue(stranger, 'payout', { ...at.options })
      await at.raw(at.inStore.name.replace(at.client.account, stranger.account)).add('payout', one.data, opts)
      await using _ = await paymentWorker(at.client, 'payout', { ...at.options, name: 'other', job: quick })
      await using __ = await paymentWorker(stranger, 'payout', { ...at.options, job: quick })
      await until(async () => (await isOver(other)) && (await isOver(theirs)))
      expect(at.sandbox.payouts.size).toBe(0)
      expect(await collect(other.report())).toMatchObject([foreign])
      expect(await collect(theirs.report())).toMatchObject([foreign])
      expect(await run(at)).toMatchObject({ sent: 1 })
      expect(await collect(at.queue.refused())).toMatchObject([{ idPayout: 'payout-2', state: 'foreign' }])
      await stranger.close()
    })

    test('can put a job back as it was, and has nobody paid twice by that: a person looks', async () => {
      const at = await setUp()
      await at.queue.add(payout(1))
      const { data, opts } = await at.jobIn('p-payout-1')
      await run(at)
      await at.raw().remove('p-payout-1')
      await at.raw().add('payout', data, { ...opts, jobId: 'p-payout-1' })
      expect(await run(at)).toMatchObject({ sent: 1, lines: [{ state: 'look', starts: 1 }] })
    })

    test("can't have a job reported as paid that was completed by hand, with another one's result or their own", async () => {
      const at = await setUp()
      await at.queue.add(payout(1))
      await run(at)
      const { returnvalue } = await at.jobIn('p-payout-1')
      await at.queue.addAll([payout(2), payout(3)])
      const results = [returnvalue, { money: { amount: 1003, currencyCode: 'EUR' }, paid: true }]
      for (const result of results) {
        const { job, die } = await at.takeAndDie(1000)
        await job?.moveToCompleted(result, job.token ?? '', false)
        await die()
      }
      expect(at.sandbox.payouts.size).toBe(1)
      const lines = await collect(at.queue.report())
      expect(lines.filter(({ paid }) => paid)).toMatchObject([{ idPayout: 'payout-1' }])
      expect(lines.filter(({ state }) => state === 'look')).toHaveLength(2)
    })

    test('makes one unreadable job a line of the report, and keeps no other from being sent', async () => {
      const at = await setUp()
      await at.queue.addAll(payouts(3))
      await at.spoil('p-payout-2')
      const lines = await collect(at.queue.report())
      expect(lines).toHaveLength(3)
      expect(lines).toContainEqual(
        expect.objectContaining({
          idPayout: 'payout-2',
          ...foreign,
          problem: expect.objectContaining(foreign.problem),
        }),
      )
      const again = await at.queue.addAll(payouts(3))
      expect(again.added).toBe(0)
      const errors: unknown[] = []
      await at.work({ onError: (error) => errors.push(error) })
      await until(async () => (await isOver(at.queue)) && (await at.queue.progress()).stopped === 1)
      expect(at.sandbox.payouts.size).toBe(2)
      expect(await collect(at.queue.refused())).toMatchObject([{ idPayout: 'payout-2', ...foreign }])
      expect(errors).toEqual([])
    })

    test('finds no payout of another merchant or gateway to send: each worker sees its own only', async () => {
      const at = await setUp()
      const staging = new GatewayClient({ ...at.sandbox.clientOptions(), baseUrl: 'https://staging.example' })
      await using queue = await paymentQueue(staging, 'payout', { ...at.options })
      await queue.addAll(payouts(3))
      await at.queue.add(payout(9))
      const { sent, lines } = await run(at)
      expect({ sent, lines }).toMatchObject({ sent: 1, lines: [{ idPayout: 'payout-9' }] })
      expect(await queue.progress()).toMatchObject({ total: 3, waiting: 3 })
      await staging.close()
    })
  })

  describeWith(engine, `keys of the payouts in ${engine}`, () => {
    const setUp = payoutTests(engine)

    test('change without a stop: the first seals, all open, and the one of the signing key besides', async () => {
      const [old, next] = [key(), key()]
      const at = await setUp()
      await at.queue.add(payout(1))
      await using before = await paymentQueue(at.client, 'payout', { ...at.options, encryptionKeys: [old] })
      await before.add(payout(2))
      await using after = await paymentQueue(at.client, 'payout', {
        ...at.options,
        encryptionKeys: [next, old],
      })
      await after.add(payout(3))
      await at.work({ encryptionKeys: [next, old] })
      await until(() => isOver(after))
      expect(await after.progress()).toMatchObject({ done: 3, stopped: 0 })
      const lines = await collect(before.report())
      expect(lines.filter(({ state }) => state === 'foreign')).toHaveLength(3)
      expect((await collect(after.report())).filter(({ paid }) => paid)).toHaveLength(3)
    })

    test('that a worker lacks stop its payouts, and nothing is lost by that', async () => {
      const old = key()
      const at = await setUp({ queue: { encryptionKeys: [old] } })
      await at.queue.add(payout(1))
      const worker = await at.work()
      await until(() => isOver(at.queue))
      await worker.close()
      expect(at.sandbox.payouts.size).toBe(0)
      // Where the key is known, it is no foreign job: it was stopped by somebody who sent nothing.
      expect(await at.queue.retry('payout-1')).toBe(true)
      await at.work({ encryptionKeys: [old] })
      await until(() => isOver(at.queue))
      expect(await collect(at.queue.report())).toMatchObject([{ state: 'done', paid: true }])
    })

    test('may be those that clients of older signing keys derive', async () => {
      const at = await setUp()
      await at.queue.add(payout(1))
      const derived = at.client.deriveKey('payment queue')
      const own = key()
      const elsewhere = { account: at.client.account, deriveKey: () => undefined }
      await using moved = await paymentQueue(elsewhere, 'payout', {
        ...at.options,
        encryptionKeys: [own, derived ?? own],
      })
      expect(await collect(moved.report())).toMatchObject([{ idPayout: 'payout-1', state: 'waiting' }])
    })
  })
}
