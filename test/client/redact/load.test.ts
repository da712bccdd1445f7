import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseJson } from '../../../src/client/input/json.js'

describe('parseJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['', undefined],
    ['<html>', undefined],
    ['{"a":', undefined],
  ])('%j', (body, value) => {
    expect(parseJson(body)).toEqual(value)
  })
})

describe('where the search for secrets can’t be loaded', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/client/redact/redacting.js')
    vi.resetModules()
  })

  it('nothing from outside is shown, and the error is what it is', async () => {
    vi.resetModules()
    vi.doMock('../../../src/client/redact/redacting.js', () => {
      throw new Error('the file is gone')
    })
    const { GatewayClient, isGatewayError } = await import('../../../src/index.js')
    const client = new GatewayClient({
      baseUrl: 'https://gateway.example',
      merchantCode: 'M-0001',
      signer: { sign: () => Promise.resolve(new Uint8Array([1])) },
      rateLimit: false,
      retries: 0,
      fetch: (input) =>
        Promise.resolve(
          String(input).endsWith('/auth-tokens')
            ? Response.json({ token: 'a' })
            : Response.json({ message: 'canary' }, { status: 422, headers: { 'x-request-id': 'canary' } }),
        ),
    })
    const money = { amount: '1', currencyCode: 'EUR' }
    const error: unknown = await client.payouts
      .create({
        idPayout: 'order-1',
        paymentRequested: { money },
        paymentMethod: { paymentMethodCode: 'X' },
      })
      .catch((thrown: unknown) => thrown)
    expect(isGatewayError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'invalid_request', outcome: 'not-accepted', idPayout: 'order-1' })
    expect(JSON.stringify(error)).not.toContain('canary')
    await client.close()
  })
})
