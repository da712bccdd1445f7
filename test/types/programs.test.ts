import { describe, expect, it } from 'vitest'
import { complaintsOf } from './compiler.js'
import { mistakes } from './mistakes.js'

const lines = mistakes.split('\n').filter((line) => line !== '')
const rows = lines.map((line) => {
  const [, program = '', names = ''] = /^(.*) \/\/ (.*)$/.exec(line) ?? []
  return { program, names }
})
// All of them at once: most of the time goes into reading the library, and it is read once.
const said = complaintsOf(rows.map(({ program }) => program))

describe('does not compile', () => {
  it.each(rows.map(({ program, names }, n) => [program, names, n] as const))('%s', (_program, names, n) => {
    expect(said[n]).toEqual([expect.stringContaining(names)])
  })
})

const unknownField = (name: string, type: string, meant?: string) =>
  meant === undefined
    ? `Object literal may only specify known properties, and '${name}' does not exist in type '${type}'.`
    : `Object literal may only specify known properties, but '${name}' does not exist in type '${type}'. Did you mean to write '${meant}'?`

const noCredential = "'{ baseUrl: string; merchantCode: string; }'"
const twoCredentials = '{ privateKey: string; signer: Signer; baseUrl: string; merchantCode: string; }'

describe('what a user reads after the most likely mistakes', () => {
  it.each([
    [
      'client.payins.create({ ...payment, calb',
      unknownField('calbackUrl', 'PayinCreateInput', 'callbackUrl'),
    ],
    ['paymentOperatorCod:', unknownField('paymentOperatorCod', 'PayinMethodInput', 'paymentOperatorCode')],
    ['curencyCode', unknownField('curencyCode', 'MoneyInput', 'currencyCode')],
    ['client.payins.create({ ...payment, idPayout', unknownField('idPayout', 'PayinCreateInput')],
    ['client.payouts.create({ ...payment, returnUrl', unknownField('returnUrl', 'PayoutCreateInput')],
    ['client.payouts.create({ ...payment, id:', unknownField('id', 'PayoutCreateInput')],
    ["client.payins.retrieve('a', { timeout:", unknownField('timeout', 'CallOptions', 'timeoutMs')],
    ['onPayIn:', unknownField('onPayIn', 'CallbackReceiverOptions', 'onPayin')],
    [
      "client.payins.waitFor('a', {})",
      `Argument of type '{}' is not assignable to parameter of type 'WaitOptions'.
  Property 'maxWaitMs' is missing in type '{}' but required in type 'WaitOptions'.`,
    ],
    [
      'new GatewayClient(gateway)',
      `Argument of type ${noCredential} is not assignable to parameter of type 'ClientOptions'.
  Type ${noCredential} is not assignable to type 'ClientSettings & PrivateKeyCredential'.
    Property 'privateKey' is missing in type ${noCredential} but required in type 'PrivateKeyCredential'.`,
    ],
    [
      'new GatewayClient({ ...gateway, privateKey, signer })',
      `Argument of type '${twoCredentials}' is not assignable to parameter of type 'ClientOptions'.
  Types of property 'signer' are incompatible.
    Type 'Signer' is not assignable to type 'undefined'.`,
    ],
    [
      'return error.differences',
      `Property 'differences' does not exist on type 'AnyGatewayError'.
  Property 'differences' does not exist on type 'ConfigurationError'.`,
    ],
  ])('%s', (part, message) => {
    expect(said[rows.findIndex(({ program }) => program.includes(part))]?.join('\n')).toBe(message)
  })
})
