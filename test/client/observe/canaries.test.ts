import { describe, expect, it } from 'vitest'
import {
  canaryCalls,
  credentials,
  echoes,
  expectSilence,
  jwt,
  limits,
  opaqueToken,
} from '../../faults/canaries.js'
import { accept, handMadeGateway, json, type Reply, reset, stall, stallBody } from '../../faults/servers.js'
import { clientOf } from '../../faults/support.js'
import type { SomeOptions } from '../../support/client-options.js'
import { closedAddress } from '../../support/listening.js'
import { privatePem } from '../../support/vectors.js'
import { keepingLogger, Listening } from './support.js'

/** Runs everything, and looks at all that is told and logged. */
async function expectSilenceOf(url: string, options: SomeOptions): Promise<void> {
  const { logger, lines } = keepingLogger()
  using heard = new Listening()
  await using client = clientOf(url, 'undici', { ...limits, ...options, logger })
  await Promise.allSettled(canaryCalls(client))
  expect(heard.callsEnded.length).toBeGreaterThanOrEqual(4)
  expect(lines.length).toBeGreaterThanOrEqual(heard.callsEnded.length)
  for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
  expectSilence([heard.all, lines])
}

describe('no event and no line shows a secret, a token or a customer', () => {
  it('when all goes well', async () => {
    for (const token of [jwt, opaqueToken]) {
      await using gateway = await handMadeGateway({ token: [json(200, { token })], create: [accept] })
      for (const credential of credentials) await expectSilenceOf(gateway.url, credential)
    }
  })

  it.each(Object.entries(echoes))('when the gateway quotes the request in %s', async (_name, echo) => {
    for (const [n, status] of [200, 409, 422].entries()) {
      const reply: Reply = (response, request) => echo(status, request)(response, request)
      const token = json(200, { token: n % 2 === 0 ? jwt : opaqueToken })
      await using gateway = await handMadeGateway({ token: [token], create: [reply], lookUp: [reply] })
      await expectSilenceOf(gateway.url, { privateKey: privatePem })
      await using tokens = await handMadeGateway({ token: [reply] })
      await expectSilenceOf(tokens.url, credentials[n] ?? {})
    }
  })

  it('when connections fail', async () => {
    for (const broken of [reset, stall, stallBody()]) {
      const token = [json(200, { token: jwt })]
      await using gateway = await handMadeGateway({ token, create: [broken], lookUp: [broken] })
      await expectSilenceOf(gateway.url, { privateKey: privatePem })
    }
    await expectSilenceOf(await closedAddress(), credentials[2] ?? {})
  })

  it('when the path of a request() holds what is a customer’s', async () => {
    const { logger, lines } = keepingLogger()
    await using gateway = await handMadeGateway({ lookUp: [json(422, { message: 'no' }), json(200, {})] })
    await using client = clientOf(gateway.url, 'undici', { ...limits, logger })
    using heard = new Listening()
    const request = {
      method: 'GET',
      path: '/customers/canary@nest.example',
      operations: ['GET /.*'],
    } as const
    await client.request(request).catch(() => {})
    await client.request(request)
    expectSilence([heard.all.map(({ event }) => ({ ...event, error: undefined })), lines])
    expect(lines).toContainEqual(expect.stringMatching(/^error .*: GET \{path\}: the gateway refused/))
  })
})
