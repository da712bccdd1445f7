import { expect, test } from 'vitest'
import { anyToken, handMadeGateway, json, type Reply } from '../../../../test/faults/servers.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { examine } from '../../src/doctor/examine.js'
import type { Finding } from '../../src/doctor/finding.js'
import { judgeSignature } from '../../src/doctor/judge-remote.js'

/** What the doctor finds at a gateway with timestamps in seconds that grants no token for longer than `mostSecs`. */
async function findings(mostSecs: number): Promise<readonly Finding[]> {
  const token: Reply = (response, request) => {
    const asked = JSON.parse(request.body) as { timestamp: number; validitySecs: number }
    const isInSeconds = asked.timestamp < 1e11
    const granted =
      asked.validitySecs > mostSecs ? json(422, { message: 'validity' }) : json(200, { token: anyToken })
    const answer = isInSeconds ? granted : json(401, { message: 'timestamp' })
    answer(response, request)
  }
  const business: Reply = (response, request) =>
    json(request.headers.authorization === undefined ? 401 : 200, { channelInfo: { name: 'Shop' } })(
      response,
      request,
    )
  await using gateway = await handMadeGateway({ token: [token], lookUp: [business], create: [business] })
  const found: Finding[] = []
  const env = {
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_MERCHANT_CODE: 'M-0001',
    GATEWAY_PRIVATE_KEY: privatePem,
  }
  for await (const finding of examine(env)) found.push(finding)
  return found
}

test('the doctor tells a cap of the validity from a wrong address, and goes on with what is granted', async () => {
  const found = await findings(120)
  expect(found.find(({ check }) => check === 'signature')).toEqual({
    check: 'signature',
    verdict: 'warn',
    message: 'accepted for a token of 60 s, refused for one of 900 s (the default)',
    fix: 'Give tokenValiditySecs: 60 to the client.',
  })
  expect(found.find(({ check }) => check === 'token')).toMatchObject({ verdict: 'ok' })
  expect(found.find(({ check }) => check === 'account')).toMatchObject({ verdict: 'ok' })
  expect(JSON.stringify(found)).not.toContain('Check GATEWAY_BASE_URL')
})

test('what is refused for every validity is not said to be about the address', () => {
  const answered = { code: 'invalid_request', said: '422, "no"' } as const
  const { verdict, fix } = judgeSignature([{ unit: 'seconds', byGatewaysClock: false, answered }], 'key')
  expect(verdict).toBe('fail')
  expect(fix).not.toContain('GATEWAY_BASE_URL')
})

test('what is refused for every validity is said with the lengths that were asked for', async () => {
  const found = await findings(30)
  expect(found.find(({ check }) => check === 'signature')).toMatchObject({
    verdict: 'fail',
    message: expect.stringMatching(/^refused \(422.*\), for 300 and 60 s too$/),
  })
})
