import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { type Case, faultOf } from '../../src/rehearse/case.js'
import { caseNamed, cases, clean } from '../../src/rehearse/cases.js'
import type { ActionRecord, CountedPayment, Evidence, Reference } from '../../src/rehearse/evidence.js'
import { judge } from '../../src/rehearse/judge.js'

const tenEuro = { amount: 10, currencyCode: 'EUR' }
const action = (end: ActionRecord['end']): ActionRecord => ({ end, says: 'answered 404', at: 0, tookMs: 1 })
const payin = (more: Partial<CountedPayment> = {}): CountedPayment => {
  return {
    kind: 'payin',
    id: 'one',
    status: 'SUCCESS',
    money: tenEuro,
    account: undefined,
    ...more,
  }
}
const payout = (more: Partial<CountedPayment> = {}): CountedPayment => payin({ kind: 'payout', ...more })
const found = (more: Partial<Evidence> = {}): Evidence => ({
  actions: [action('done')],
  payments: [payin()],
  asked: [],
  missing: { payin: 0, payout: 0 },
  unmet: undefined,
  saidTooEarly: false,
  said: undefined,
  ...more,
})
const payins: Reference = { kind: 'payin', others: 0, asked: { money: tenEuro, account: undefined } }
const payouts: Reference = { kind: 'payout', others: 0, asked: { money: tenEuro, account: 'DE1' } }

function named(name: string): Case {
  const one = caseNamed(name)
  if (one === undefined) throw new Error(`no case ${name}`)
  return one
}

const table: readonly [name: string, evidence: Evidence, reference: Reference, verdict: string][] = [
  ['answer-lost', found(), payins, 'right: one payment'],
  ['answer-lost', found({ said: 'paid' }), payins, 'right: one payment, and the application says paid'],
  [
    'answer-lost',
    found({ payments: [payin(), payin({ id: 'two' })] }),
    payins,
    'wrong: two payments: the application made a new id after the lost response',
  ],
  [
    'killed',
    found({ payments: [payin(), payin({ id: 'two' }), payin({ id: 'three' })] }),
    payins,
    'wrong: three payments: the application made a new id after it was killed',
  ],
  [
    'double-click',
    found({
      payments: [payin(), payin({ id: 'two' })],
      asked: [payin(), { ...payin(), isConflict: true }, payin({ id: 'two' })],
    }),
    payins,
    'wrong: two payments: the application made a new id after the 409',
  ],
  [
    'double-click',
    found({
      payments: [payin(), payin({ id: 'two' })],
      asked: [payin(), payin({ id: 'two' }), { ...payin(), isConflict: true }, payin({ id: 'two' })],
    }),
    payins,
    'wrong: two payments: the application made a new id after the double click',
  ],
  [
    'clean',
    found({ payments: [payin(), payin({ id: 'two' })] }),
    payins,
    'wrong: two payments, although nothing had gone wrong',
  ],
  [
    'unavailable',
    found({ payments: [], actions: [action('failed'), action('too slow'), action('failed')] }),
    payins,
    'wrong: none: the action failed three times after the 503',
  ],
  [
    'clean',
    found({ payments: [], actions: [action('failed')] }),
    payins,
    'wrong: none: the action failed (answered 404), although nothing had gone wrong',
  ],
  [
    'rate-limited',
    found({ payments: [], actions: [action('failed'), action('done')] }),
    payins,
    'wrong: none: the application says it went well, and the gateway holds no payment',
  ],
  [
    'callback-never',
    found({ said: 'not paid' }),
    payins,
    "wrong: paid at the gateway, and the application doesn't say so",
  ],
  [
    'callback-never',
    found({ said: 'nothing' }),
    payins,
    "wrong: paid at the gateway, and the application's status can't be read",
  ],
  [
    'callback-first',
    found({ said: 'paid', saidTooEarly: true }),
    payins,
    'wrong: one payment, and the application said paid before the gateway did',
  ],
  [
    'answer-twice',
    found({ actions: [action('failed'), action('failed'), action('failed')] }),
    payins,
    "wrong: one payment, and the application doesn't know it: every action failed",
  ],
  [
    'answer-twice',
    found({ actions: [action('failed'), action('failed'), action('failed')], said: 'paid' }),
    payins,
    'right: one payment, and the application says paid',
  ],
  [
    'error-after',
    found({ payments: [payin({ money: { amount: 20, currencyCode: 'EUR' } })] }),
    payins,
    'wrong: one payment, of 20.00 EUR in place of 10.00 EUR',
  ],
  [
    'error-after',
    found({
      asked: [payin(), payin({ money: { amount: 10, currencyCode: 'USD' } })],
    }),
    { ...payins, asked: undefined },
    'wrong: one payment, and a create of 10.00 USD in place of 10.00 EUR',
  ],
  // What may belong to an earlier order is nobody's fault, as long as such an order misses one.
  [
    'slow',
    found({ payments: [payin(), payin({ id: 'two' })], missing: { payin: 1, payout: 0 } }),
    payins,
    'could not tell: could not tell: two payments, and an earlier order that had none may have got one late',
  ],
  [
    'slow',
    found({
      payments: [payin(), payin({ id: 'two' }), payin({ id: 'three' })],
      missing: { payin: 1, payout: 0 },
    }),
    payins,
    'wrong: three payments: the application made a new id after the slow responses',
  ],
  [
    'slow',
    found({
      asked: [payin(), payin({ id: 'two', money: { amount: 9, currencyCode: 'EUR' } })],
      missing: { payin: 1, payout: 0 },
    }),
    payins,
    "could not tell: could not tell: one payment, and a create of 9.00 EUR in place of 10.00 EUR that may be an earlier order's",
  ],
  [
    'slow',
    found({
      payments: [payin(), payout(), payout({ id: 'two' })],
      missing: { payin: 0, payout: 1 },
    }),
    { ...payins, others: 1 },
    'could not tell: could not tell: one payment, and two payouts in place of one, and an earlier order that had none may have got one late',
  ],
  [
    'error-after',
    found({ payments: [payout({ account: 'DE2' })] }),
    payouts,
    'wrong: one payment, to another account',
  ],
  ['error-after', found({ payments: [payout({ account: 'DE1' })] }), payouts, 'right: one payment'],
  // Customers pay from accounts of their own.
  ['error-after', found({ payments: [payin({ account: 'DE2' })] }), payins, 'right: one payment'],
  [
    'callback-ten-times',
    found({ payments: [payin(), payout(), payout({ id: 'two' })] }),
    { ...payins, others: 1 },
    'wrong: one payment, and two payouts in place of one after ten callbacks',
  ],
  [
    'callback-ten-times',
    found({ payments: [payin(), payout()] }),
    { ...payins, others: 1 },
    'right: one payment',
  ],
  [
    'token-revoked',
    found({ unmet: 'nothing met what was armed' }),
    payins,
    'could not tell: could not tell: one payment, and nothing met what was armed',
  ],
  [
    'callback-never',
    found({ unmet: 'no callback was sent: the create names no callbackUrl' }),
    payins,
    'could not tell: could not tell: one payment, and no callback was sent: the create names no callbackUrl',
  ],
  // What was not seen to happen is no cause.
  [
    'killed',
    found({ payments: [payin(), payin({ id: 'two' })], unmet: 'port 1 still answers after the kill' }),
    payins,
    'wrong: two payments, although nothing had gone wrong',
  ],
  [
    'refused',
    found({ payments: [], actions: [action('failed')], unmet: 'the application called nobody meanwhile' }),
    payins,
    'wrong: none: the action failed (answered 404), although nothing had gone wrong',
  ],
  [
    'answer-lost',
    found({ payments: [payin({ status: 'FAILED' })], said: 'paid' }),
    payins,
    'wrong: FAILED at the gateway, and the application says paid',
  ],
  [
    'answer-lost',
    found({ payments: [payin({ status: 'FAILED' })], said: 'not paid' }),
    payins,
    'right: one payment',
  ],
]

describe('a verdict', () => {
  test.each(table)('%s %#', (name, evidence, reference, wanted) => {
    const { outcome, sentence } = judge(named(name), evidence, reference)
    expect(`${outcome}: ${sentence}`).toBe(wanted)
  })

  test('shows no account', () => {
    const { sentence } = judge(named('slow'), found({ payments: [payout({ account: 'DE2' })] }), payouts)
    expect(sentence).not.toContain('DE')
  })
})

describe('the cases', () => {
  test('have names of their own, and a sentence each', () => {
    const all = [clean, ...cases]
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const { title } of all) expect(title).toMatch(/^[A-Z].*\.$/)
  })

  test.each(cases)('$name arms what a sandbox takes, for payins and payouts', async (one) => {
    await using sandbox = createSandbox()
    for (const kind of ['payin', 'payout'] as const) {
      const fault = faultOf(one, { reference: { ...payins, kind }, patienceMs: 5000 })
      const callbackFault = one.callbackFault && { ...one.callbackFault, kind }
      if (fault !== undefined) expect(sandbox.fault(fault).hits).toBe(0)
      if (callbackFault !== undefined) expect(sandbox.callbackFault(callbackFault).hits).toBe(0)
    }
  })
})
