import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { found, handMadeGateway, json, type Reply, text } from '../../faults/servers.js'
import { clientOf, create, failure } from '../../faults/support.js'

/** Bodies of a refusal as servers make them; each says "operator closed". A text is the body as it is. */
const bodies: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL('error-bodies.json', import.meta.url), 'utf8'),
)

const replyOf =
  (status: number, body: unknown): Reply =>
  (response) => {
    response.writeHead(status)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

async function errorOf(...creates: Reply[]) {
  await using gateway = await handMadeGateway({ create: creates, lookUp: [json(500, {})] })
  await using client = clientOf(gateway.url, 'undici', { retries: 0 })
  return await failure(create(client, 'payout'))
}

describe('the error of a refusal says the reason that the gateway gives', () => {
  it.each(Object.entries(bodies))('%s', async (_shape, body) => {
    const error = await errorOf(replyOf(400, body))
    expect(error.message).toContain('operator closed')
    expect(error).toMatchObject({ code: 'invalid_request', outcome: 'not-accepted' })
  })

  it('with the path of each text', async () => {
    const error = await errorOf(replyOf(422, bodies.FastAPI))
    expect(error.message).toContain(
      '(422) ("detail[0].loc[0]: body; detail[0].loc[1]: amount; detail[0].msg: operator closed; detail[0].type: value_error");',
    )
  })

  it('also with a time in it, and not where a value of the request is in it', async () => {
    const closed = 'operator closed since 2026-11-24T09:13:08.123+01:00'
    const error = await errorOf(replyOf(400, { message: closed, detail: 'Jana Novak is blocked' }))
    expect(error.gatewayMessage).toBe(
      `message: ${closed}; not shown, since it held a secret or a customer's value`,
    )
  })

  it('and has the whole body, which nothing prints', async () => {
    const body = JSON.stringify({ message: 'operator closed', account: '000123-0123456789' })
    const error = await errorOf(replyOf(400, body))
    expect(error.body).toBe(body)
    const printed = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)]
    expect(printed.join()).not.toContain('0123456789')
  })
})

describe('a 409 says its reason', () => {
  const conflict = json(409, { message: 'operator closed' })

  it('where another payment has the id', async () => {
    await using gateway = await handMadeGateway({
      create: [conflict],
      lookUp: [json(200, found('payout', 'order-1', 99))],
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'idempotency_conflict', gatewayMessage: 'message: operator closed' })
    expect(error.message).toContain('(409) ("message: operator closed"); that payout exists')
  })

  it('where the lookup fails', async () => {
    expect((await errorOf(conflict)).message).toContain('answered 409 before ("message: operator closed"):')
  })
})

describe('a body that is no JSON', () => {
  it.each([400, 401, 403, 404, 407, 502])('with %i and HTML is not the gateway’s', async (status) => {
    const error = await errorOf(text(status, '<html><title>Blocked</title><p>by policy 7</p></html>'))
    expect(error.message).toContain(
      `a proxy or firewall answered (html), not the gateway (${status}) ("Blocked by policy 7")`,
    )
    expect(error.message).toContain('check baseUrl, and what stands between this machine and the gateway')
    expect(error.status).toBe(status)
  })

  it('with a text may not be', async () => {
    const error = await errorOf(replyOf(403, 'Access denied'))
    expect(error.message).toContain('(403) ("Access denied"); ')
    expect(error.message).toContain('; the body is no JSON, so a proxy or firewall may have answered; ')
  })
})

it('405 of merchant-info names the rule of the specification', async () => {
  await using gateway = await handMadeGateway({ lookUp: [json(405, {})] })
  await using client = clientOf(gateway.url, 'undici', { retries: 0 })
  const { message } = await failure(client.merchantInfo.retrieve())
  expect(message).toContain('(405); ')
  expect(message).toContain('section 4, rule 3')
})
