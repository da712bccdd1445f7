import { afterEach, describe, expect, it, vi } from 'vitest'
import { CallbackReceiver } from '../../../src/callbacks/index.js'
import { mask } from '../../../src/client/redact.js'
import { responseOf } from '../../../src/index.js'
import {
  callbackUrl,
  canaryRequest,
  encryptedPem,
  expectSilence,
  merchantSecret,
  opaqueToken,
  passphrase,
} from '../../faults/canaries.js'
import { acceptedPayout } from '../../faults/copies.js'
import { accept, found, handMadeGateway, json, type Reply } from '../../faults/servers.js'
import { clientOf, failure } from '../../faults/support.js'
import type { SomeOptions } from '../../support/client-options.js'
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
