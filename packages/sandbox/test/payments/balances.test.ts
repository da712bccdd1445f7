import { expect, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import { bearer, create, masterToken, ORIGIN, outcome, paymentBody, stillSandbox } from '../support.js'

test.each<[NonNullable<SandboxOptions['balanceCounts']>, number[]]>([
  [{}, [0, 0, 39, 100]],
  [{ pendingPayins: true }, [100, 100, 39, 100]],
  [{ pendingPayouts: true }, [0, -61, 39, 100]],
  [{ fees: 'kept' }, [0, 0, 39, 99]],
  [{ pendingPayouts: true, fees: 'kept' }, [0, -61, 39, 99]],
  [{ fees: 'apart' }, [0, 0, 40, 100]],
])(
  'with balanceCounts %j a payin of 100, a payout of 60, their end and the return of the payout leave %j',
  async (balanceCounts, expected) => {
    const sandbox = stillSandbox({ balances: { EUR: 0 }, balanceCounts })
    const token = await masterToken(sandbox)
    const seen: unknown[] = []
    const look = async () => {
      const { json } = await outcome(sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) }))
      seen.push(json)
    }
    await sandbox.fetch(`${ORIGIN}/payins/in`, create(token, paymentBody({ amount: 100 })))
    await look()
    await sandbox.fetch(`${ORIGIN}/payouts/out`, create(token, paymentBody({ amount: 60 })))
    await look()
    await sandbox.clock.advance(1000)
    await look()
    sandbox.payouts.get('out').setStatus('RETURNED', { processed: true })
    await look()
    expect(seen).toEqual(expected.map((amount) => ({ data: [{ money: { amount, currencyCode: 'EUR' } }] })))
  },
)
