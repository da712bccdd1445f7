import { SpanKind } from '@opentelemetry/api'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { accept, handMadeGateway, json } from '../faults/servers.js'
import { anySigner, paymentRequest, transportOptions } from '../faults/support.js'
import { registerGlobals, sdk, tree } from './sdk.js'

registerGlobals()
const otel = sdk()
const undici = new UndiciInstrumentation()
beforeAll(() => {
  undici.setTracerProvider(otel.tracerProvider)
  undici.enable()
})
afterEach(() => otel.forgetSpans())
afterAll(async () => {
  undici.disable()
  await otel.end()
})

describe.each(['undici', 'fetch'] as const)('beside the instrumentation of undici, over %s', (transport) => {
  async function create() {
    await using gateway = await handMadeGateway({ create: [json(503, {}), accept] })
    const client = new GatewayClient({
      baseUrl: gateway.url,
      merchantCode: 'M-0001',
      signer: anySigner,
      rateLimit: false,
      ...transportOptions(transport),
    })
    await client.payouts.create({ idPayout: 'order-1', ...paymentRequest() })
    await client.close()
    return gateway.requests
  }

  test('each request has one span, and its traceparent is that span’s', async () => {
    const stop = otel.instrument()
    const requests = await create()
    stop()
    expect(tree(otel.spans())).toEqual([
      {
        'INTERNAL payouts.create': [
          { 'CLIENT POST /payouts/{idPayout}': {} },
          { 'CLIENT POST /payouts/{idPayout}': {} },
          { 'INTERNAL tokens.mint': [{ 'CLIENT POST /auth-tokens': {} }] },
        ],
      },
    ])
    const ids = otel.spans().filter(({ kind }) => kind === SpanKind.CLIENT)
    expect(requests.map(({ headers }) => String(headers.traceparent).split('-')[2])).toEqual(
      ids.map((span) => span.spanContext().spanId),
    )
  })

  test('that instrumentation alone makes spans of its own, so it was there', async () => {
    await create()
    expect(otel.spans().map(({ name }) => name)).toEqual(['POST', 'POST', 'POST'])
  })
})
