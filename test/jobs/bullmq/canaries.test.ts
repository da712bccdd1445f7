import { expect, test } from 'vitest'
import { describeWith } from '../../support/engines.js'
import { isOver, payoutTests } from './set-up.js'
import { payout, payouts, until } from './support.js'

/** What is a customer's in a store. */
const canaries = (contents: string) => contents.match(/canary[\w ]*/gi) ?? []

for (const engine of ['redis', 'postgres'] as const) {
  describeWith(engine, `what ${engine} holds of payouts`, () => {
    const setUp = payoutTests(engine)

    test('with load the store holds ids only, whatever becomes of the payouts', async () => {
      const { sandbox, queue, work, contents, refuse } = await setUp({ queue: { holds: 'ids' } })
      refuse({ id: 'payout-2', message: 'no account CANARY1000002 of Canary Name 2' })
      await queue.addAll(payouts(3))
      expect(canaries(await contents())).toEqual([])
      const loaded: string[] = []
      await work({
        load: async (idPayout) => {
          loaded.push(idPayout)
          if (loaded.length < 3) throw new Error(`no row for Canary Name, account CANARY of ${idPayout}`)
          return payout(Number(idPayout.slice(7)))
        },
        onError: () => undefined,
      })
      await until(() => isOver(queue))
      const all = await contents()
      expect(all).toContain('payout-2')
      expect(canaries(all)).toEqual([])
      expect(sandbox.payouts.size).toBe(2)
    })

    test('without load nobody reads an account in the store, and of a payout that is done it keeps none', async () => {
      const { queue, work, contents, jobIn, parts } = await setUp()
      await queue.add(payout(77))
      const requestIn = async () => parts.seal.open('p-payout-77', (await jobIn('p-payout-77')).data)?.request
      expect(await requestIn()).toEqual(payout(77))
      expect(canaries(await contents())).toEqual([])
      await work()
      await until(() => isOver(queue))
      expect(await requestIn()).toBeUndefined()
      const all = await contents()
      expect(canaries(all)).toEqual([])
      expect(all).toContain('p-payout-77')
      expect(all).not.toMatch(/SUCCESS|BANK_TRANSFER|"EUR"/)
      expect(await queue.add(payout(77))).toEqual({ given: 1, added: 0, differing: [] })
    })
  })
}
