import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGatewayError } from '../../src/index.js'
import { handMadeGateway, json } from '../faults/servers.js'
import { clientOf } from '../faults/support.js'

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(...'EUR USD eur , a,b %2C & = # + % 😀'.split(' '), '', ' ', '\ud800', '\u0000'),
)

test.each(['undici', 'fetch'] as const)(
  'a list goes out as one value with commas over %s, each part as it was, or nothing is sent',
  async (transport) => {
    await using gateway = await handMadeGateway({ lookUp: [json(200, {})] })
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    await client.currencies.list()
    const calls = {
      currencies: (values: string[]) => client.balances.list({ currencies: values }),
      'a b&c': (values: string[]) =>
        client.request({ method: 'GET', path: '/x', query: { 'a b&c': values }, operations: ['GET /x'] }),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 5 }),
        fc.constantFrom(...Object.entries(calls)),
        async (values, [name, call]) => {
          const before = gateway.requests.length
          const error: unknown = await call(values).then(
            () => undefined,
            (reason: unknown) => reason,
          )
          const [request] = gateway.requests.slice(before).filter(({ method }) => method === 'GET')
          if (error !== undefined) {
            expect(isGatewayError(error) && error.code === 'invalid_input').toBe(true)
            expect(request).toBeUndefined()
            // Refused only where it could not have been sent.
            expect(
              values.length === 0 ||
                values.some((one) => one === '' || one.includes(',') || /\p{Surrogate}/u.test(one)),
            ).toBe(true)
            return
          }
          const [, query = ''] = request?.path.split('?') ?? []
          const pairs = query.split('&')
          expect(pairs.length).toBe(1)
          const [key = '', value = ''] = pairs[0]?.split('=') ?? []
          expect(decodeURIComponent(key)).toBe(name)
          const parts = value === '' && values.length === 0 ? [] : value.split(',')
          expect(parts.map(decodeURIComponent)).toEqual(values)
        },
      ),
      { numRuns: 200 },
    )
  },
)
