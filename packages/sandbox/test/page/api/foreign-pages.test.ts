import { expect, test } from 'vitest'
import { BODY_HEADERS, JSON_HEADERS, raw, rawRequest } from '../../support.js'
import { type PageOf, pageOf } from './page.js'

/** The status that a browser would get; its headers are its own. */
async function statusOf(
  page: PageOf,
  [method, path]: readonly [method: string, path: string],
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<number> {
  const { port, host } = new URL(page.url)
  const { text } = await raw(Number(port), rawRequest(method, path, { host, ...headers }, body))
  return Number(text.slice(9, 12))
}

const evil = 'https://evil.example'

test.each<[string, string, Record<string, string>]>([
  ['a form', 'POST', { origin: evil, 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }],
  ['a form, to an address that browsers do not trust', 'POST', { origin: evil }],
  ['a form that hides where it is', 'POST', { origin: 'null' }],
  ['a form at another port', 'POST', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a picture', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a frame of another port', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
  ['a preflight', 'OPTIONS', { origin: evil, 'access-control-request-headers': 'x-api-version' }],
])('%s of another site counts for nothing at the gateway', async (_what, method, headers) => {
  await using page = await pageOf({ rateLimit: 1 })
  const fault = page.sandbox.fault({ route: '*', action: { kind: 'status', status: 500 } })
  for (const path of ['/payins/order-1', '/auth-tokens', '/nowhere']) {
    expect(await statusOf(page, [method, path], headers, method === 'POST' ? '{}' : '')).toBe(403)
  }
  expect(page.sandbox.requests).toEqual([])
  expect(fault.hits).toBe(0)
})

test.each<[string, Record<string, string>]>([
  ['a program', JSON_HEADERS],
  ['a program that forgot the version', { accept: 'application/json' }],
  [
    'a server with the headers of a browser',
    { ...JSON_HEADERS, origin: evil, 'sec-fetch-site': 'cross-site' },
  ],
  ['somebody who typed the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
])('%s is answered by the gateway', async (_who, headers) => {
  await using page = await pageOf()
  expect(await statusOf(page, ['GET', '/nowhere'], headers)).toBe(404)
  expect(page.sandbox.requests).toHaveLength(1)
})

test('a page of the sandbox’s own address may ask the gateway', async () => {
  await using page = await pageOf()
  const headers = { ...BODY_HEADERS, origin: page.url, 'sec-fetch-site': 'same-origin' }
  const { 'x-api-version': _, ...withoutVersion } = headers
  for (const sent of [headers, withoutVersion]) {
    expect(await statusOf(page, ['POST', '/nowhere'], sent)).toBe(404)
  }
})

test('a foreign body is not waited for', async () => {
  await using page = await pageOf()
  const { port, host } = new URL(page.url)
  const { text } = await raw(
    Number(port),
    `POST /payins/a HTTP/1.1\r\nhost: ${host}\r\norigin: ${evil}\r\ncontent-length: 1000000\r\n\r\n{`,
  )
  expect(text).toContain('HTTP/1.1 403')
  expect(text).toContain('it is not processed')
})

test('nobody takes the callbacks by a mere link, frame or picture', async () => {
  await using page = await pageOf()
  const path = ['GET', '/_sandbox/api/callbacks'] as const
  expect(await statusOf(page, path, {})).toBe(403)
  expect(await statusOf(page, path, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(403)
  const sameSite = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'x-sandbox-listener': 'x' }
  expect(await statusOf(page, path, sameSite)).toBe(403)
})

test('another port may link to the page, and to nothing behind it', async () => {
  await using page = await pageOf()
  const link = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
  expect(await statusOf(page, ['GET', '/_sandbox'], link)).toBe(308)
  for (const path of ['live', 'state', 'payments', 'requests', 'info']) {
    expect(await statusOf(page, ['GET', `/_sandbox/api/${path}`], link), path).toBe(403)
  }
})

test.each([
  ['live', {}],
  ['callbacks', { 'x-sandbox-listener': 'test' }],
  ['info', {}],
  ['nothing', {}],
])('%s has the headers that keep others from framing and sniffing it', async (path, headers) => {
  await using page = await pageOf()
  const leave = new AbortController()
  const response = await fetch(`${page.url}/_sandbox/api/${path}`, { headers, signal: leave.signal })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  leave.abort()
})

test.each([
  ['POST', 'reset'],
  ['POST', 'create'],
  ['POST', 'faults'],
  ['POST', 'clock'],
  ['POST', 'limiter'],
  ['POST', 'balances'],
  ['POST', 'requests/1/resend'],
  ['POST', 'callbacks/1'],
  ['POST', 'payments/payin/a/status'],
  ['POST', 'payments/payin/a/callback'],
])('%s %s takes nothing that a form could send', async (method, path) => {
  await using page = await pageOf()
  const form = { 'content-type': 'text/plain' }
  expect(await statusOf(page, [method, `/_sandbox/api/${path}`], form, '{}')).toBe(415)
})
