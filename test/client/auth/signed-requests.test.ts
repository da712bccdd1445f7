import { describe, expect, it, vi } from 'vitest'
import type { Signer } from '../../../src/client/auth/signer.js'
import type { GatewayClient } from '../../../src/index.js'
import { caught } from '../../support/caught.js'
import { isSigned, mockGateway, tokenHeaders } from '../../support/gateway.js'
import { type SignatureVector, signatureVectors } from '../../support/vectors.js'

const gateway = mockGateway()

function requestToken(client: GatewayClient, { body }: SignatureVector): Promise<unknown> {
  const { action, idPayment, operations, money, validitySecs } = body
  const limits = { validitySecs, ...(money === undefined ? {} : { money }) }
  if (action !== undefined && idPayment !== undefined) {
    return client.authTokens.createByAction({ action, idPayment, ...limits })
  }
  return client.authTokens.create({ operations: operations ?? [], ...limits })
}

describe('a token request is signed over the very bytes that are sent', () => {
  it.each(signatureVectors)('the vector "$name", byte for byte', async (one) => {
    const { timestamp, merchantCode } = one.body
    const inMilliseconds = timestamp > 1e12
    const client = gateway.client({
      merchantCode,
      now: () => (inMilliseconds ? timestamp : timestamp * 1000 + 999),
      timestampUnit: inMilliseconds ? 'milliseconds' : 'seconds',
    })
    await requestToken(client, one)
    const [request] = gateway.seen
    expect(request?.body).toBe(one.minified)
    expect(request?.headers).toEqual(tokenHeaders(one.signature))
    expect(request !== undefined && isSigned(request)).toBe(true)
  })

  it('a signer of your own gets those bytes, and its response travels as base64', async () => {
    const given: string[] = []
    const signer: Signer = {
      sign: async (bytes) => {
        given.push(Buffer.from(bytes).toString('utf8'))
        return new Uint8Array([1, 2, 250])
      },
    }
    await gateway
      .client({ privateKey: undefined, signer })
      .authTokens.create({ operations: ['GET /balances'] })
    const [request] = gateway.seen
    expect(given).toEqual([request?.body])
    expect(request?.headers['x-signature']).toBe('AQL6')
  })

  it('a signer that throws in place of rejecting is a signing error too', async () => {
    const signer: Signer = {
      sign: () => {
        throw new Error('not logged in')
      },
    }
    const client = gateway.client({ privateKey: undefined, signer })
    expect(await caught(() => client.merchantInfo.retrieve())).toMatchObject({ code: 'signing' })
  })

  it.each([
    ['nothing', 'null'],
    ['a text', '"c2lnbmF0dXJl"'],
    ['no bytes', '[1, 2, 3]'],
    ['no bytes', '{}'],
  ])('a signer that gives %s (%s) is a signing error that says what it has to give', async (gave, json) => {
    const signer: Signer = { sign: () => Promise.resolve(JSON.parse(json)) }
    const client = gateway.client({ privateKey: undefined, signer })
    const error = await caught(() => client.merchantInfo.retrieve())
    expect(error).toMatchObject({ code: 'signing' })
    expect(error.message).toContain(`the signer gave ${gave} in place of a signature, so nothing was sent; `)
    expect(error.message).toContain('; it has to give the raw signature as a Uint8Array, so decode')
    expect(gateway.seen).toEqual([])
  })
})

describe('the merchant secret is the other way', () => {
  it('travels in the body, without a signature and a timestamp', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const client = gateway.client({ privateKey: undefined, merchantSecret: 'sesame' })
    await client.authTokens.create({ operations: ['GET /balances'], validitySecs: 60 })
    const [request] = gateway.seen
    expect(request?.body).toBe(
      '{"merchantCode":"M-0001","validitySecs":60,"operations":["GET /balances"],"secret":"sesame"}',
    )
    expect(request?.headers).not.toHaveProperty('x-signature')
  })
})
