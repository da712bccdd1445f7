import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { checkPayout, damageOf, GatewayClient, type PayoutCreateInput } from '../../src/index.js'
import { paymentData, paymentProcessor } from '../../src/jobs/bullmq/index.js'
import { paymentJob } from '../../src/jobs/index.js'
import { caught } from '../support/caught.js'
import { HandMadeJob } from './bullmq/hand-made.js'

const [number, error, missing, hidden] = [
  'is a number in scientific notation',
  'is an error of a spreadsheet',
  'is what a program writes for a missing value',
  'holds a character that nobody can see',
]

const damaged: readonly (readonly [account: string, what: string])[] = [
  ['1.23457E+15', number],
  ['1,23457e+15', number],
  ['1E+15', number],
  ['1.2e15', number],
  ['#N/A', error],
  ['#REF!', error],
  ['#BEZUG!', error],
  ['#¡REF!', error],
  ['########', 'is what a spreadsheet shows in a narrow column'],
  ['NULL', missing],
  ['(null)', missing],
  ['undefined', missing],
  ['NaN', missing],
  ['[object Object]', missing],
  ['\u202d000123\u202c', hidden],
  ['000\u200b123', hidden],
  ['000\u00a0123', hidden],
  ['\ufeff000123', hidden],
  ['000123\n', hidden],
  ['000123\u0000', hidden],
  ['000\ud800', hidden],
  ['000\ufffd', 'holds a character that was lost in an encoding (U+FFFD)'],
  ['1.23457E+15 ', number],
]

/** What an id or a name may look like, and no account does. */
const noAccounts: typeof damaged = [
  ['="000123"', 'begins with "=" or a quote'],
  ["'000123", 'begins with "=" or a quote'],
  ['"000123"', 'begins with "=" or a quote'],
  ['1234567890.0', 'is a number with decimals'],
  ['1234567890,00', 'is a number with decimals'],
  ['12-Mar', 'is a date'],
  ['Mar-26', 'is a date'],
  ['1-Dec-26', 'is a date'],
  ['********6789', 'is masked'],
  ['000123…6789', 'is masked'],
]

test.each(damaged)('%j %s', (account, what) => {
  expect(damageOf(account)).toBe(what)
})

// What a bank or a wallet may mean by it is its own matter.
const right = [
  '000123-0123456789',
  '19-2000145399/0800',
  'GB33 BUKB 2020 1555 5555 55',
  'GB33BUKB20201555555556',
  '12.34.56.789',
  '+420601123456',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '12E345678',
  'jana@example.com',
  '$jana',
  '#1042',
  '12-3456',
  'Mar',
  'none',
  'Ždímal',
  '',
]

test.each(right)('%j may be right', (account) => {
  expect(damageOf(account)).toBeUndefined()
  expect(() => checkPayout(to(account))).not.toThrow()
})

test.each(noAccounts)('%j may be an id or a name', (text) => {
  expect(damageOf(text)).toBeUndefined()
})

const to = (accountNumber: string): PayoutCreateInput & { idPayout: string } => ({
  idPayout: 'w-1',
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber } },
})

describe('nothing is sent to what is certainly no account', () => {
  const field = 'paymentMethod.account.accountNumber'
  const refused = { code: 'invalid_input', field, idPayout: 'w-1', outcome: 'not-accepted' }

  test('by payouts.create, a job or a queue', async () => {
    await using sandbox = createSandbox()
    await using client = new GatewayClient(sandbox.clientOptions())
    const job = paymentJob(client, 'payout')
    for (const [account, what] of [...damaged, ...noAccounts]) {
      const created = await caught(() => client.payouts.create(to(account)))
      expect(created).toMatchObject(refused)
      expect(created.message).toBe(
        `${field} ${what}; give the account as a text from where it was first written down; nothing was sent.`,
      )
      expect(await job(to(account), { starts: 1 })).toMatchObject({
        then: 'stop',
        because: 'refused',
        error: refused,
      })
      const sealed = await caught(() => paymentData(client, to(account)))
      expect(sealed).toMatchObject({ ...refused, message: `${field} ${what}; nothing was sealed.` })
      const process = paymentProcessor(client, 'payout', { load: () => to(account) })
      const end = await new HandMadeJob(paymentData(client, { idPayout: 'w-1' })).run(process)
      expect(end).toMatchObject({ message: expect.stringContaining(`refused: ${field} ${what}`) })
    }
    expect(sandbox.requests).toEqual([])
  })

  test('and the check digits of an IBAN are left to the bank', async () => {
    await using sandbox = createSandbox()
    await using client = new GatewayClient(sandbox.clientOptions())
    await client.payouts.create(to('GB33BUKB20201555555556'))
    expect(paymentData(client, to('GB33BUKB20201555555556'))).toMatchObject({ kind: 'payout' })
    expect(sandbox.payouts.size).toBe(1)
  })
})
