import { expect, test } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { type DeliveryEvent, GatewayClient, idOf, onGatewayEvent, statusOf } from '../../../src/index.js'
import {
  type PaymentToSend,
  type PaymentWorkerOptions,
  paymentQueue,
  paymentWorker,
} from '../../../src/jobs/bullmq/index.js'
import { describeWith } from '../../support/engines.js'
import { turns } from '../../support/turns.js'
import { ownStoreForAll, quick } from './set-up.js'
import { collect, until } from './support.js'

const payin = (idPayin: string): PaymentToSend<'payin'> => ({
  idPayin,
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
})

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `payins by ${engine}`, () => {
    const { there, open } = ownStoreForAll(engine)
    let number = 0

    async function setUp() {
      const sandbox = createSandbox({ rateLimit: false, settleAfterMs: false })
      const client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false, retries: 0 })
      const options = { ...there().options, name: `payins-${++number}` }
      const queue = await paymentQueue(client, 'payin', options)
      open.push(sandbox, client, queue)
      const changes: (readonly [string | undefined, string | undefined, string | undefined])[] = []
      const last = () => changes.at(-1)?.[2]
      const work = async (more: Partial<PaymentWorkerOptions<'payin'>> = {}) => {
        const worker = await paymentWorker(client, 'payin', {
          ...options,
          job: quick,
          onChange: (found, before) => {
            changes.push([idOf(found), before?.status, statusOf(found)])
          },
          ...more,
        })
        open.push(worker)
      }
      return { sandbox, client, queue, options, changes, last, work }
    }

    test('the page gets the reference, and the shop each status in order, also after the final one', async () => {
      const { sandbox, queue, changes, last, work } = await setUp()
      await queue.add(payin('a'))
      await work()
      const { idPayin, paymentMethodResponse, problem } = await queue.created('a')
      expect([idPayin, problem]).toEqual(['a', undefined])
      expect(paymentMethodResponse?.reference).toMatch(/^\d+$/)
      await until(() => changes.length > 0)
      sandbox.payins.get('a').pay()
      await until(async () => (await queue.progress()).done === 1)
      expect(await collect(queue.report())).toMatchObject([{ idPayin: 'a', state: 'done', paid: true }])
      // The account of the customer is kept no longer than it is needed.
      expect((await queue.created('a')).paymentMethodResponse).toEqual(
        expect.not.objectContaining({ account: expect.anything() }),
      )
      sandbox.payins.get('a').setStatus('RETURNED')
      expect(await queue.wake('a')).toBe(true)
      await until(() => last() === 'RETURNED')
      expect(changes.map(([id]) => id)).toEqual(changes.map(() => 'a'))
      expect(changes.map(([, before]) => before)).toEqual([
        undefined,
        ...changes.slice(0, -1).map(([, , now]) => now),
      ])
      expect(changes.slice(-2).map(([, , now]) => now)).toEqual(['SUCCESS', 'RETURNED'])
    })

    test('how the function ended that was told of it is published, and no more of its error than a class', async () => {
      const { sandbox, queue, work } = await setUp()
      const events: DeliveryEvent[] = []
      const stop = onGatewayEvent('merchant-gateway:delivery', (event) => events.push(event))
      let calls = 0
      const onChange = () => {
        // What is no error is thrown, too.
        if (++calls === 1) throw undefined
        if (calls === 2) throw new RangeError('Jana Canary')
      }
      await work({ onChange, onError: () => {} })
      await queue.add(payin('told'))
      await queue.created('told')
      sandbox.payins.get('told').pay()
      await until(async () => (await queue.progress()).done === 1)
      stop()
      const own = events.filter(({ idPayin }) => idPayin === 'told')
      expect(own.slice(0, 2)).toMatchObject([
        { result: 'rejected', failure: 'undefined' },
        { result: 'rejected', failure: 'RangeError' },
      ])
      expect(own.at(-1)).toMatchObject({ result: 'resolved', paymentStatus: 'SUCCESS' })
      expect(JSON.stringify(own)).not.toContain('Canary')
    })

    test('a function that rejects is called again until it resolves, by one worker at a time', async () => {
      const { sandbox, queue, work } = await setUp()
      const errors: unknown[] = []
      const calls = new Map<string, string[]>()
      let atOnce = 0
      const underWay = new Set<string>()
      const onChange: PaymentWorkerOptions<'payin'>['onChange'] = async (found, before) => {
        const id = idOf(found) ?? ''
        if (underWay.has(id)) atOnce++
        underWay.add(id)
        await turns()
        underWay.delete(id)
        const earlier = calls.get(id) ?? []
        calls.set(id, [...earlier, `${before?.status} -> ${statusOf(found)}`])
        if (earlier.length % 2 === 0) throw new RangeError('the database is away')
      }
      for (const _ of [1, 2, 3]) await work({ onChange, onError: (error) => errors.push(error) })
      await queue.addAll(['a', 'b', 'c', 'd'].map(payin))
      await until(() => calls.size === 4)
      for (const id of calls.keys()) sandbox.payins.get(id).pay()
      await Promise.all([...calls.keys()].flatMap((id) => [queue.wake(id), queue.wake(id)]))
      await until(async () => (await queue.progress()).done === 4)
      expect(atOnce).toBe(0)
      expect(errors.filter((error) => !(error instanceof RangeError))).toEqual([])
      for (const called of calls.values()) {
        // Twice each, since every other call has rejected; and what has rejected is no status before.
        const before = called.map((change) => change.split(' ')[0])
        const after = called.map((change) => change.split(' ')[2])
        expect(before.slice(0, 2)).toEqual(['undefined', 'undefined'])
        for (let n = 2; n < called.length; n++) expect(before[n]).toBe(after[n % 2 === 0 ? n - 1 : n - 2])
        expect(after.at(-1)).toBe('SUCCESS')
      }
      expect(sandbox.payins.size).toBe(4)
    })

    test('one that nobody pays is followed to its end, and begun anew when a callback comes later', async () => {
      const { sandbox, queue, last, work } = await setUp()
      await work({ job: { ...quick, followForMs: 100 } })
      await queue.add(payin('a'))
      await until(async () => (await queue.progress()).done === 1)
      expect(await collect(queue.report())).toMatchObject([{ state: 'done', paid: false, final: false }])
      sandbox.payins.get('a').pay()
      expect(await queue.wake('a')).toBe(true)
      await until(() => last() === 'SUCCESS')
      await until(async () => (await queue.progress()).done === 1)
      expect(await collect(queue.report())).toMatchObject([{ paid: true, final: true }])
    })

    test('a payin that is there already is taken as it is, and its reference found', async () => {
      const { client, queue, changes, work } = await setUp()
      await client.payins.create(payin('a'))
      await queue.add(payin('a'))
      await work()
      expect(await queue.created('a')).toMatchObject({
        paymentMethodResponse: { reference: expect.any(String) },
      })
      await until(() => changes.length > 0)
    })

    test('a page that waits is answered in time, whatever becomes of the payin', async () => {
      const { sandbox, queue, work } = await setUp()
      await queue.add(payin('a'))
      const late = queue.created('a', { maxWaitMs: 30 })
      await expect(late).rejects.toMatchObject({ code: 'wait_timeout', idPayin: 'a' })
      const ended = queue.created('a', { signal: AbortSignal.abort() })
      await expect(ended).rejects.toMatchObject({ code: 'aborted', idPayin: 'a' })
      await expect(queue.created('b')).rejects.toMatchObject({ code: 'invalid_input', field: 'idPayin' })
      await expect(queue.created('a', { maxWaitMs: -1 })).rejects.toMatchObject({ field: 'maxWaitMs' })
      sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'status', status: 422 } })
      await work()
      expect(await queue.created('a')).toMatchObject({ idPayin: 'a', problem: { because: 'refused' } })
    })

    test('payins and payouts of one name and one id never meet', async () => {
      const { client, sandbox, queue, options, work } = await setUp()
      await using payouts = await paymentQueue(client, 'payout', options)
      await payouts.add({
        idPayout: 'a',
        paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1' } },
      })
      await queue.add(payin('a'))
      await work()
      await queue.created('a')
      expect(sandbox.payouts.size).toBe(0)
      expect(await collect(payouts.report())).toMatchObject([{ idPayout: 'a', state: 'waiting' }])
    })
  })
}
