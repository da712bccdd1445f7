import { describe, expect, it } from 'vitest'
import { mask } from '../../../src/client/redact.js'
import { responseOf } from '../../../src/index.js'
import {
  callbackUrl,
  canaryRequest,
  canarySigner,
  expectSilence,
  merchantSecret,
  opaqueToken,
  spellings,
} from '../../faults/canaries.js'
import { found, handMadeGateway, json, type Reply, rawServer, reset, text } from '../../faults/servers.js'
import { clientOf, failure } from '../../faults/support.js'
import { sdk } from '../../opentelemetry/sdk.js'
import type { SomeOptions } from '../../support/client-options.js'
import { keepingLogger, Listening } from '../observe/support.js'

const payout = () => ({ idPayout: 'order-1', ...canaryRequest() })
const token = json(200, { token: opaqueToken })
const otel = sdk()

/** Creates one payout, which fails, and looks at all that is said about it. */
async function expectSilentFailure(script: Parameters<typeof handMadeGateway>[0], options: SomeOptions = {}) {
  await using gateway = await handMadeGateway({ token: [token], ...script })
  const { logger, lines } = keepingLogger()
  using heard = new Listening()
  const stop = otel.instrument()
  await using client = clientOf(gateway.url, 'undici', {
    signer: canarySigner,
    logger,
    retries: 0,
    ...options,
  })
  const error = await failure(client.payouts.create(payout()))
  stop()
  const spans = otel
    .spans()
    .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))
  otel.forgetSpans()
  expect(spans.length).toBeGreaterThan(0)
  expect(lines.length).toBeGreaterThan(0)
  for (const said of [error, heard.all, lines, spans]) expectSilence(said)
  return { error, gateway }
}

describe('what was sent is not shown', () => {
  it.each(Object.entries(spellings))('when the gateway echoes it as %s', async (_name, echo) => {
    const reply: Reply = (response, request) => echo(422, request)(response, request)
    const { error } = await expectSilentFailure({ create: [reply] })
    expect(error).toMatchObject({ code: 'invalid_request', outcome: 'not-accepted', idPayout: 'order-1' })
    for (const options of [{}, { signer: undefined, merchantSecret }]) {
      await expectSilentFailure({ token: [reply] }, options)
    }
  })

  it('when a later attempt is answered with the token or the signature of an earlier one', async () => {
    const first = 'first/canary+token='
    const say = json(401, { message: `${first} and canarySignature+canary/Signature are bad` })
    await expectSilentFailure({
      token: [json(200, { token: first }), json(200, { token: 'second/token' })],
      create: [json(401, {}), say],
    })
    await expectSilentFailure({ token: [json(200, { token: first }), say], create: [json(401, {})] })
    let tries = 0
    const signer = { sign: () => Promise.resolve(Buffer.from(`canary${tries++}Signature`, 'base64')) }
    const both = json(400, { message: 'canary0Signature, then canary1Signature' })
    await expectSilentFailure({ token: [json(503, {}), both] }, { signer, retries: 1 })
  })

  it('when a create is answered with the signature of its token request', async () => {
    const say = json(400, { message: 'canarySignature+canary/Signature was on the token request' })
    const { error } = await expectSilentFailure({ create: [say] })
    expect(error.gatewayMessage).toBe(mask)
  })

  it('when the lookup after a 409 echoes what the create sent', async () => {
    const say = json(422, { message: `${callbackUrl} of KOWALSKI with ${opaqueToken}` })
    const { error } = await expectSilentFailure({ create: [json(409, {})], lookUp: [say] })
    expect(error).toMatchObject({ outcome: 'accepted', idPayout: 'order-1' })
  })

  it.each([
    ['as a text', text(200, opaqueToken)],
    ['as a JSON text', json(200, opaqueToken)],
    ['in a field nobody knows', json(200, { ticket: { value: opaqueToken } })],
    ['as a message', json(200, { message: opaqueToken, detail: opaqueToken })],
    ['with a redirect', text(302, opaqueToken)],
  ])('when a token comes %s', async (_way, reply) => {
    await expectSilentFailure({ token: [reply], create: [json(422, {})] }, { tokenField: 'elsewhere' })
  })

  it('when the headers of a success hold it', async () => {
    await using gateway = await handMadeGateway({
      token: [token],
      create: [
        (response, request) =>
          json(200, found('payout'), {
            'x-request-id': `7 ${callbackUrl} KOWALSKI ${request.headers.authorization}`,
          })(response, request),
      ],
    })
    await using client = clientOf(gateway.url, 'undici')
    const info = responseOf(await client.payouts.create(payout()))
    expect(info?.headers['x-request-id']).toBe(mask)
    expect(info).not.toHaveProperty('requestId')
    expectSilence(info)
  })

  it('when the gateway repeats what a path or a query of the caller’s own making says', async () => {
    const say: Reply = (response, request) =>
      json(404, { message: `Cannot GET ${request.path}` })(response, request)
    await using gateway = await handMadeGateway({ lookUp: [say] })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    const operations = ['GET /.*']
    for (const path of ['/customers/Canary%20Novak', '/customers/canary']) {
      for (const pathTemplate of [undefined, '/customers/{name}']) {
        const request = { method: 'GET', path, operations, query: { accountName: 'Jana Canary' } } as const
        const error = await failure(
          client.request(pathTemplate === undefined ? request : { ...request, pathTemplate }),
        )
        expectSilence(error.gatewayMessage)
        expect(error.gatewayMessage).toBe(mask)
      }
    }
  })
})

describe('a path of a request() that holds what is a customer’s', () => {
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

/** Texts that no pattern can be made of. */
const longTexts: Record<string, string> = {
  '32,768 characters': 'canary'.repeat(5462).slice(0, 32_768),
  '32,768 different characters': Array.from({ length: 4096 }, (_, n) => `canary${n}`)
    .join(' ')
    .slice(0, 32_768),
  '3,650 Chinese characters': `${'王小明李'.repeat(912)}canary`,
  'a megabyte': 'canary '.repeat(150_000),
}

const answers: Record<string, (echo: string) => Reply> = {
  'a 400 in JSON': (echo) => json(400, { code: 'TOO_LONG', message: echo }),
  'a 401': (echo) => text(401, echo),
  'a 403': (echo) => json(403, { errors: [{ code: 'NO', detail: echo }] }),
  'a 404': (echo) => text(404, `<b>${echo}</b>`),
  'a 422 with a part': (echo) => json(422, { message: `${echo.slice(0, 300)}…` }),
  'a 500': (echo) => text(500, encodeURIComponent(echo)),
  'a 503': (echo) => text(503, echo.toUpperCase()),
  'a broken connection': () => reset,
}

describe('a text of the customer that is very long', () => {
  it.each(Object.entries(longTexts))('of %s leaves every error what it is', async (_name, long) => {
    for (const [what, answer] of Object.entries(answers)) {
      const { logger, lines } = keepingLogger()
      await using gateway = await handMadeGateway({ token: [token], create: [answer(long)] })
      await using client = clientOf(gateway.url, 'undici', { logger, retries: 0 })
      const request = payout()
      request.paymentMethod.account.accountName = long
      const error = await failure(client.payouts.create(request))
      const outcome = /50\d|broken/.test(what) ? 'unknown' : 'not-accepted'
      expect(error, what).toMatchObject({ outcome, idPayout: 'order-1' })
      for (const said of [error, lines]) {
        expectSilence(said)
        expect(JSON.stringify(said), what).not.toMatch(/王|%E7/)
      }
    }
  })

  it('and so does a token of 70,000 characters', async () => {
    const long = 'canary-'.repeat(10_000)
    await using gateway = await handMadeGateway({ token: [json(200, { token: long })] })
    for (const status of [400, 503]) {
      const fetch: typeof globalThis.fetch = async (input, init) =>
        String(input).endsWith('/auth-tokens')
          ? globalThis.fetch(input, init)
          : new Response(`no: ${long.slice(0, 500)}`, { status })
      await using client = clientOf(gateway.url, 'undici', { fetch, retries: 0 })
      const error = await failure(client.payouts.create(payout()))
      expect(error).toMatchObject({ idPayout: 'order-1' })
      expectSilence(error)
    }
  })
})

describe('the cause of a broken connection', () => {
  it('does not show what a server said that speaks no HTTP', async () => {
    await using server = await rawServer((request) => `HTTP/1.1 200 OK\r\nbad header ${request}\r\n\r\n`)
    await using client = clientOf(server.url, 'undici', { signer: canarySigner, retries: 0 })
    expectSilence(await failure(client.payouts.create(payout())))
  })
})
