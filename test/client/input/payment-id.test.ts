import { describe, expect, it } from 'vitest'
import { checkId } from '../../../src/client/input/payment-id.js'
import { paymentPath } from '../../../src/client/payments/requests.js'
import { paymentRoutes } from '../../../src/client/schemas/payment-kind.js'
import { caught } from '../../support/caught.js'

describe('a payment id is taken when it reaches its own endpoint and no other', () => {
  it.each([
    ['3f0c1f1e-8f0e-4f0b-9a52-0d3a3c9d7c11', '3f0c1f1e-8f0e-4f0b-9a52-0d3a3c9d7c11'],
    ['order 42', 'order%2042'],
    ['%2e%2e', '%252e%252e'],
    ['a!b', 'a!b'],
    ['Ωmega', '%CE%A9mega'],
    ["a'b(c)*d", "a'b(c)*d"],
    ['constructor', 'constructor'],
  ])('%s travels as %s', (id, escaped) => {
    expect(checkId(id, 'idPayin')).toBe(id)
    expect(paymentPath('payin', id)).toBe(`/payins/${escaped}`)
    expect(new URL(paymentPath('payout', id), 'https://gateway.example').pathname).toBe(`/payouts/${escaped}`)
  })

  it.each([
    ['an empty one', ''],
    ['this folder', '.'],
    ['the folder above', '..'],
    ['a name of the gateway’s own', '!availablePaymentOptions'],
    ['a slash', 'a/b'],
    ['a backslash', 'a\\b'],
    ['a line break', 'a\nb'],
    ['DEL', 'a\u007f'],
    ['a control character beyond ASCII', 'a\u0085'],
    ['the first half of a character', 'a\ud83d'],
    ['the second half of a character', '\ude00a'],
    ['a number', 42],
    ['nothing', undefined],
    ['an object that says it is one', { toString: () => 'a' }],
  ])('refuses %s', async (_case, id) => {
    const error = await caught(() => checkId(id, 'idPayout'))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'idPayout' })
    expect(error.message).toMatch(/^idPayout must .*; nothing was sent\.$/)
  })

  it('a message names the endpoint and not the id', () => {
    expect(paymentRoutes.payin.create).toBe('POST /payins/{idPayin}')
    expect(paymentRoutes.payout.retrieve).toBe('GET /payouts/{idPayout}')
  })
})
