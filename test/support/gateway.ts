import { verify } from 'node:crypto'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { GatewayClient } from '../../src/index.js'
import { over, type SomeOptions } from './client-options.js'
import { privatePem, publicPem } from './vectors.js'

export const origin = 'https://gateway.example'

/** One request as it arrived: every header, and the raw text of the body. */
export interface Seen {
  readonly method: string
  /** Path and query, as on the request line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Answer = (seen: Seen) => Response | Promise<Response>

/** The gateway as msw plays it: tokens are minted, the rest is what a test says. */
export interface Gateway {
  readonly seen: Seen[]
  /** Requests other than those for tokens. */
  business(): Seen[]
  tokenRequests(): Seen[]
  /** Answers all requests but those for tokens. */
  answer(answer: Answer | object): void
  answerTokens(answer: Answer | object): void
  client(options?: SomeOptions): GatewayClient
}

export const bearer = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJNLTAwMDEifQ.c2ln'

/** Starts msw for the tests of one file and stops it after them. */
export function mockGateway(): Gateway {
  const seen: Seen[] = []
  let business: Answer = () => Response.json({})
  let tokens: Answer = () => Response.json({ token: bearer })
  const server = setupServer(
    http.all(`${origin}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url)
      const arrived = {
        method: request.method,
        target: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      }
      seen.push(arrived)
      return isTokenRequest(arrived) ? tokens(arrived) : business(arrived)
    }),
  )
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => {
    seen.length = 0
    business = () => Response.json({})
    tokens = () => Response.json({ token: bearer })
  })
  afterAll(() => server.close())
  const asAnswer = (answer: Answer | object): Answer =>
    typeof answer === 'function' ? (one) => answer(one) : () => Response.json(answer)
  return {
    seen,
    business: () => seen.filter((one) => !isTokenRequest(one)),
    tokenRequests: () => seen.filter(isTokenRequest),
    answer: (answer) => {
      business = asAnswer(answer)
    },
    answerTokens: (answer) => {
      tokens = asAnswer(answer)
    },
    client: (options = {}) => testClient(options),
  }
}

/** A client of the gateway that msw plays. */
export function testClient(options: SomeOptions = {}): GatewayClient {
  const base = {
    baseUrl: origin,
    merchantCode: 'M-0001',
    privateKey: privatePem,
    fetch: globalThis.fetch,
    retries: 0,
    now: () => 1_700_000_000_000,
  } as const
  return new GatewayClient(over(base, options))
}

function isTokenRequest({ target }: Seen): boolean {
  return /\/auth-tokens(?:-by-action)?$/.test(target)
}

/** Whether the signature of a token request fits the bytes that arrived. */
export function isSigned({ headers, body }: Seen): boolean {
  const signature = Buffer.from(headers['x-signature'] ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(body), publicPem, signature)
}

const always = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'x-api-version': '2',
  'user-agent': `merchant-gateway/${manifest.version} node/${process.versions.node}`,
}

/** Every header of a business request, no more and no less. */
export function headersOf(hasBody: boolean): Record<string, string> {
  return {
    ...always,
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    authorization: `Bearer ${bearer}`,
  }
}

/** Every header of a token request. */
export function tokenHeaders(signature: unknown = expect.any(String)): Record<string, unknown> {
  return { ...always, 'content-type': 'application/json', 'x-signature': signature }
}
