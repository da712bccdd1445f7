import { describe, expect, test } from 'vitest'
import { anyToken, found, handMadeGateway, json, type Reply, text } from '../faults/servers.js'
import { clientOf, create, failure } from '../faults/support.js'
import { elsewhere } from './places.js'

const transports = ['undici', 'fetch'] as const
const redirects = transports.flatMap((transport) =>
  [300, 301, 302, 303, 305, 307, 308].map((status) => ({ transport, status })),
)

/** Where a redirect may point, seen from a gateway at `url`. */
function targets(url: string, other: { readonly url: string; readonly host: string }) {
  return {
    'another port': `${other.url}/payins/order-1`,
    'another name of this host': url.replace('127.0.0.1', 'localhost'),
    'another scheme': url.replace('http:', 'https:'),
    'a host without a scheme': `//${other.host}/payins/order-1`,
    'a host behind backslashes': `\\\\${other.host}\\payins`,
    'a user and a host': `http://gateway@${other.host}/`,
    'the same origin': '/payins/order-2',
    'the same address': '',
    'no address at all': 'http://',
  }
}

describe.each(redirects)('PEER 23: a redirect with $status over $transport', ({ status, transport }) => {
  test('is no second request, and the outcome of a create is unknown', async () => {
    await using other = await elsewhere()
    let location = ''
    const redirect: Reply = (response, request) => text(status, '', { location })(response, request)
    await using gateway = await handMadeGateway({ create: [redirect], lookUp: [redirect] })
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    for (const [where, target] of Object.entries(targets(gateway.url, other))) {
      location = target
      const before = gateway.requests.length
      const error = await failure(create(client, 'payout', { id: `to-${before}` }))
      expect(error, where).toMatchObject({ code: 'unusable_response', outcome: 'unknown', attempts: 1 })
      expect(error.message, where).toContain('redirects are not followed')
      expect(error.message, where).not.toContain('gateway@')
      await failure(client.currencies.list())
      const sent = gateway.requests.slice(before).filter(({ path }) => !path.startsWith('/auth-tokens'))
      expect(
        sent.map(({ path }) => path),
        where,
      ).toEqual([`/payouts/to-${before}`, '/currencies'])
    }
    expect(other.connections()).toBe(0)
  })

  test('takes no merchant secret along from a token request, and says that no payment was made', async () => {
    await using other = await elsewhere()
    const redirect = text(status, '', { location: `${other.url}/auth-tokens` })
    await using gateway = await handMadeGateway({ token: [redirect] })
    await using client = clientOf(gateway.url, transport, {
      signer: undefined,
      merchantSecret: 'canary-secret',
    })
    const error = await failure(create(client, 'payin'))
    expect(error).toMatchObject({ code: 'unusable_response', outcome: 'not-accepted' })
    expect(gateway.requests).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })
})

describe.each(transports)('over %s, a response moves the client nowhere', (transport) => {
  const hints = ({ url, host }: { readonly url: string; readonly host: string }) => ({
    refresh: `0; url=${url}/`,
    link: `<${url}/>; rel=preconnect, <${url}/next>; rel=next`,
    'alt-svc': `h2="${host}", http/1.1="${host}"; ma=86400; persist=1`,
    location: `${url}/payouts/order-1`,
    'content-location': `${url}/payouts/order-1`,
    'set-cookie': `session=1; Domain=${host}`,
  })

  test('by the headers of a success', async () => {
    await using other = await elsewhere()
    await using gateway = await handMadeGateway({ lookUp: [json(200, found('payout'), hints(other))] })
    await using client = clientOf(gateway.url, transport)
    for (let call = 0; call < 3; call++) await client.payouts.retrieve('order-1')
    const lookups = gateway.requests.filter(({ method }) => method === 'GET')
    expect(lookups).toHaveLength(3)
    // Nor does it carry anything from one response into the next request.
    for (const { headers } of lookups) expect(headers).not.toHaveProperty('cookie')
    expect(other.connections()).toBe(0)
  })

  test.each([
    [421, 'unknown to this server', 'invalid_request'],
    // The standard of fetch makes a 407 a failed connection.
    [407, 'Proxy-Authenticate', transport === 'fetch' ? 'connection' : 'invalid_request'],
    [401, 'WWW-Authenticate', 'authentication'],
    [511, 'a captive portal', 'server'],
  ] as const)('by the status %i (%s)', async (status, _name, code) => {
    await using other = await elsewhere()
    const challenge = `Basic realm="${other.url}", Negotiate, Digest realm="x", nonce="y", domain="${other.url}"`
    const refuse = json(
      status,
      {},
      { 'www-authenticate': challenge, 'proxy-authenticate': challenge, ...hints(other) },
    )
    await using gateway = await handMadeGateway({ create: [refuse] })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    expect(await failure(create(client, 'payin'))).toMatchObject({ code })
    for (const { headers, path } of gateway.requests) {
      expect(headers).not.toHaveProperty('proxy-authorization')
      expect(headers.authorization).toBe(path.startsWith('/auth-tokens') ? undefined : `Bearer ${anyToken}`)
    }
    expect(other.connections()).toBe(0)
  })
})
