import { describe, expect, test, vi } from 'vitest'
import { GatewayClient, ServerToken } from '../../src/index.js'
import { keepingLogger, Listening } from '../client/observe/support.js'
import {
  canaryCalls,
  canaryRequest,
  credentials,
  echoes,
  encryptedPem,
  expectSilence,
  jwt,
  limits,
  merchantSecret,
  opaqueToken,
  overheard,
  passphrase,
  quote,
} from '../faults/canaries.js'
import { fetchGateway } from '../faults/fetch-gateway.js'
import {
  accept,
  handMadeGateway,
  json,
  type Reply,
  rawServer,
  reset,
  stall,
  stallBody,
} from '../faults/servers.js'
import { clientOf, failure, type TransportName } from '../faults/support.js'
import type { SomeOptions } from '../support/client-options.js'
import { closedAddress } from '../support/listening.js'
import { turns } from '../support/turns.js'
import { privatePem } from '../support/vectors.js'

const statuses = [200, 401, 409, 422, 502]

/** Runs everything against a gateway and looks at all that is thrown, warned, published and logged. */
async function expectSilenceOf(url: string, transport: TransportName, options: SomeOptions): Promise<void> {
  const { logger, lines } = keepingLogger()
  using listening = new Listening()
  await using client = clientOf(url, transport, { ...limits, ...options, logger })
  const heard = await overheard(async () => {
    for (const settled of await Promise.allSettled(canaryCalls(client))) {
      if (settled.status === 'rejected') expectSilence(settled.reason)
    }
  })
  expect(listening.callsEnded.length).toBeGreaterThanOrEqual(4)
  expect(lines.length).toBeGreaterThanOrEqual(listening.callsEnded.length)
  for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
  expectSilence([heard, listening.all, lines])
}

describe.each(['undici', 'fetch'] as const)('over %s', (transport) => {
  test.each(Object.entries(echoes))(
    'a gateway that quotes the request in %s is not quoted',
    async (_name, echo) => {
      for (const [n, status] of statuses.entries()) {
        const reply: Reply = (response, request) => echo(status, request)(response, request)
        const token = json(200, { token: n % 2 === 0 ? jwt : opaqueToken })
        await using gateway = await handMadeGateway({ token: [token], create: [reply], lookUp: [reply] })
        await expectSilenceOf(gateway.url, transport, { privateKey: privatePem })
      }
    },
  )

  test.each(Object.entries(echoes))(
    'a token endpoint that quotes the request in %s is not quoted',
    async (_name, echo) => {
      for (const [n, status] of statuses.entries()) {
        const reply: Reply = (response, request) => echo(status, request)(response, request)
        await using gateway = await handMadeGateway({ token: [reply] })
        await expectSilenceOf(gateway.url, transport, credentials[n % 3] ?? {})
      }
    },
  )

  test('a server that does not speak HTTP and quotes the request is not quoted', async () => {
    for (const garbled of [
      (request: string) => request,
      (request: string) => `HTTP/1.1 200 OK\r\nbad header ${request}\r\n\r\n`,
      (request: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${request}`,
      (request: string) => `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n${request}`,
    ]) {
      await using server = await rawServer((request) =>
        request.startsWith('POST /auth-tokens')
          ? `HTTP/1.1 200 OK\r\ncontent-length: ${jwt.length + 12}\r\nconnection: close\r\n\r\n{"token":"${jwt}"}`
          : garbled(request),
      )
      await expectSilenceOf(server.url, transport, credentials[0] ?? {})
      await using tokens = await rawServer(garbled)
      await expectSilenceOf(tokens.url, transport, credentials[2] ?? {})
    }
  })

  test('connections that fail say nothing of what was sent', async () => {
    for (const broken of [reset, stall, stallBody(), stallBody(409)]) {
      await using gateway = await handMadeGateway({
        token: [json(200, { token: jwt })],
        create: [broken],
        lookUp: [broken],
      })
      await expectSilenceOf(gateway.url, transport, credentials[0] ?? {})
    }
    await expectSilenceOf(await closedAddress(), transport, credentials[2] ?? {})
  })

  test('nor does anything when all goes well', async () => {
    for (const token of [jwt, opaqueToken]) {
      await using gateway = await handMadeGateway({ token: [json(200, { token })], create: [accept] })
      for (const credential of credentials) await expectSilenceOf(gateway.url, transport, credential)
    }
  })
})

describe('nothing is shown', () => {
  test('of a client, its options and its tokens, also while calls are under way', async () => {
    await using gateway = await handMadeGateway({ token: [json(200, { token: jwt })], create: [stall] })
    for (const credential of credentials) {
      await using client = clientOf(gateway.url, 'undici', { ...credential, ...limits })
      const settled = Promise.allSettled(canaryCalls(client))
      for (let turn = 0; turn < 30; turn++) {
        expectSilence(client)
        await turns()
      }
      await settled
    }
    const { token } = await clientOf(gateway.url, 'undici').authTokens.create({ operations: ['GET /x'] })
    expect(token).toBeInstanceOf(ServerToken)
    expect(token.reveal()).toBe(jwt)
    expectSilence(token)
    expectSilence({ token, list: [token], map: new Map([[token, token]]) })
    expectSilence(`${token}`)
  })

  test('of what a constructor refuses', () => {
    const base = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001' }
    const wrong: unknown[] = [
      { ...base, privateKey: privatePem.slice(0, 400) },
      { ...base, privateKey: privatePem.replaceAll('\n', ' x ') },
      { ...base, privateKey: 'canary' },
      { ...base, privateKey: { canary: 1 } },
      { ...base, privateKey: encryptedPem },
      { ...base, privateKey: encryptedPem, privateKeyPassphrase: 'wrong-canary' },
      { ...base, privateKey: privatePem, merchantSecret },
      { ...base, privateKey: privatePem, privateKeyPassphrase: { passphrase } },
      { ...base, merchantSecret: [merchantSecret] },
      { ...base, merchantSecret: '' },
      { ...base, privateKey: privatePem, baseUrl: `https://user:${passphrase}@gateway.example` },
      { ...base, privateKey: privatePem, baseUrl: `http://gateway.example/?token=${jwt}` },
      { ...base, privateKey: privatePem, tokens: 'canary' },
      { ...base, privateKey: privatePem, timeoutMs: 'canary' },
      { privateKey: privatePem },
    ]
    for (const options of wrong) {
      let thrown: unknown
      try {
        // @ts-expect-error wrong on purpose
        new GatewayClient(options)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toMatchObject({ code: 'configuration' })
      expectSilence(thrown)
    }
  })

  test('of input that is refused', async () => {
    const client = new GatewayClient({
      baseUrl: 'https://gateway.example',
      merchantCode: 'M',
      privateKey: privatePem,
    })
    const request = canaryRequest()
    const circle: Record<string, unknown> = { accountName: 'canary' }
    circle.self = circle
    const refused = [
      client.payins.create({ idPayin: 'canary/../x', ...request }),
      client.payins.create({ idPayin: 'a', ...request, callbackUrl: 'canary' }),
      client.payins.create({ idPayin: 'a', ...request, extra: circle }),
      client.payins.create({ idPayin: 'a', ...request, extra: { canary: 1n } }),
      client.payins.create({
        ...request,
        idPayin: 'a',
        paymentRequested: { money: { amount: 'canary', currencyCode: 'EUR' } },
      }),
      client.payins.create({
        ...request,
        idPayin: 'a',
        paymentRequested: { money: { amount: 1, currencyCode: 'canary' } },
      }),
      client.balances.list({ currencies: ['canary,canary'] }),
      client.request({ method: 'GET', path: `https://canary.example/${jwt}`, operations: ['GET /x'] }),
    ]
    for (const call of refused) expectSilence(await failure(call))
    expect(() => client.authTokens.decode('not.a.canary')).toThrow(/JWT/)
    await client.close()
  })

  test('of the payment that a wait saw last, but by the name of the property', async () => {
    const payment = {
      process: { status: 'PENDING' },
      paymentMethodResponse: { ...canaryRequest().paymentMethod },
    }
    const { fetch } = fetchGateway(() => Response.json(payment))
    await using client = clientOf('https://gateway.example', 'undici', { fetch })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const wait = failure(client.payins.waitFor('order-1', { maxWaitMs: 5000 }))
    await vi.advanceTimersByTimeAsync(5000)
    const error = await wait
    vi.useRealTimers()
    expect(error.lastPayment).toEqual(payment)
    expectSilence(error)
  })

  test('of a name that another secret begins with', async () => {
    await using gateway = await handMadeGateway({
      create: [(response, request) => json(400, { message: quote(request) })(response, request)],
    })
    await using client = clientOf(gateway.url, 'undici')
    const paymentMethod = {
      paymentMethodCode: 'X',
      account: { accountName: 'Ann' },
      holder: { accountName: 'Ann Canary' },
    }
    const request = { ...canaryRequest(), paymentMethod }
    expectSilence(await failure(client.payouts.create({ idPayout: 'order-1', ...request })))
  })
})
