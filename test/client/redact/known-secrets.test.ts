import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallbackReceiver } from '../../../src/callbacks/index.js'
import { mask } from '../../../src/client/redact.js'
import { GatewayClient, responseOf, ServerToken } from '../../../src/index.js'
import {
  callbackUrl,
  canaryCalls,
  canaryRequest,
  credentials,
  encryptedPem,
  expectSilence,
  jwt,
  merchantSecret,
  opaqueToken,
  passphrase,
} from '../../faults/canaries.js'
import { acceptedPayout } from '../../faults/copies.js'
import { accept, found, handMadeGateway, json, type Reply, stall } from '../../faults/servers.js'
import { clientOf, failure } from '../../faults/support.js'
import type { SomeOptions } from '../../support/client-options.js'
import { turns } from '../../support/turns.js'
import { privatePem } from '../../support/vectors.js'
import { keepingLogger } from '../observe/support.js'

afterEach(() => {
  vi.restoreAllMocks()
})

const request = () => ({ idPayout: 'order-1', ...canaryRequest() })

/** Answers that quote a text in whatever the client may show. */
const quoting = (text: string): Reply[] => {
  const headers = { 'x-request-id': text.replaceAll('\n', ' ') }
  return [
    json(500, { message: `refused: ${text}` }, headers),
    json(422, { [text]: text, error: text }, headers),
  ]
}

/** What is said of lookups whose responses quote a text. */
async function saidOf(text: string, options: SomeOptions, before?: (url: string) => Promise<unknown>) {
  for (const reply of quoting(text)) {
    await using gateway = await handMadeGateway({ create: [accept], lookUp: [reply] })
    const { logger, lines } = keepingLogger()
    await using client = clientOf(gateway.url, 'undici', { logger, retries: 0, ...options })
    await client.payouts.create(request())
    await before?.(gateway.url)
    const error = await failure(client.payouts.retrieve('order-2'))
    expect(error).toHaveProperty('gatewayMessage')
    expectSilence([error, lines])
  }
}

describe('a response to another call shows nothing', () => {
  it('of the merchant secret', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    await saidOf(merchantSecret, { signer: undefined, privateKey: undefined, merchantSecret })
  })

  it('of the lines of the key', async () => {
    await saidOf(privatePem.split('\n').slice(3, 9).join('\n'), { signer: undefined, privateKey: privatePem })
  })

  it("of the key's passphrase, or of the key as it was encrypted", async () => {
    const options = { signer: undefined, privateKey: encryptedPem, privateKeyPassphrase: passphrase }
    await saidOf(passphrase, options)
    await saidOf(encryptedPem.split('\n').slice(3, 9).join('\n'), options)
  })

  it('of a secret of its callback receiver', async () => {
    const secret = 'canary: secret of a receiver, 1 of 2'
    await using gateway = await handMadeGateway({ lookUp: quoting(secret) })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    const receiving = { secrets: [secret], onPayout: () => {} }
    new CallbackReceiver({ client, publicUrl: 'https://shop.example/callbacks', ...receiving })
    expectSilence(await failure(client.payouts.retrieve('order-2')))
  })

  it('of a callback URL that was sent, or of its last part', async () => {
    await saidOf(callbackUrl, {})
    await saidOf(callbackUrl.slice(callbackUrl.lastIndexOf('.') + 1), {})
    await saidOf(encodeURIComponent(callbackUrl), {})
  })

  it('of a token that was minted for somebody else', async () => {
    await using gateway = await handMadeGateway({
      token: [json(200, { token: opaqueToken }), json(200, { token: 'another-token-0123456789' })],
      lookUp: quoting(opaqueToken),
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    await client.authTokens.create({ operations: ['GET /balances'] })
    expectSilence(await failure(client.payouts.retrieve('order-2')))
  })

  it('of the callback URL of the payment that is looked up, also when another process has sent it', async () => {
    const receiving = { secrets: ['a0b1c2d3e4f5a6b7c8d9'.repeat(2)], onPayout: () => {} }
    const publicUrl = 'https://shop.example/callbacks'
    let url = ''
    await using gateway = await handMadeGateway({
      lookUp: [
        (response, seen) => json(500, { message: `${url} failed` }, { 'x-request-id': url })(response, seen),
      ],
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    url = new CallbackReceiver({ client, publicUrl, ...receiving }).urlFor({ idPayout: 'order-2' })
    for (const quoted of [url, url.slice(url.lastIndexOf('.') + 1)]) {
      url = quoted
      const error = await failure(client.payouts.retrieve('order-2'))
      expect(JSON.stringify(error)).not.toContain(quoted.slice(-20))
      expect(error.message).toContain(mask)
    }
  })
})

it.each([
  ['a callback URL', callbackUrl.slice(callbackUrl.lastIndexOf('.') + 1)],
  ['a line of the key', privatePem.split('\n')[3] ?? ''],
])('nor do the headers of a response that went well, of %s', async (_what, quoted) => {
  const lookUp = [json(200, found('payout'), { 'x-request-id': quoted })]
  await using gateway = await handMadeGateway({ create: [accept], lookUp })
  const options = { retries: 0, signer: undefined, privateKey: privatePem }
  await using client = clientOf(gateway.url, 'undici', options)
  await client.payouts.create(request())
  const { headers } = responseOf(await client.payouts.retrieve('order-1')) ?? {}
  expect(headers?.['x-request-id']).toBe(mask)
})

it('of many, the newest tokens and URLs are known', async () => {
  let tokens = 0
  let quoted = 'nothing'
  const fetch: typeof globalThis.fetch = async (input) => {
    const { pathname } = new URL(String(input))
    return pathname === '/auth-tokens'
      ? Response.json({ token: `token-of-many-${1_000 + tokens++}` })
      : Response.json(acceptedPayout(pathname), { headers: { 'x-request-id': quoted } })
  }
  await using client = clientOf('https://gateway.example', 'fetch', { fetch, rateLimit: false })
  for (let n = 0; n < 70; n++) {
    await client.authTokens.create({ operations: ['GET /x'] })
    const callbackUrl = `https://shop.example/a-mac-that-is-long-${1_000 + n}`
    await client.payouts.create({ ...request(), idPayout: `order-${n}`, callbackUrl })
  }
  const shown = async (text: string) => {
    quoted = text
    return responseOf(await client.payouts.retrieve('order-1'))?.headers['x-request-id'] === text
  }
  for (const what of ['token-of-many', 'a-mac-that-is-long']) {
    expect([await shown(`${what}-1002`), await shown(`${what}-1069`)], what).toEqual([true, false])
  }
})

describe('nothing is shown', () => {
  it('of a client, its options and its tokens, also while calls are under way', async () => {
    await using gateway = await handMadeGateway({ token: [json(200, { token: jwt })], create: [stall] })
    for (const credential of credentials) {
      await using client = clientOf(gateway.url, 'undici', { ...credential, retries: 0, timeoutMs: 150 })
      const settled = Promise.allSettled(canaryCalls(client))
      for (let turn = 0; turn < 30; turn++) {
        expectSilence(client)
        await turns()
      }
      await settled
    }
    const created = await clientOf(gateway.url, 'undici').authTokens.create({ operations: ['GET /x'] })
    expect(created.token).toBeInstanceOf(ServerToken)
    expect(created.token.reveal()).toBe(jwt)
    expectSilence({ created, map: new Map([[created.token, created.token]]) })
    expectSilence(`${created.token}`)
  })

  const base = { baseUrl: 'https://gateway.example', merchantCode: 'M-0001', privateKey: privatePem }
  it.each<readonly [string, object]>([
    ['a key that was cut', { privateKey: privatePem.slice(0, 400) }],
    ['a key that was damaged', { privateKey: privatePem.replaceAll('\n', ' x ') }],
    ['a text', { privateKey: 'canary' }],
    ['an object', { privateKey: { canary: 1 } }],
    ['an encrypted key', { privateKey: encryptedPem }],
    ['a wrong passphrase', { privateKey: encryptedPem, privateKeyPassphrase: 'wrong-canary' }],
    ['two credentials', { merchantSecret }],
    ['a passphrase that is none', { privateKeyPassphrase: { passphrase } }],
    ['a secret that is none', { privateKey: undefined, merchantSecret: [merchantSecret] }],
    ['a password in the address', { baseUrl: `https://user:${passphrase}@gateway.example` }],
    ['a token in the address', { baseUrl: `http://gateway.example/?token=${jwt}` }],
    ['an unknown word', { tokens: 'canary' }],
    ['no number', { timeoutMs: 'canary' }],
    ['no address', { baseUrl: undefined }],
  ])('of options that are refused: %s', (_what, wrong) => {
    let thrown: unknown
    try {
      new GatewayClient(Object.assign({ ...base }, wrong))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'configuration' })
    expectSilence(thrown)
  })

  it('of input that is refused', async () => {
    await using client = new GatewayClient(base)
    const request = { ...canaryRequest(), idPayin: 'a' }
    const circle: Record<string, unknown> = { accountName: 'canary' }
    circle.self = circle
    const ofMoney = (amount: string, currencyCode: string) => ({ money: { amount, currencyCode } })
    const refused = [
      client.payins.create({ ...request, idPayin: 'canary/../x' }),
      client.payins.create({ ...request, callbackUrl: 'canary' }),
      client.payins.create({ ...request, extra: circle }),
      client.payins.create({ ...request, extra: { canary: 1n } }),
      client.payins.create({ ...request, paymentRequested: ofMoney('canary', 'EUR') }),
      client.payins.create({ ...request, paymentRequested: ofMoney('1', 'canary') }),
      client.balances.list({ currencies: ['canary,canary'] }),
      client.request({ method: 'GET', path: `https://canary.example/${jwt}`, operations: ['GET /x'] }),
    ]
    for (const call of refused) expectSilence(await failure(call))
    expect(() => client.authTokens.decode('not.a.canary')).toThrow(/JWT/)
  })

  it('of the payment that a wait saw last, but by the name of the property', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { paymentMethod } = canaryRequest()
    const payment = { process: { status: 'PENDING' }, paymentMethodResponse: { ...paymentMethod } }
    const fetch: typeof globalThis.fetch = async (input) =>
      Response.json(String(input).includes('/auth-tokens') ? { token: jwt } : payment)
    await using client = clientOf('https://gateway.example', 'undici', { fetch })
    const wait = failure(client.payins.waitFor('order-1', { maxWaitMs: 5000 }))
    await vi.advanceTimersByTimeAsync(5000)
    const error = await wait
    vi.useRealTimers()
    expect(error.lastPayment).toEqual(payment)
    expectSilence(error)
  })
})
