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
type Row = [name: string, evidence: Partial<Evidence>, verdict: string, reference?: Reference]
const table: readonly Row[] = [
  ['answer-lost', {}, 'right: one payment'],
  ['answer-lost', { said: 'paid' }, 'right: one payment, and the application says paid'],
  ['answer-lost', { payments: two }, newId('two', 'the lost response')],
  ['killed', { payments: three }, newId('three', 'it was killed')],
  [
    'double-click',
    { payments: two, asked: [payin(), { ...payin(), isConflict: true }, payin({ id: 'two' })] },
    newId('two', 'the 409'),
  ],
  [
    'double-click',
    {
      payments: two,
      asked: [payin(), payin({ id: 'two' }), { ...payin(), isConflict: true }, payin({ id: 'two' })],
    },
    newId('two', 'the double click'),
  ],
  ['clean', { payments: two }, `wrong: two payments, ${wentWrong}`],
  [
    'unavailable',
    { payments: [], actions: [action('failed'), action('too slow'), action('failed')] },
    'wrong: none: the action failed three times after the 503',
  ],
  [
    'clean',
    { payments: [], actions: [action('failed')] },
    `wrong: none: the action failed (answered 404), ${wentWrong}`,
  ],
  [
    'rate-limited',
    { payments: [], actions: [action('failed'), action('done')] },
    'wrong: none: the application says it went well, and the gateway holds no payment',
  ],
  // A number that begins again is no slowness.
  ['killed', { payments: [], borrows: true }, 'wrong: none: its create had the id of an earlier order'],
  [
    'paid-in-another-currency',
    { said: 'paid', shows: 'another currency paid' },
    'wrong: another currency paid at the gateway, and the application says paid',
  ],
  ['callback-never', { said: 'not paid' }, "wrong: paid at the gateway, and the application doesn't say so"],
  [
    'callback-never',
    { said: 'nothing' },
    "wrong: paid at the gateway, and the application's status can't be read",
  ],
  [
    'callback-first',
    { said: 'paid', saidTooEarly: true },
    'wrong: one payment, and the application said paid before the gateway did',
  ],
  [
    'answer-twice',
    { actions: failedThrice },
    'could not tell: one payment, and every action failed; --status would show more',
  ],
  [
    'answer-twice',
    { actions: failedThrice, said: 'paid', asked: [payin(), { ...payin(), isConflict: true }] },
    'wrong: one payment, and every action failed after the 409',
  ],
  [
    'answer-twice',
    { actions: failedThrice, said: 'paid' },
    'right: one payment, and the application says paid',
  ],
  [
    'error-after',
    { payments: [payin({ money: { amount: 20, currencyCode: 'EUR' } })] },
    'wrong: one payment, of 20.00 EUR in place of 10.00 EUR',
  ],
  [
    'error-after',
    { asked: [payin(), payin({ money: { amount: 10, currencyCode: 'USD' } })] },
    'wrong: one payment, and a create of 10.00 USD in place of 10.00 EUR',
    { ...payins, asked: undefined },
  ],
  // What may belong to an earlier order is nobody's fault, as long as such an order misses one.
  [
    'slow',
    { payments: two, missing: onePayin },
    'could not tell: two payments, and an earlier order that had none may have got one late',
  ],
  ['slow', { payments: three, missing: onePayin }, newId('three', 'the slow responses')],
  [
    'slow',
    {
      asked: [payin(), payin({ id: 'two', money: { amount: 9, currencyCode: 'EUR' } })],
      missing: onePayin,
    },
    "could not tell: one payment, and a create of 9.00 EUR in place of 10.00 EUR that may be an earlier order's",
  ],
  [
    'slow',
    { payments: oneAndTwoPayouts, missing: { payin: 0, payout: 1 } },
    'could not tell: one payment, and two payouts in place of one, and an earlier order that had none may have got one late',
    { ...payins, others: 1 },
  ],
  [
    'error-after',
    { payments: [payout({ account: 'DE2' })] },
    'wrong: one payment, to another account',
    payouts,
  ],
  ['error-after', { payments: [payout({ account: 'DE1' })] }, 'right: one payment', payouts],
  // Customers pay from accounts of their own.
  ['error-after', { payments: [payin({ account: 'DE2' })] }, 'right: one payment'],
  [
    'callback-ten-times',
    { payments: oneAndTwoPayouts },
    'wrong: one payment, and two payouts in place of one after ten callbacks',
    { ...payins, others: 1 },
  ],
  ['callback-ten-times', { payments: [payin(), payout()] }, 'right: one payment', { ...payins, others: 1 }],
  [
    'token-revoked',
    { unmet: 'nothing met what was armed' },
    'could not tell: one payment, and nothing met what was armed',
  ],
  [
    'callback-never',
    { unmet: 'no callback was sent: the create names no callbackUrl' },
    'could not tell: one payment, and no callback was sent: the create names no callbackUrl',
  ],
  // What was not seen to happen is no cause.
  [
    'killed',
    { payments: two, unmet: 'port 1 still answers after the kill' },
    `wrong: two payments, ${wentWrong}`,
  ],
  [
    'refused',
    { payments: [], actions: [action('failed')], unmet: 'the application called nobody meanwhile' },
    `wrong: none: the action failed (answered 404), ${wentWrong}`,
  ],
  [
    'answer-lost',
    { payments: [payin({ status: 'FAILED' })], said: 'paid' },
    'wrong: FAILED at the gateway, and the application says paid',
  ],
  ['answer-lost', { payments: [payin({ status: 'FAILED' })], said: 'not paid' }, 'right: one payment'],
]

describe('a verdict', () => {
  test.each(table)('%s %#', (name, evidence, wanted, reference = payins) => {
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
