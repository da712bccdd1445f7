import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/index.js'
import { create, masterToken, ORIGIN, paymentBody, stillSandbox } from '../support.js'

async function accept(sandbox: Sandbox, path: 'payins' | 'payouts', id: string, amount = 100): Promise<void> {
  const init = create(await masterToken(sandbox), paymentBody({ amount }))
  expect((await sandbox.fetch(`${ORIGIN}/${path}/${id}`, init)).status).toBe(200)
}

const story = (payment: { history: readonly { status: string; at: number }[] }, start: number) =>
  payment.history.map(({ status, at }) => [status, at - start])

describe('the life of a payment', () => {
  test.each(['payins', 'payouts'] as const)(
    'in %s is CREATED, PENDING and, after a second, SUCCESS',
    async (path) => {
      const sandbox = stillSandbox()
      const start = sandbox.clock.now()
      await accept(sandbox, path, 'one')
      const payment = sandbox[path].get('one')
      expect([payment.status, payment.processedAt]).toEqual(['CREATED', undefined])
      await sandbox.clock.advance(0)
      expect([payment.status, payment.processedAt]).toEqual(['PENDING', undefined])
      await sandbox.clock.advance(999)
      expect(payment.status).toBe('PENDING')
      await sandbox.clock.advance(1)
      expect(payment.processedAt).toBe(new Date(start + 1000).toISOString())
      expect(story(payment, start)).toEqual([
        ['CREATED', 0],
        ['PENDING', 0],
        ['SUCCESS', 1000],
      ])
    },
  )

  test('takes as long as the options say, counted from the creation', async () => {
    const sandbox = stillSandbox({ pendingAfterMs: 200, payAfterMs: 5000 })
    const start = sandbox.clock.now()
    await accept(sandbox, 'payouts', 'one')
    await sandbox.clock.advance(86_400_000)
    expect(story(sandbox.payouts.get('one'), start)).toEqual([
      ['CREATED', 0],
      ['PENDING', 200],
      ['SUCCESS', 5000],
    ])
  })

  test('is left to hands by payAfterMs: false, but a payin that nobody pays expires at its expireAt', async () => {
    const sandbox = stillSandbox({ payAfterMs: false, expireAfterMs: 60_000 })
    await accept(sandbox, 'payins', 'one')
    await accept(sandbox, 'payouts', 'one')
    await sandbox.clock.advance(59_999)
    expect(sandbox.payins.get('one').status).toBe('PENDING')
    await sandbox.clock.advance(86_400_000)
    expect(sandbox.payins.get('one').status).toBe('EXPIRED')
    expect(sandbox.payouts.get('one').status).toBe('PENDING')
  })

  test('can be ended by hand, and what was planned does not happen any more', async () => {
    const sandbox = stillSandbox()
    await accept(sandbox, 'payouts', 'one')
    const payout = sandbox.payouts.get('one')
    payout.setStatus('FAILED')
    await sandbox.clock.advance(86_400_000)
    expect(story(payout, sandbox.clock.now() - 86_400_000)).toEqual([
      ['CREATED', 0],
      ['FAILED', 0],
    ])
  })

  test('can hold an unknown status, processed or not', async () => {
    const sandbox = stillSandbox({ payAfterMs: false })
    await accept(sandbox, 'payouts', 'one')
    const payout = sandbox.payouts.get('one')
    payout.setStatus('ON_HOLD')
    expect([payout.status, payout.processedAt]).toEqual(['ON_HOLD', undefined])
    payout.setStatus('REVERSED', { processed: true })
    expect([payout.status, payout.processedAt]).toEqual(['REVERSED', payout.createdAt])
    expect(() => payout.setStatus('')).toThrow('takes a status')
  })

  test('is not changed by the status that it has', async () => {
    const sandbox = stillSandbox()
    await accept(sandbox, 'payouts', 'one')
    sandbox.payouts.get('one').setStatus('CREATED')
    await sandbox.clock.advance(1000)
    expect(sandbox.payouts.get('one').history).toHaveLength(3)
  })
})

describe('looking at payments', () => {
  test('get throws for an id that is not there, find does not, list has the oldest first', async () => {
    const sandbox = stillSandbox()
    for (const id of ['b', 'a']) await accept(sandbox, 'payins', id)
    expect(sandbox.payins.list().map(({ id }) => id)).toEqual(['b', 'a'])
    expect(sandbox.payins.find('c')).toBeUndefined()
    expect(() => sandbox.payins.get('c')).toThrow('no payin with the id "c"')
  })
})
