import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { instrumentGateway } from '../../src/opentelemetry/index.js'
import {
  accept as acceptAtRoot,
  found,
  type HandMadeGateway,
  handMadeGateway,
  json,
  type Reply,
  reset,
  type Script,
} from '../faults/servers.js'
import { anySigner, paymentRequest, transportOptions } from '../faults/support.js'
import { caught } from '../support/caught.js'
import { over, type SomeOptions } from '../support/client-options.js'
import { registerGlobals, sdk, tree } from './sdk.js'

registerGlobals()
const otel = sdk()
let stop: () => void
beforeEach(() => {
  stop = otel.instrument()
})
afterEach(() => {
  stop()
  otel.forgetSpans()
})
afterAll(() => otel.end())

/** The base URL has a path here, as that of a gateway may. */
const accept: Reply = (response, seen) =>
  acceptAtRoot(response, { ...seen, path: seen.path.replace(/^\/api/, '') })

async function during(
  script: Script,
  run: (client: GatewayClient, gateway: HandMadeGateway) => Promise<unknown>,
  options: SomeOptions = {},
): Promise<{ spans: readonly ReadableSpan[]; gateway: HandMadeGateway }> {
  await using gateway = await handMadeGateway(script)
  const base = { baseUrl: `${gateway.url}/api`, merchantCode: 'M-0001', signer: anySigner } as const
  const client = new GatewayClient(over(base, options))
  await run(client, gateway)
  await client.close()
  return { spans: otel.spans(), gateway }
}

const payout = { idPayout: 'order-1', ...paymentRequest() }
const attempts = (spans: readonly ReadableSpan[]) =>
  spans.filter(({ kind, name }) => kind === SpanKind.CLIENT && !name.includes('auth-tokens'))

function one(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const [first, ...more] = spans.filter((span) => span.name === name)
  if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} spans named ${name}`)
  return first
}

describe('spans', () => {
  test('a call has a span, and in it one for each request and the call for its token', async () => {
    const { spans } = await during({ create: [json(503, {}), accept] }, (client) =>
      client.payouts.create(payout),
    )
    expect(tree(spans)).toEqual([
      {
        'INTERNAL payouts.create': [
          { 'CLIENT POST /api/payouts/{idPayout}': {} },
          { 'CLIENT POST /api/payouts/{idPayout}': {} },
          { 'INTERNAL tokens.mint': [{ 'CLIENT POST /api/auth-tokens': {} }] },
        ],
      },
    ])
  })

  test('a request has the attributes that the conventions for HTTP clients name', async () => {
    const { spans, gateway } = await during({ create: [json(503, {}), accept] }, (client) =>
      client.payouts.create(payout),
    )
    const server = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(gateway.url).port) }
    const request = { 'http.request.method': 'POST', 'url.template': '/api/payouts/{idPayout}' }
    const [first, second] = attempts(spans)
    expect(first?.attributes).toEqual({
      ...server,
      ...request,
      'http.response.status_code': 503,
      'error.type': '503',
      'merchant_gateway.outcome': 'unknown',
      'merchant_gateway.permit.wait_ms': expect.any(Number),
      'merchant_gateway.token.wait_ms': expect.any(Number),
    })
    expect(first?.status.code).toBe(SpanStatusCode.ERROR)
    expect(second?.attributes).toEqual({
      ...server,
      ...request,
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'merchant_gateway.outcome': 'answered',
      'merchant_gateway.retry_reason': 'status_503',
      'merchant_gateway.permit.wait_ms': expect.any(Number),
      'merchant_gateway.token.wait_ms': expect.any(Number),
    })
    expect(second?.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('a call that succeeded says what it came to, and for which payment', async () => {
    const { spans } = await during({ create: [accept] }, (client) => client.payouts.create(payout))
    const call = one(spans, 'payouts.create')
    expect(call.attributes).toMatchObject({
      'merchant_gateway.payout.id': 'order-1',
      'merchant_gateway.priority': 'customer',
      'merchant_gateway.outcome': 'accepted',
      'merchant_gateway.replayed': false,
      'merchant_gateway.attempts': 1,
      'http.response.status_code': 200,
    })
    expect(call.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('a call that failed says so in the words of its error', async () => {
    const { spans } = await during(
      { create: [reset] },
      async (client) => {
        await caught(() => client.payouts.create(payout))
      },
      { retries: 1 },
    )
    const call = one(spans, 'payouts.create')
    expect(call.attributes).toMatchObject({
      'error.type': 'connection',
      'merchant_gateway.outcome': 'unknown',
    })
    expect(call.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringContaining('call again with the same id'),
    })
    expect(attempts(spans).map(({ attributes }) => attributes['error.type'])).toEqual([
      'connection',
      'connection',
    ])
  })

  test('a 409 is a response, and the lookup after it belongs to the same call', async () => {
    const { spans } = await during(
      { create: [json(409, {})], lookUp: [json(200, found('payout'))] },
      (client) => client.payouts.create(payout),
    )
    expect(attempts(spans).map(({ name, status }) => [name, status.code])).toEqual([
      ['POST /api/payouts/{idPayout}', SpanStatusCode.UNSET],
      ['GET /api/payouts/{idPayout}', SpanStatusCode.UNSET],
    ])
    expect(one(spans, 'payouts.create').attributes).toMatchObject({
      'merchant_gateway.replayed': true,
      'merchant_gateway.attempts': 2,
    })
  })

  test('a request of the caller’s own making shows its template and not its path', async () => {
    const { spans } = await during({ lookUp: [json(200, {})] }, async (client) => {
      const operations = ['GET /reports/.*']
      await client.request({
        method: 'GET',
        path: '/reports/jana',
        pathTemplate: '/reports/{name}',
        operations,
      })
      await client.request({ method: 'GET', path: '/reports/jana', operations })
    })
    expect(attempts(spans).map(({ name }) => name)).toEqual(['GET /api/reports/{name}', 'GET /api{path}'])
    expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('jana')
  })

  test('no span holds a token or anything of the customer, whatever the gateway echoes', async () => {
    const echo: Reply = (response, { body, headers }) =>
      json(400, { message: `no: ${body} ${headers.authorization}` })(response, {
        body,
        headers,
        method: '',
        path: '',
      })
    const { spans } = await during({ create: [json(503, {}), echo] }, async (client) => {
      await caught(() => client.payouts.create(payout))
    })
    // Ports and waits are numbers that nobody chose, and may hold the digits of an account.
    const shown = JSON.stringify(
      spans.map(({ name, attributes, status, events }) => [name, attributes, status, events]),
      (_key, value) => (typeof value === 'number' ? 'a number' : value),
    )
    expect(shown).toContain('the gateway refused the request (400)')
    expect(shown).not.toMatch(/Jana|000123|0123456789|jana@|Bearer|eyJ/)
  })

  test('the span that is active where the client is called is the parent, and so it is for a signer', async () => {
    const tracer = otel.tracerProvider.getTracer('test')
    const signer = {
      sign: () => {
        tracer.startSpan('kms.sign').end()
        return Promise.resolve(new Uint8Array([1]))
      },
    }
    const { spans } = await during(
      { create: [accept] },
      (client) =>
        tracer.startActiveSpan('checkout', async (span) => {
          await client.payouts.create(payout)
          span.end()
        }),
      { signer },
    )
    expect(tree(spans)).toEqual([
      {
        'INTERNAL checkout': [
          {
            'INTERNAL payouts.create': [
              { 'CLIENT POST /api/payouts/{idPayout}': {} },
              {
                'INTERNAL tokens.mint': [{ 'CLIENT POST /api/auth-tokens': {} }, { 'INTERNAL kms.sign': {} }],
              },
            ],
          },
        ],
      },
    ])
  })

  test('a tracer that throws changes nothing about the call', async () => {
    stop()
    const broken = {
      getTracer: () => {
        const fails = () => {
          throw new Error('tracer')
        }
        return { startSpan: fails, startActiveSpan: fails }
      },
    }
    stop = instrumentGateway({ tracerProvider: broken })
    const { gateway } = await during({ create: [json(503, {}), accept] }, (client) =>
      client.payouts.create(payout),
    )
    expect(gateway.requests).toHaveLength(3)
  })

  test('requests are inside their call also where no SDK keeps a context', async () => {
    stop()
    context.disable()
    stop = otel.instrument()
    const { spans } = await during({ create: [accept] }, (client) => client.payouts.create(payout))
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    expect(tree(spans)).toEqual([
      { 'INTERNAL payouts.create': [{ 'CLIENT POST /api/payouts/{idPayout}': {} }] },
      { 'INTERNAL tokens.mint': [{ 'CLIENT POST /api/auth-tokens': {} }] },
    ])
  })

  test('nothing is made any more once it is stopped, and a second instrumentation replaces the first', async () => {
    const again = otel.instrument()
    const { spans } = await during({ create: [accept] }, (client) => client.payouts.create(payout))
    expect(spans.filter(({ name }) => name === 'payouts.create')).toHaveLength(1)
    again()
    otel.forgetSpans()
    expect((await during({ create: [accept] }, (client) => client.payouts.create(payout))).spans).toEqual([])
  })
})

describe('the trace context', () => {
  test.each(['undici', 'fetch'] as const)(
    'goes along with each request over %s, baggage does not',
    async (name) => {
      const baggage = propagation.createBaggage({ customer: { value: 'jana' } })
      const { spans, gateway } = await during(
        { create: [json(503, {}), accept] },
        (client) =>
          context.with(propagation.setBaggage(ROOT_CONTEXT, baggage), () => client.payouts.create(payout)),
        transportOptions(name),
      )
      const sent = gateway.requests.map(({ headers }) => headers.traceparent)
      const clientSpans = spans.filter(({ kind }) => kind === SpanKind.CLIENT)
      expect(sent).toHaveLength(3)
      expect(sent).toEqual(
        clientSpans.map((span) => {
          const { traceId, spanId } = span.spanContext()
          return `00-${traceId}-${spanId}-01`
        }),
      )
      expect(gateway.requests.filter(({ headers }) => 'baggage' in headers)).toEqual([])
      expect(new Set(clientSpans.map((span) => span.spanContext().traceId)).size).toBe(1)
    },
  )
})

test('without providers, what is global is used, and where nothing is, nothing happens', async () => {
  stop()
  const { instrumentGateway } = await import('../../src/opentelemetry/index.js')
  stop = instrumentGateway()
  const { spans } = await during({ create: [accept] }, (client) => client.payouts.create(payout))
  expect(spans).toEqual([])
  trace.setGlobalTracerProvider(otel.tracerProvider)
  try {
    // Registered later than instrumentGateway() was called.
    await during({ create: [accept] }, (client) => client.payouts.create(payout))
    expect(otel.spans().map(({ name }) => name)).toContain('payouts.create')
  } finally {
    trace.disable()
  }
})
