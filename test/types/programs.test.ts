import { describe, expect, it } from 'vitest'
import { complaintsOf } from './compiler.js'
import * as mistakes from './mistakes.js'
import * as programs from './programs.js'

const wrong = Object.values(mistakes).flat()
const right = Object.values(programs).flat()
// All of them at once: most of the time goes into reading the library, and it is read once.
const said = complaintsOf([...wrong, ...right].map(([, program]) => program))
const saidOf = (mistake: string) => said[wrong.findIndex(([what]) => what === mistake)]?.join('\n')

describe('does not compile', () => {
  it.each(wrong.map(([what, , names], n) => [what, names, n] as const))('%s', (_what, names, n) => {
    expect(said[n]).toEqual([expect.stringContaining(names)])
  })
})

describe('compiles', () => {
  it.each(right.map(([what], n) => [what, n] as const))('%s', (_what, n) => {
    expect(said[wrong.length + n]).toEqual([])
  })
})

it('at least sixty programs stand on each side, none of them twice', () => {
  for (const table of [wrong, right]) {
    expect(table.length).toBeGreaterThanOrEqual(60)
    expect(new Set(table.map(([what]) => what)).size).toBe(table.length)
    expect(new Set(table.map(([, program]) => program)).size).toBe(table.length)
  }
})

const unknownField = (name: string, type: string, meant?: string) =>
  meant === undefined
    ? `Object literal may only specify known properties, and '${name}' does not exist in type '${type}'.`
    : `Object literal may only specify known properties, but '${name}' does not exist in type '${type}'. Did you mean to write '${meant}'?`

const noCredential = "'{ baseUrl: string; merchantCode: string; }'"
const twoCredentials = '{ baseUrl: string; merchantCode: string; privateKey: string; signer: Signer; }'

describe('what a user reads after the most likely mistakes', () => {
  it.each([
    ['a misspelt callbackUrl', unknownField('calbackUrl', 'PayinCreateInput', 'callbackUrl')],
    ['a misspelt operator', unknownField('paymentOperatorCod', 'PayinMethodInput', 'paymentOperatorCode')],
    ['a misspelt currency', unknownField('curencyCode', 'MoneyInput', 'currencyCode')],
    ['the id of a payout for a payin', unknownField('idPayout', 'PayinCreateInput')],
    ['a returnUrl of a payout', unknownField('returnUrl', 'PayoutCreateInput')],
    ['an id under another name', unknownField('id', 'PayoutCreateInput')],
    ['a misspelt option of a call', unknownField('timeout', 'CallOptions', 'timeoutMs')],
    ['a misspelt option of a receiver', unknownField('onPayIn', 'CallbackReceiverOptions', 'onPayin')],
    [
      'a wait without a limit',
      `Argument of type '{}' is not assignable to parameter of type 'WaitOptions'.
  Property 'maxWaitMs' is missing in type '{}' but required in type 'WaitOptions'.`,
    ],
    [
      'no credential',
      `Argument of type ${noCredential} is not assignable to parameter of type 'ClientOptions'.
  Type ${noCredential} is not assignable to type 'ClientSettings & PrivateKeyCredential'.
    Property 'privateKey' is missing in type ${noCredential} but required in type 'PrivateKeyCredential'.`,
    ],
    [
      'a key and a signer',
      `Argument of type '${twoCredentials}' is not assignable to parameter of type 'ClientOptions'.
  Types of property 'signer' are incompatible.
    Type 'Signer' is not assignable to type 'undefined'.`,
    ],
    [
      'differences before the code is known',
      `Property 'differences' does not exist on type 'AnyGatewayError'.
  Property 'differences' does not exist on type 'ConfigurationError'.`,
    ],
  ])('%s', (mistake, message) => {
    expect(saidOf(mistake)).toBe(message)
  })
})
