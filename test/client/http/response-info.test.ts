import { describe, expect, it } from 'vitest'
import { mask } from '../../../src/client/redact.js'
import { type GatewayClient, type ResponseInfo, responseOf, withResponse } from '../../../src/index.js'
import { anyToken, found, handMadeGateway, json, type Script, text } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'
import { customerAccountPath, methods, operations, waits } from '../../support/methods.js'

const id = 'order-1'
const headers = {
  'x-request-id': `r-7 ${anyToken}`,
  'x-correlation-id': 'c-7',
  'x-ratelimit-remaining': '9',
  traceparent: '00-1',
  'set-cookie': 'session=1',
  'x-customer': 'Jana',
  location: '/secret',
}
const answer = {
  ...found('payin'),
  process: { status: 'SUCCESS' },
  paymentMethodResponse: { idPayin: id, idPayout: id },
  channelInfo: { name: 'shop' },
  data: [],
}
const good = json(200, answer, headers)
const wrapping = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: { wrapped: value } }) },
} as const
const request = { method: 'GET', path: '/x', operations } as const

const results: Record<string, (client: GatewayClient) => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.entries({ ...methods, ...waits })
      .filter(([name]) => !name.startsWith('authTokens'))
      .map(([name, call]) => [name, (client) => call(client, id)]),
  ),
  'balances.list of some': (client) => client.balances.list({ currencies: ['EUR'] }),
  'request with a schema': (client) => client.request({ ...request, response: wrapping }),
}

/** What comes of a call over a gateway that answers so. */
async function over<T>(script: Script, run: (client: GatewayClient) => Promise<T>): Promise<T> {
  await using gateway = await handMadeGateway(script)
  await using client = clientOf(gateway.url, 'undici', { customerAccountPath })
  return await run(client)
}

/** What adds up, whatever the machine does. */
function expectGoodDurations(info: ResponseInfo | undefined): void {
  const { durationMs = -1, lastAttemptMs = -1, waitedForPermitMs = -1, waitedForTokenMs = -1 } = info ?? {}
  expect(Math.min(lastAttemptMs, waitedForPermitMs, waitedForTokenMs)).toBeGreaterThanOrEqual(0)
  expect(durationMs + 0.001).toBeGreaterThanOrEqual(lastAttemptMs + waitedForPermitMs + waitedForTokenMs)
}

describe('the response that a result came from', () => {
  it.each(Object.entries(results))('is known for %s', async (_name, run) => {
    const result = await over({ create: [good], lookUp: [good] }, run)
    const info = responseOf(result)
    expect(info).toMatchObject({ status: 200, requestId: 'c-7', attempts: 1 })
    expect(info?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': mask,
      'x-correlation-id': 'c-7',
      'x-ratelimit-remaining': '9',
      traceparent: '00-1',
    })
    for (const name of ['set-cookie', 'x-customer', 'location'])
      expect(info?.headers).not.toHaveProperty(name)
    expectGoodDurations(info)
    expect(info?.waitedForTokenMs).toBeGreaterThan(0)
    expect(responseOf(structuredClone(result))).toBeUndefined()
    expect(responseOf({ ...(result as object) })).toBeUndefined()
  })

  it('is known for what a schema made of it, also when that is frozen or a proxy', async () => {
    for (const made of [Object.freeze({ a: 1 }), Object.freeze([]), new Proxy({}, {})]) {
      const validate = () => ({ value: made })
      const response = { '~standard': { version: 1, vendor: 'test', validate } } as const
      const result = await over({ lookUp: [good] }, (client) => client.request({ ...request, response }))
      expect(result).toBe(made)
      expect(responseOf(result)).toMatchObject({ status: 200, attempts: 1 })
    }
  })

  it('is known for a token', async () => {
    const token = [json(200, { token: anyToken }, { 'x-correlation-id': 'c-7' })]
    const [created, byAction, shareable] = await over({ token }, (client) =>
      Promise.all(
        ['create', 'createByAction', 'shareable'].map((name) => methods[`authTokens.${name}`]?.(client, id)),
      ),
    )
    for (const one of [created, byAction])
      expect(responseOf(one)).toMatchObject({ status: 200, requestId: 'c-7', attempts: 1 })
    expect(responseOf(shareable)).toBeUndefined()
  })

  it('is the lookup’s for a payment that was there already', async () => {
    const script = {
      create: [json(409, {}, { 'x-request-id': 'conflict' })],
      lookUp: [json(200, found('payin'), { 'x-request-id': 'lookup' })],
    }
    const payin = await over(script, async (client) => await create(client, 'payin'))
    expect(payin.replayed).toBe(true)
    expect(responseOf(payin)).toMatchObject({ status: 200, requestId: 'lookup' })
  })

  it('is the last one after a retry, with the time that all of them took', async () => {
    const last = json(200, found('payin'), { 'x-request-id': 'last' })
    const lookUp = [text(503, '', { 'x-request-id': 'first' }), last]
    const info = responseOf(await over({ lookUp }, ({ payins }) => payins.retrieve(id)))
    expect(info).toMatchObject({ status: 200, requestId: 'last', attempts: 2 })
    expectGoodDurations(info)
    // The pause before a second attempt is 125 ms at least.
    expect(info?.durationMs).toBeGreaterThan((info?.lastAttemptMs ?? 0) + 120)
  })

  it('leaves no trace on the result', async () => {
    const payin = await over({ lookUp: [json(200, found('payin'))] }, ({ payins }) => payins.retrieve(id))
    expect(payin).toStrictEqual(found('payin'))
    expect(Reflect.ownKeys(payin)).toEqual(Object.keys(found('payin')))
    expect(Object.getPrototypeOf(payin)).toBe(Object.prototype)
  })

  it.each([undefined, null, 1, 'text', true, Symbol('x'), {}, [], () => {}])(
    'is not known for %s',
    (value) => {
      expect(responseOf(value)).toBeUndefined()
    },
  )

  it('is not known for what a request() gave that is no object', async () => {
    const seven = await over({ lookUp: [json(200, 7)] }, (client) => client.request(request))
    expect([seven, responseOf(seven)]).toEqual([7, undefined])
  })

  it('may be asked for as often as one likes, and changes to it stay with who made them', async () => {
    const payin = await over({ lookUp: [good] }, ({ payins }) => payins.retrieve(id))
    Object.assign(responseOf(payin)?.headers ?? {}, { 'x-request-id': 'changed' })
    expect(responseOf(payin)?.requestId).toBe('c-7')
  })
})

describe('withResponse', () => {
  it('gives the response beside a result that will be copied', async () => {
    const { data, response } = await over({ lookUp: [good] }, ({ payouts }) =>
      withResponse(payouts.retrieve(id)),
    )
    const copy = { ...data }
    expect([responseOf(copy), response?.status, response?.attempts]).toEqual([undefined, 200, 1])
    expect(response?.requestId).toBe('c-7')
  })

  it('rejects as the call does', async () => {
    const error = new Error('failed')
    await expect(withResponse(Promise.reject(error))).rejects.toBe(error)
  })

  it('has no response where the call resolves to no object', async () => {
    expect(await withResponse(Promise.resolve(undefined))).toEqual({ data: undefined, response: undefined })
  })
})
