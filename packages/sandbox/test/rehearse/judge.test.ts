import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { type Case, faultOf } from '../../src/rehearse/case.js'
import { cases, clean } from '../../src/rehearse/cases.js'
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
  const one = [clean, ...cases].find((other) => other.name === name)
  if (one === undefined) throw new Error(`no case ${name}`)
  return one
}

const two = [payin(), payin({ id: 'two' })]
const three = [...two, payin({ id: 'three' })]
const oneAndTwoPayouts = [payin(), payout(), payout({ id: 'two' })]
const failedThrice = [action('failed'), action('failed'), action('failed')]
const onePayin = { payin: 1, payout: 0 }

const newId = (many: string, after: string) =>
  `wrong: ${many} payments: the application made a new id after ${after}`
const wentWrong = 'although nothing had gone wrong'

/** Of payins, where nothing else is said. */
const row = (name: string, verdict: string, evidence: Partial<Evidence>, reference = payins) =>
  [name, verdict, evidence, reference] as const
const table = [
  row('answer-lost', 'right: one payment', {}),
  row('answer-lost', 'right: one payment, and the application says paid', { said: 'paid' }),
  row('answer-lost', newId('two', 'the lost response'), { payments: two }),
  row('killed', newId('three', 'it was killed'), { payments: three }),
  row('double-click', newId('two', 'the 409'), {
    payments: two,
    asked: [payin(), { ...payin(), isConflict: true }, payin({ id: 'two' })],
  }),
  row('double-click', newId('two', 'the double click'), {
    payments: two,
    asked: [payin(), payin({ id: 'two' }), { ...payin(), isConflict: true }, payin({ id: 'two' })],
  }),
  row('clean', `wrong: two payments, ${wentWrong}`, { payments: two }),
  row('unavailable', 'wrong: none: the action failed three times after the 503', {
    payments: [],
    actions: [action('failed'), action('too slow'), action('failed')],
  }),
  row('clean', `wrong: none: the action failed (answered 404), ${wentWrong}`, {
    payments: [],
    actions: [action('failed')],
  }),
  row('rate-limited', 'wrong: none: the application says it went well, and the gateway holds no payment', {
    payments: [],
    actions: [action('failed'), action('done')],
  }),
  // A number that begins again is no slowness.
  row('killed', 'wrong: none: its create had the id of an earlier order', { payments: [], borrows: true }),
  row(
    'paid-in-another-currency',
    'wrong: another currency paid at the gateway, and the application says paid',
    { said: 'paid', shows: 'another currency paid' },
  ),
  row('callback-never', "wrong: paid at the gateway, and the application doesn't say so", {
    said: 'not paid',
  }),
  row('callback-never', "wrong: paid at the gateway, and the application's status can't be read", {
    said: 'nothing',
  }),
  row('callback-first', 'wrong: one payment, and the application said paid before the gateway did', {
    said: 'paid',
    saidTooEarly: true,
  }),
  row('answer-twice', 'could not tell: one payment, and every action failed; --status would show more', {
    actions: failedThrice,
  }),
  row('answer-twice', 'wrong: one payment, and every action failed after the 409', {
    actions: failedThrice,
    said: 'paid',
    asked: [payin(), { ...payin(), isConflict: true }],
  }),
  row('answer-twice', 'right: one payment, and the application says paid', {
    actions: failedThrice,
    said: 'paid',
  }),
  row('error-after', 'wrong: one payment, of 20.00 EUR in place of 10.00 EUR', {
    payments: [payin({ money: { amount: 20, currencyCode: 'EUR' } })],
  }),
  row(
    'error-after',
    'wrong: one payment, and a create of 10.00 USD in place of 10.00 EUR',
    { asked: [payin(), payin({ money: { amount: 10, currencyCode: 'USD' } })] },
    { ...payins, asked: undefined },
  ),
  // What may belong to an earlier order is nobody's fault, as long as such an order misses one.
  row('slow', 'could not tell: two payments, and an earlier order that had none may have got one late', {
    payments: two,
    missing: onePayin,
  }),
  row('slow', newId('three', 'the slow responses'), { payments: three, missing: onePayin }),
  row(
    'slow',
    "could not tell: one payment, and a create of 9.00 EUR in place of 10.00 EUR that may be an earlier order's",
    {
      asked: [payin(), payin({ id: 'two', money: { amount: 9, currencyCode: 'EUR' } })],
      missing: onePayin,
    },
  ),
  row(
    'slow',
    'could not tell: one payment, and two payouts in place of one, and an earlier order that had none may have got one late',
    { payments: oneAndTwoPayouts, missing: { payin: 0, payout: 1 } },
    { ...payins, others: 1 },
  ),
  row(
    'error-after',
    'wrong: one payment, to another account',
    { payments: [payout({ account: 'DE2' })] },
    payouts,
  ),
  row('error-after', 'right: one payment', { payments: [payout({ account: 'DE1' })] }, payouts),
  // Customers pay from accounts of their own.
  row('error-after', 'right: one payment', { payments: [payin({ account: 'DE2' })] }),
  row(
    'callback-ten-times',
    'wrong: one payment, and two payouts in place of one after ten callbacks',
    { payments: oneAndTwoPayouts },
    { ...payins, others: 1 },
  ),
  row(
    'callback-ten-times',
    'right: one payment',
    { payments: [payin(), payout()] },
    { ...payins, others: 1 },
  ),
  row('token-revoked', 'could not tell: one payment, and nothing met what was armed', {
    unmet: 'nothing met what was armed',
  }),
  row(
    'callback-never',
    'could not tell: one payment, and no callback was sent: the create names no callbackUrl',
    { unmet: 'no callback was sent: the create names no callbackUrl' },
  ),
  // What was not seen to happen is no cause.
  row('killed', `wrong: two payments, ${wentWrong}`, {
    payments: two,
    unmet: 'port 1 still answers after the kill',
  }),
  row('refused', `wrong: none: the action failed (answered 404), ${wentWrong}`, {
    payments: [],
    actions: [action('failed')],
    unmet: 'the application called nobody meanwhile',
  }),
  row('answer-lost', 'wrong: FAILED at the gateway, and the application says paid', {
    payments: [payin({ status: 'FAILED' })],
    said: 'paid',
  }),
  row('answer-lost', 'right: one payment', { payments: [payin({ status: 'FAILED' })], said: 'not paid' }),
]

describe('a verdict', () => {
  test.each(table)('%s %#', (name, wanted, evidence, reference) => {
    const { outcome, sentence } = judge(named(name), found(evidence), reference)
    // Of what it could not tell, the sentence says so itself.
    expect(outcome === 'could not tell' ? sentence : `${outcome}: ${sentence}`).toBe(wanted)
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
