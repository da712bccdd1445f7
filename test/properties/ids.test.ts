import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGatewayError, operation } from '../../src/index.js'
import { accept, found, type HandMadeGateway, handMadeGateway, json } from '../faults/servers.js'
import { clientOf, create, idField, type Kind, type TransportName } from '../faults/support.js'

// biome-ignore format: a list to be read as one
const nasty = [
  '', '.', '..', '...', '!', '!availablePaymentOptions', 'a!b', '/', '\\', 'a/b', '%2F', '%2f..', '%2e%2e', '%', '%%',
  '%00', '?', '#', '?x=1', 'a#b', ';', ';a=b', ':', '@', '&', '=', '+', ' ', '  a ', '\t', '\n', '\r\nX: y', '\u0000',
  '\u007f', '\u0085', '\u2028', '\ufeff', '\ud800', '\udc00', 'a\ud800b', '😀', 'é', 'e\u0301', '\u202e', '~', '*', "'", '"',
  '(', ')', '[', ']', '{', '}', '{idPayin}', '|', '^', '$', '.*', 'a.b', '__proto__', 'constructor', '0', '-1', 'ａ', '．．', '／',
  '%c0%ae%c0%ae', '..%2f', '.%2e', 'a'.repeat(500), '-', '_', '$&', '$1', '\\d+',
]

const anyId = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...nasty) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
      .map((codes) => String.fromCharCode(...codes)),
  },
)

describe.each([
  ['payin', 'undici'],
  ['payin', 'fetch'],
  ['payout', 'undici'],
  ['payout', 'fetch'],
] as [Kind, TransportName][])('the id of a %s over %s', (kind, transport) => {
  let gateway: HandMadeGateway

  beforeAll(async () => {
    gateway = await handMadeGateway({
      create: [
        (response, request) =>
          (request.path.startsWith(`/${kind}s/`) ? accept : json(400, {}))(response, request),
      ],
      lookUp: [(response, request) => json(200, found(kind, idAtServer(request.path)))(response, request)],
    })
  })

  afterAll(() => gateway[Symbol.asyncDispose]())

  /** The one segment below the resource, decoded once, as a server does it. */
  function idAtServer(path: string): string {
    const segments = path.split('?')[0]?.split('/') ?? []
    expect(segments.slice(0, 2)).toEqual(['', `${kind}s`])
    expect(segments.length).toBe(3)
    expect(path).not.toMatch(/[?#]/)
    return decodeURIComponent(segments[2] ?? '')
  }

  test('reaches the server as it is, at its own endpoint, or nothing is sent', async () => {
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    const resource = kind === 'payin' ? client.payins : client.payouts
    await resource.retrieve('warm-up')
    const calls = [
      ['POST', (id: string) => create(client, kind, { id })],
      ['GET', (id: string) => resource.retrieve(id)],
    ] as const
    await fc.assert(
      fc.asyncProperty(anyId, fc.constantFrom(...calls), async (id, [method, call]) => {
        const before = gateway.requests.length
        const result: unknown = await call(id).catch((error: unknown) => error)
        const [request, ...more] = gateway.requests.slice(before)
        expect(more).toEqual([])
        if (request === undefined) {
          expect(
            isGatewayError(result) && result.code === 'invalid_input' && result.field === idField(kind),
          ).toBe(true)
          return
        }
        expect(request.method).toBe(method)
        expect(idAtServer(request.path)).toBe(id)
        expect(id.startsWith('!')).toBe(false)
        expect(isGatewayError(result)).toBe(false)
        if (method === 'POST') expect(result).toMatchObject({ [idField(kind)]: id })
      }),
      { numRuns: 150, examples: nasty.map((id) => [id, calls[0]] as [string, (typeof calls)[number]]) },
    )
  })

  test('is never refused when it is what the specification advises', async () => {
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uuid(),
          fc.ulid(),
          fc.base64String({ minLength: 4 }).map((text) => text.replaceAll('/', '_')),
        ),
        async (id) => {
          expect(await create(client, kind, { id })).toMatchObject({ [idField(kind)]: id, replayed: false })
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('an operation built from an id', () => {
  const goodId = anyId.filter((id) => isGood(id))

  function isGood(id: string): boolean {
    try {
      operation('GET', '/payins/{idPayin}', { idPayin: id })
      return true
    } catch (error) {
      if (!isGatewayError(error)) throw error
      return false
    }
  }

  test('matches the path of this id and of no other', () => {
    fc.assert(
      fc.property(goodId, goodId, fc.constantFrom('GET', 'POST'), (id, other, method) => {
        const entry = operation(method, '/payouts/{idPayout}', { idPayout: id })
        expect(entry).toMatch(/^[A-Z]+ \/payouts\/[^ /]+$/)
        // The two ways in which a gateway may build its expression.
        for (const flags of ['', 'u']) {
          const pattern = new RegExp(`^(?:${entry})$`, flags)
          const line = (one: string, verb: string = method) => `${verb} /payouts/${encodeURIComponent(one)}`
          expect(pattern.test(line(id))).toBe(true)
          if (other !== id) expect(pattern.test(line(other))).toBe(false)
          expect(pattern.test(line(`${id}x`))).toBe(false)
          expect(pattern.test(line(`x${id}`))).toBe(false)
          expect(pattern.test(line(id, 'DELETE'))).toBe(false)
          expect(pattern.test(`${line(id)}/cancel`)).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})
