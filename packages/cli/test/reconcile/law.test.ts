import fc from 'fast-check'
import type { PaymentKind } from 'merchant-gateway'
import {
  type BalanceCounts,
  type OwnPayment,
  type ReconcileClient,
  reconcileBalances,
} from 'merchant-gateway-cli'
import { expect, test } from 'vitest'

const currencies = ['EUR', 'JPY', 'USD'] as const
const decimals = 3

const cents = (most: number) => fc.bigInt({ min: 1n, max: BigInt(most) })
const currency = fc.constantFrom(...currencies)
const states = ['unknown', 'PENDING', 'SUCCESS', 'FAILED'] as const
type State = (typeof states)[number]

const history = fc.record({
  kind: fc.constantFrom<PaymentKind>('payin', 'payout'),
  currencyCode: currency,
  units: cents(1_000_000_000),
  feeUnits: fc.option(cents(5_000), { nil: undefined }),
  before: fc.constantFrom(...states),
  now: fc.constantFrom(...states.slice(1)),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const counts: fc.Arbitrary<BalanceCounts> = fc.record({
  pendingPayins: fc.boolean(),
  pendingPayouts: fc.boolean(),
  fees: fc.constantFrom('with-payment', 'kept', 'apart'),
})

function text(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const money = (units: bigint, currencyCode: string) => ({ amount: text(units), currencyCode })

/** A gateway that shows these payments in a state of theirs, and these balances. */
function clientOf(
  histories: readonly History[],
  when: 'before' | 'now',
  balances: readonly bigint[],
): ReconcileClient {
  const shown = (id: string) => {
    const one = histories[Number(id)] ?? expect.fail(`nobody knows ${id}`)
    const status = one[when]
    const createdAt = '2026-11-01T00:00:00Z'
    return {
      process: {
        status,
        createdAt,
        ...(status === 'PENDING' ? {} : { processedAt: '2026-11-01T00:00:01Z' }),
      },
      paymentRequested: { money: money(one.units, one.currencyCode) },
      ...(one.feeUnits === undefined ? {} : { fee: money(one.feeUnits, one.currencyCode) }),
    }
  }
  const client: unknown = {
    payins: { retrieve: async (id: string) => shown(id) },
    payouts: { retrieve: async (id: string) => shown(id) },
    balances: {
      list: async () => ({ balances: currencies.map((code, at) => money(balances[at] ?? 0n, code)) }),
    },
  }
  return client as ReconcileClient
}

/** What the balance moves by as the payment passes through its states, written without the code under test. */
function movedBy(one: History, { pendingPayins, pendingPayouts, fees }: BalanceCounts): bigint {
  const { kind, units, feeUnits = 0n } = one
  const isIn = (state: State) =>
    state === 'SUCCESS' ||
    (state === 'PENDING' && (kind === 'payin' ? pendingPayins : pendingPayouts) === true)
  // What has failed now and was not known before has been pending, unless it is gone already.
  const path: State[] = one.before === 'unknown' ? ['unknown', 'PENDING', one.now] : [one.before, one.now]
  const hadFee = (state: State) => isIn(state) || (state === 'FAILED' && kind === 'payout' && pendingPayouts)
  let balance = 0n
  let keptFee = fees === 'kept' && hadFee(one.before) === true
  for (const [index, state] of path.slice(1).entries()) {
    const was = isIn(path[index] ?? 'unknown')
    const is = isIn(state)
    if (was !== is) balance += (is ? 1n : -1n) * (kind === 'payin' ? units : -units)
    if (fees === 'with-payment' && was !== is) balance -= is ? feeUnits : -feeUnits
    if (fees === 'kept' && is && !keptFee) {
      keptFee = true
      balance -= feeUnits
    }
  }
  return balance
}

test('what no payment explains is exactly what was planted, in each currency, and zero where nothing was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { maxLength: 60 }),
      fc.array(fc.record({ currencyCode: currency, units: fc.bigInt({ min: -9_999n, max: 9_999n }) }), {
        maxLength: 3,
      }),
      fc.array(fc.bigInt({ min: -1_000_000n, max: 10n ** 14n }), { minLength: 3, maxLength: 3 }),
      counts,
      async (all, planted, starts, balanceCounts) => {
        // A payin that pends and counts takes its fee then; one that was never in has none.
        const histories = all.filter(
          ({ kind, before, now }) =>
            !(balanceCounts.fees === 'kept' && kind === 'payin' && before === 'unknown' && now === 'FAILED'),
        )
        const listed = (those: (one: History) => boolean): OwnPayment[] =>
          histories.flatMap((one, at) => {
            if (!those(one)) return []
            const own: OwnPayment = one.kind === 'payin' ? { idPayin: `${at}` } : { idPayout: `${at}` }
            return [own]
          })
        const sumOf = (code: string, of: readonly { currencyCode: string; units: bigint }[]) =>
          of.filter(({ currencyCode }) => currencyCode === code).reduce((sum, { units }) => sum + units, 0n)
        const first = await reconcileBalances({
          client: clientOf(histories, 'before', starts),
          payments: listed(({ before }) => before !== 'unknown'),
          balanceCounts,
        })
        const moved = histories.map((one) => ({ ...one, units: movedBy(one, balanceCounts) }))
        const closing = currencies.map(
          (code, at) => (starts[at] ?? 0n) + sumOf(code, moved) + sumOf(code, planted),
        )
        const second = await reconcileBalances({
          client: clientOf(histories, 'now', closing),
          opening: first.complete ? first.next : expect.fail('the balances moved'),
          // A status that your own system has makes what was final be looked up again.
          payments: listed(() => true).map((own, at) => ({ ...own, status: histories[at]?.now })),
          balanceCounts: { ...balanceCounts },
        })
        const shown = second.complete ? second.currencies : expect.fail('the balances moved')
        for (const { currencyCode, unexplained } of shown) {
          expect(Math.round(Number(unexplained) * 10 ** decimals)).toBe(Number(sumOf(currencyCode, planted)))
        }
      },
    ),
  )
})
