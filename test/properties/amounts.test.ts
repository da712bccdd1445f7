import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareCreate } from '../../src/client/payments/requests.js'
import { isGatewayError, money } from '../../src/index.js'
import { clientOf, failure, paymentRequest } from '../faults/support.js'

/** The number as it stands in the text of a request body, in a currency that nobody knows; undefined where it is refused. */
function sent(amount: number | string): string | undefined {
  const paymentRequested = { money: { amount, currencyCode: 'QQQ' } }
  try {
    const { body } = prepareCreate('payin', { ...paymentRequest(amount), paymentRequested })
    return canonical(/"money":\{"amount":([^,}]+)[,}]/.exec(body)?.[1] ?? '')
  } catch (error) {
    expect(isGatewayError(error) && error.code).toBe('invalid_input')
    return undefined
  }
}

/** A decimal in one form: digits without zeros at either end, and where the point is. No double is involved. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`not a JSON number: ${text}`)
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

/** Decimal texts of at most 15 significant digits, as people and databases write them. */
const decimals = fc
  .tuple(fc.stringMatching(/^(0|[1-9]\d{0,14})$/), fc.stringMatching(/^\d{0,15}$/), fc.nat(4))
  .map(([whole, fraction, zeros]) => {
    const cut = fraction.slice(0, Math.max(0, 15 - (whole === '0' ? 0 : whole.length)))
    return cut === '' ? whole : `${whole}.${cut}${'0'.repeat(zeros)}`
  })
const examples = '0 0.0 1.10 999999999999999 0.000000000000001 99999999999999.9 100 0.1000'.split(' ')

test('an amount that is a decimal text of up to 15 digits is the same decimal on the wire', () => {
  const law = fc.property(decimals, (text) => {
    expect(sent(text)).toBe(canonical(text))
  })
  fc.assert(law, { numRuns: 1000, examples: examples.map((text) => [text]) })
})

test('an amount that is a number goes out as the text of this number, or not at all', () => {
  const cents = fc.nat().map((one) => one / 100)
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), cents), (amount) => {
      const text = sent(amount)
      if (text === undefined) return
      expect(text).toBe(canonical(JSON.stringify(amount)))
      expect(text.split('e')[0]?.length ?? 0).toBeLessThanOrEqual(15)
    }),
    { numRuns: 1000 },
  )
})

test('an amount of whole cents is never refused, and is the same in money()', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (cents) => {
      const text = (cents / 100).toFixed(2)
      for (const amount of [cents / 100, text, money(text, 'EUR').amount])
        expect(sent(amount)).toBe(canonical(text))
    }),
  )
})

test('an amount that is any other text is refused, or means the same decimal', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[-+ ]?[0-9.,eExX_]{1,20}[ \n]?$/),
    fc.stringMatching(/^0\.0{300,420}\d{1,15}$/),
    fc.constantFrom(...'1e3 1E3 0x10 1_000 1,5 .5 5. 01 +1 -1 -0 NaN Infinity １ ١ 0b1 1.2.3'.split(' ')),
    fc.constantFrom('', ' ', '1\n', ' 1'),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const decimal = sent(text)
      if (decimal !== undefined) expect(decimal).toBe(canonical(text))
    }),
    { numRuns: 1000 },
  )
})

test.each([Number.NaN, -1, '1e3', 0.1 + 0.2])('%s is refused by other requests too', async (amount) => {
  await using client = clientOf('https://gateway.example', 'fetch', { fetch: () => expect.fail('sent') })
  const wrong = { amount, currencyCode: 'EUR' }
  const limited = client.authTokens.create({ operations: ['GET /x'], money: wrong })
  for (const call of [client.payins.paymentOptions(wrong), limited])
    expect((await failure(call)).code).toBe('invalid_input')
})
