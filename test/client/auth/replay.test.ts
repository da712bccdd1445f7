import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../../src/index.js'
import { caught } from '../../support/caught.js'
import { bearer, mockGateway } from '../../support/gateway.js'
import { privatePem } from '../../support/vectors.js'

const startAt = 1_700_000_000_000
const frozen = () => startAt

/** A gateway that refuses replays, at whose clock no time passes. */
const strictSandbox = () =>
  createSandbox({ privateKey: privatePem, clock: 'virtual', startAt, rateLimit: false, replay: 'refuse' })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a gateway that refuses replays', () => {
  it('takes every token request of one second, of whatever client of the process', async () => {
    // The same chance in all of them is no chance.
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    await using sandbox = strictSandbox()
    const options = { ...sandbox.clientOptions(), rateLimit: false, now: frozen, retries: 0 } as const
    for (let n = 0; n < 4; n++) {
      await using client = new GatewayClient(options)
      await client.balances.list()
      await client.authTokens.create({ operations: ['GET /balances'], validitySecs: 5 })
      await client.authTokens.shareable({ idPayin: 'order-1', validitySecs: 1 })
    }
    const statuses = sandbox.requests.map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 16 }, () => 200))
  })

  it('gets no request for more than was asked for, and the lifetime is what was granted', async () => {
    await using sandbox = strictSandbox()
    const options = { ...sandbox.clientOptions(), rateLimit: false, now: frozen, retries: 0 } as const
    await using client = new GatewayClient(options)
    const grant = { operations: ['GET /currencies'], validitySecs: 60 }
    const lifetimes: number[] = []
    for (let n = 0; n < 9; n++) lifetimes.push((await client.authTokens.create(grant)).lifetimeMs)
    // Exactly what was asked for, unless that was asked for in the same second; then up to a tenth less.
    expect(lifetimes).toEqual([60, 59, 58, 57, 56, 55, 54, 60, 59].map((secs) => secs * 1000))
  })
})

describe('a token request that is answered 401', () => {
  const gateway = mockGateway()
  const refused = () => Response.json({ message: 'seen before' }, { status: 401 })

  it.each([
    ['of the client', () => gateway.client({ retries: 0 }).merchantInfo.retrieve()],
    ['of a caller', () => gateway.client({ retries: 0 }).authTokens.create({ operations: ['GET /reports'] })],
  ])('is sent once more with other bytes, whatever the retries: one %s', async (_case, call) => {
    let asked = 0
    gateway.answerTokens(() => (asked++ === 0 ? refused() : Response.json({ token: bearer })))
    gateway.answer({ channelInfo: { name: 'Shop' } })
    await call()
    const [first, second, ...more] = gateway.tokenRequests()
    expect(more).toEqual([])
    expect(second?.body).not.toBe(first?.body)
    expect(second?.headers['x-signature']).not.toBe(first?.headers['x-signature'])
  })

  it('twice is an error that says that it was tried with two signatures', async () => {
    gateway.answerTokens(refused)
    const error = await caught(() => gateway.client({ retries: 4 }).merchantInfo.retrieve())
    expect(error).toMatchObject({
      code: 'authentication',
      attempts: 2,
      gatewayMessage: 'message: seen before',
    })
    expect(error.message).toContain('tried with two different signatures')
    expect(gateway.tokenRequests()).toHaveLength(2)
  })

  it('does not use up a retry', async () => {
    const answers = [401, 503, 200]
    gateway.answerTokens(() => {
      const status = answers.shift() ?? 500
      return Response.json(status === 200 ? { token: bearer } : {}, { status })
    })
    vi.spyOn(Math, 'random').mockReturnValue(0)
    gateway.answer({ channelInfo: { name: 'Shop' } })
    await expect(gateway.client({ retries: 1 }).merchantInfo.retrieve()).resolves.toBeDefined()
  })

  it('with a secret is sent once: nothing in it is taken for a replay', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    gateway.answerTokens(refused)
    const client = gateway.client({ privateKey: undefined, merchantSecret: 'sesame-open-the-door' })
    const error = await caught(() => client.merchantInfo.retrieve())
    expect(error).toMatchObject({ code: 'authentication', attempts: 1 })
    expect(error.message).toContain('check merchantCode and merchantSecret.')
    expect(gateway.tokenRequests()).toHaveLength(1)
  })
})
