import { describe, expect, it } from 'vitest'
import { mask } from '../../../src/client/redact.js'
import { type GatewayClient, responseOf } from '../../../src/index.js'
import {
  callbackUrl,
  canaryCalls,
  canaryRequest,
  canarySigner,
  credentials,
  echoes,
  echoing,
  expectSilence,
  jwt,
  opaqueToken,
  quote,
} from '../../faults/canaries.js'
import {
  accept,
  found,
  handMadeGateway,
  json,
  type Reply,
  rawServer,
  reset,
  stall,
  stallBody,
  text,
} from '../../faults/servers.js'
import { clientOf, failure, type TransportName } from '../../faults/support.js'
import { sdk } from '../../opentelemetry/sdk.js'
import type { SomeOptions } from '../../support/client-options.js'
import { closedAddress } from '../../support/listening.js'
import { turns } from '../../support/turns.js'
import { keepingLogger, Listening } from '../observe/support.js'

const payout = () => ({ idPayout: 'order-1', ...canaryRequest() })
const token = json(200, { token: opaqueToken })
const transports = ['undici', 'fetch'] as const
const limits = { retries: 0, timeoutMs: 150, deadlineMs: 600, rateLimit: false } as const
const otel = sdk()

/** Looks at all that is thrown, warned, published, logged and traced while these calls run. */
async function expectSilenceOf(
  url: string,
  options: SomeOptions,
  calls = canaryCalls,
  transport: TransportName = 'undici',
) {
  const { logger, lines } = keepingLogger()
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  using listening = new Listening()
  const stop = otel.instrument()
  await using client = clientOf(url, transport, { retries: 0, ...options, logger })
  const errors = (await Promise.allSettled(calls(client))).flatMap((one) =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  await turns()
  stop()
  process.off('warning', onWarning)
  const spans = otel
    .spans()
    .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))
  otel.forgetSpans()
  expect(spans.length).toBeGreaterThan(0)
  expect(lines.length).toBeGreaterThanOrEqual(listening.callsEnded.length)
  for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
  for (const said of [...errors, listening.all, lines, spans, warnings]) expectSilence(said)
  return errors
}

/** One payout that fails. */
async function errorOf(script: Parameters<typeof handMadeGateway>[0], options: SomeOptions = {}) {
  await using gateway = await handMadeGateway({ token: [token], ...script })
  const create = (client: GatewayClient) => [client.payouts.create(payout())]
  const [error] = await expectSilenceOf(gateway.url, { signer: canarySigner, ...options }, create)
  return failure(Promise.reject(error))
}

describe('what was sent is not shown', () => {
  it.each(echoes)('where it is answered by %s', async (_name, echo) => {
    for (const [n, status] of [200, 409, 422, 502].entries()) {
      const reply = echoing(status, echo)
      const tokens = json(200, { token: n % 2 === 0 ? jwt : opaqueToken })
      await using gateway = await handMadeGateway({ token: [tokens], create: [reply], lookUp: [reply] })
      await expectSilenceOf(gateway.url, { ...limits, signer: canarySigner })
      await using minting = await handMadeGateway({
        token: [echoing(status === 409 ? 401 : status, echo)],
      })
      await expectSilenceOf(minting.url, { ...limits, ...credentials[n % 3] })
    }
  })

  it.each(transports)('by a server that does not speak HTTP, over %s', async (transport) => {
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
      await expectSilenceOf(server.url, { ...limits, ...credentials[0] }, canaryCalls, transport)
      await using tokens = await rawServer(garbled)
      await expectSilenceOf(tokens.url, { ...limits, ...credentials[2] }, canaryCalls, transport)
    }
  })

  it.each(transports)('where the connection fails, nor where all goes well, over %s', async (transport) => {
    const script = { token: [json(200, { token: jwt })] }
    for (const broken of [reset, stall, stallBody(), stallBody(409)]) {
      await using gateway = await handMadeGateway({ ...script, create: [broken], lookUp: [broken] })
      await expectSilenceOf(gateway.url, limits, canaryCalls, transport)
    }
    await expectSilenceOf(await closedAddress(), { ...limits, ...credentials[2] }, canaryCalls, transport)
    await using gateway = await handMadeGateway({ ...script, create: [accept] })
    for (const credential of credentials)
      await expectSilenceOf(gateway.url, { ...limits, ...credential }, canaryCalls, transport)
  })

  it('when a later attempt is answered with the token or the signature of an earlier one', async () => {
    const first = 'first/canary+token='
    const say = json(401, { message: `${first} and canarySignature+canary/Signature are bad` })
    await errorOf({
      token: [json(200, { token: first }), json(200, { token: 'second/token' })],
      create: [json(401, {}), say],
    })
    await errorOf({ token: [json(200, { token: first }), say], create: [json(401, {})] })
    let tries = 0
    const signer = { sign: () => Promise.resolve(Buffer.from(`canary${tries++}Signature`, 'base64')) }
    const both = json(400, { message: 'canary0Signature, then canary1Signature' })
    await errorOf({ token: [json(503, {}), both] }, { signer, retries: 1 })
  })

  it('when a create is answered with the signature of its token request', async () => {
    const say = json(400, { message: 'canarySignature+canary/Signature was on the token request' })
    expect((await errorOf({ create: [say] })).gatewayMessage).toBe(mask)
  })

  it('when the lookup after a 409 echoes what the create sent', async () => {
    const say = json(422, { message: `${callbackUrl} of KOWALSKI with ${opaqueToken}` })
    const error = await errorOf({ create: [json(409, {})], lookUp: [say] })
    expect(error).toMatchObject({ outcome: 'accepted', idPayout: 'order-1' })
  })

  it.each([
    ['as a text', text(200, opaqueToken)],
    ['as a JSON text', json(200, opaqueToken)],
    ['in a field nobody knows', json(200, { ticket: { value: opaqueToken } })],
    ['as a message', json(200, { message: opaqueToken, detail: opaqueToken })],
    ['with a redirect', text(302, opaqueToken)],
  ])('when a token comes %s', async (_way, reply) => {
    await errorOf({ token: [reply], create: [json(422, {})] }, { tokenField: 'elsewhere' })
  })

  it('when the headers of a success hold it', async () => {
    const quoting: Reply = (response, request) =>
      json(200, found('payout'), {
        'x-request-id': `7 ${callbackUrl} KOWALSKI ${request.headers.authorization}`,
      })(response, request)
    await using gateway = await handMadeGateway({ token: [token], create: [quoting] })
    await using client = clientOf(gateway.url, 'undici')
    const info = responseOf(await client.payouts.create(payout()))
    expect(info?.headers['x-request-id']).toBe(mask)
    expect(info).not.toHaveProperty('requestId')
    expectSilence(info)
  })

  it('of a name that another secret begins with', async () => {
    const say: Reply = (response, request) => json(400, { message: quote(request) })(response, request)
    await using gateway = await handMadeGateway({ create: [say] })
    await using client = clientOf(gateway.url, 'undici')
    const paymentMethod = {
      paymentMethodCode: 'X',
      account: { accountName: 'Ann' },
      holder: { accountName: 'Ann Canary' },
    }
    expectSilence(await failure(client.payouts.create({ ...payout(), ...{ paymentMethod } })))
  })
})

describe('a path of a request() that holds what is a customer’s', () => {
  it('is not shown where the gateway repeats it, nor is its query', async () => {
    const say: Reply = (response, request) =>
      json(404, { message: `Cannot GET ${request.path}` })(response, request)
    await using gateway = await handMadeGateway({ lookUp: [say] })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    const given = { method: 'GET', operations: ['GET /.*'], query: { accountName: 'Jana Canary' } } as const
    for (const path of ['/customers/Canary%20Novak', '/customers/canary']) {
      for (const template of [{}, { pathTemplate: '/customers/{name}' }]) {
        const error = await failure(client.request({ ...given, path, ...template }))
        expect(error.gatewayMessage).toBe(mask)
      }
    }
  })

  it('is {path} in spans, events and lines, where no template is given', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(422, {})] })
    const stop = otel.instrument()
    const { logger, lines } = keepingLogger()
    using heard = new Listening()
    await using client = clientOf(gateway.url, 'undici', { logger, retries: 0 })
    const request = { method: 'GET', path: '/customers/canary', operations: ['GET /.*'] } as const
    await failure(client.request(request))
    await failure(client.request({ ...request, pathTemplate: '/customers/{name}' }))
    stop()
    expectSilence([heard.all.map(({ event }) => ({ ...event, error: undefined })), lines])
    expect(lines).toContainEqual(expect.stringMatching(/^error .*: GET \{path\}: the gateway refused/))
    const messages = otel.spans().flatMap(({ status }) => status.message ?? [])
    otel.forgetSpans()
    expect(messages).toEqual([
      expect.stringMatching(/^GET \{path\}: the gateway refused the request \(422\)/),
      expect.stringMatching(/^GET \/customers\/\{name\}: the gateway refused the request \(422\)/),
    ])
  })
})

describe('a text of the customer that is very long', () => {
  /** Of which no pattern can be made. */
  const longTexts: Record<string, string> = {
    '32,768 characters': 'canary'.repeat(5462).slice(0, 32_768),
    '3,650 Chinese characters': `${'王小明李'.repeat(912)}canary`,
    'a megabyte': 'canary '.repeat(150_000),
  }
  const answers: readonly ((echo: string) => Reply)[] = [
    (echo) => json(400, { code: 'TOO_LONG', message: echo }),
    (echo) => text(404, `<b>${echo}</b>`),
    (echo) => json(422, { message: `${echo.slice(0, 300)}…` }),
    (echo) => text(500, encodeURIComponent(echo)),
    (echo) => text(503, echo.toUpperCase()),
  ]

  it.each(Object.entries(longTexts))('of %s leaves every error what it is', async (_name, long) => {
    for (const answer of answers) {
      const { logger, lines } = keepingLogger()
      await using gateway = await handMadeGateway({ token: [token], create: [answer(long)] })
      await using client = clientOf(gateway.url, 'undici', { logger, retries: 0 })
      const request = payout()
      request.paymentMethod.account.accountName = long
      const error = await failure(client.payouts.create(request))
      const outcome = /50\d/.test(error.message) ? 'unknown' : 'not-accepted'
      expect(error).toMatchObject({ outcome, idPayout: 'order-1' })
      for (const said of [error, lines]) {
        expectSilence(said)
        expect(JSON.stringify(said)).not.toMatch(/王|%E7/)
      }
    }
  })
})
