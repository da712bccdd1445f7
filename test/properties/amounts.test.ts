import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGatewayError, money } from '../../src/index.js'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { clientOf, failure, type Kind, paymentRequest } from '../faults/support.js'

/** The number as it stands in the text of a request body. */
function amountIn(body: string): string {
  const [, text] = /"money":\{"amount":([^,}]+)[,}]/.exec(body) ?? []
  if (text === undefined) throw new Error(`no amount in ${body}`)
  return text
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
    const room = Math.max(0, 15 - (whole === '0' ? 0 : whole.length))
    const cut = fraction.slice(0, room)
    const text = cut === '' ? whole : `${whole}.${cut}`
    return text.includes('.') ? text + '0'.repeat(zeros) : text
  })

function sender(kind: Kind) {
  const gateway = fetchGateway(({ path, body }) => {
    const name = kind === 'payin' ? 'idPayin' : 'idPayout'
    return Response.json({ ...JSON.parse(body), paymentMethodResponse: { [name]: path.split('/')[2] } })
  })
  const client = clientOf('https://gateway.example', 'undici', { fetch: gateway.fetch, rateLimit: false })
  return {
    bodies: () => gateway.arrivals.filter(({ path }) => path.startsWith(`/${kind}s`)).map(({ body }) => body),
    send: (amount: number | string) => {
      // No currency that anybody knows, so that it has as many decimals as there are.
      const paymentRequested = { money: { amount, currencyCode: 'QQQ' } }
      const request = { ...paymentRequest(amount), paymentRequested }
      return kind === 'payin'
        ? client.payins.create({ idPayin: 'order-1', ...request })
        : client.payouts.create({ idPayout: 'order-1', ...request })
    },
    client,
  }
}

describe.each(['payin', 'payout'] as const)('the amount of a %s', (kind) => {
  test('that is a decimal text of up to 15 digits is the same decimal on the wire, and in the result', async () => {
    const { send, bodies } = sender(kind)
    await fc.assert(
      fc.asyncProperty(decimals, async (text) => {
        const result = await send(text)
        const sent = amountIn(bodies().at(-1) ?? '')
        expect(canonical(sent)).toBe(canonical(text))
        expect(result.paymentRequested?.money.amount).toBe(Number(text))
      }),
      {
        numRuns: 400,
        examples: '0 0.0 1.10 999999999999999 0.000000000000001 99999999999999.9 100 0.1000'
          .split(' ')
          .map((text) => [text]),
      },
    )
  })

  test('that is a number goes out as the text of this number, or not at all', async () => {
    const { send, bodies } = sender(kind)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.double(),
          fc.integer(),
          fc.nat().map((cents) => cents / 100),
        ),
        async (amount) => {
          const before = bodies().length
          const error: unknown = await send(amount).then(
            () => undefined,
            (reason: unknown) => reason,
          )
          if (error === undefined) {
            const sent = amountIn(bodies().at(-1) ?? '')
            expect(canonical(sent)).toBe(canonical(JSON.stringify(amount)))
            expect(canonical(sent).split('e')[0]?.length ?? 0).toBeLessThanOrEqual(15)
          } else {
            expect(isGatewayError(error) && error.code === 'invalid_input').toBe(true)
            expect(bodies().length).toBe(before)
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  test('of whole cents is never refused', async () => {
    const { send } = sender(kind)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 99_999_999_999_999 }), async (cents) => {
        expect(await send(cents / 100)).toMatchObject({ replayed: false })
        expect(await send((cents / 100).toFixed(2))).toMatchObject({ replayed: false })
      }),
      { numRuns: 100 },
    )
  })

  test('that is any other text is refused, or means the same decimal', async () => {
    const { send, bodies } = sender(kind)
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+ ]?[0-9.,eExX_]{1,20}[ \n]?$/),
      fc.stringMatching(/^0\.0{300,420}\d{1,15}$/),
      fc.constantFrom(...'1e3 1E3 0x10 1_000 1,5 .5 5. 01 +1 -1 -0 NaN Infinity １ ١ 0b1 1.2.3'.split(' ')),
      fc.constantFrom('', ' ', '1\n', ' 1'),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const before = bodies().length
        const error: unknown = await send(text).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error !== undefined) {
          expect(isGatewayError(error) && error.code === 'invalid_input').toBe(true)
          expect(bodies().length).toBe(before)
        } else expect(canonical(amountIn(bodies().at(-1) ?? ''))).toBe(canonical(text))
      }),
      { numRuns: 400 },
    )
  })

  test('is the same in money(), paymentOptions and token requests', async () => {
    const { client, send, bodies } = sender(kind)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9_999_999 }), async (cents) => {
        const text = (cents / 100).toFixed(2)
        await send(money(text, 'EUR').amount)
        expect(canonical(amountIn(bodies().at(-1) ?? ''))).toBe(canonical(text))
      }),
      { numRuns: 50 },
    )
    for (const amount of [Number.NaN, -1, '1e3', 0.1 + 0.2]) {
      const wrong = { amount, currencyCode: 'EUR' }
      expect((await failure(client.payins.paymentOptions(wrong))).code).toBe('invalid_input')
      const limited = client.authTokens.create({ operations: ['GET /x'], money: wrong })
      expect((await failure(limited)).code).toBe('invalid_input')
    }
  })
})
