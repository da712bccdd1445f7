import { describe, expect, test } from 'vitest'
import type { FaultAction } from '../../src/index.js'
import { type PageOf, pageOf } from '../page/api/page.js'
import { JSON_HEADERS, ORIGIN } from '../support.js'

const path = '/payins/order-1'
const transports = {
  'a server': ({ url }: PageOf) => fetch.bind(null, url + path),
  fetch: ({ sandbox }: PageOf) => sandbox.fetch.bind(null, ORIGIN + path),
}

type Send = (init: RequestInit) => Promise<Response>

describe.each(['a server', 'fetch'] as const)('what is logged of a response by %s', (transport) => {
  /** A status request without a token, and what the page shows of it. */
  async function run(fault: FaultAction | undefined, act: (send: Send, page: PageOf) => Promise<unknown>) {
    await using page = await pageOf({ clock: 'virtual' })
    await page.ask('POST', 'create', { kind: 'payin', id: 'order-1', amount: 1, currencyCode: 'EUR' })
    if (fault !== undefined) page.sandbox.fault({ route: '*', action: fault })
    const send = transports[transport](page)
    await act((init) => send({ ...init, headers: JSON_HEADERS }), page)
    await expect.poll(async () => (await requestOf(page)).tookMs).not.toBeNull()
    const { arrival, number, tookMs } = await requestOf(page)
    const { json } = await page.ask('GET', `requests/${number}`)
    return { arrival, tookMs, body: Object(json).response?.body }
  }
  async function requestOf(page: PageOf): Promise<Record<string, unknown>> {
    const { json } = await page.ask('GET', 'payments/payin/order-1')
    return Object(json).entries.findLast((entry: { method?: string }) => entry.method === 'GET') ?? {}
  }
  const read = (send: Send) => send({}).then((response) => response.text())
  const tryTo = (send: Send) => read(send).catch(() => {})
  const leaving = async (send: Send, page: PageOf) => {
    const leave = new AbortController()
    const sent = send({ signal: leave.signal })
      .then((response) => response.text())
      .catch(() => {})
    await expect.poll(() => page.sandbox.requests.at(-1)?.fault).toBeDefined()
    leave.abort()
    await sent
  }

  test('is all of it when it arrived', async () => {
    const { arrival, body, tookMs } = await run(undefined, read)
    expect(arrival).toBe('whole')
    expect(body).toContain('TOKEN_MISSING')
    expect(tookMs).toBe(0)
  })

  test.each([
    ['drop-after', 'reset', tryTo, undefined],
    ['drop-before', 'reset', tryTo, undefined],
    ['cut-body', 'cut', tryTo, 'TOKEN_MISSING'],
    ['timeout', 'none', leaving, undefined],
    ['stall-body', 'cut', leaving, 'TOKEN_MISSING'],
  ] as const)('is what a fault %s left of it: %s', async (kind, expected, act, text) => {
    const { arrival, body } = await run({ kind }, act)
    expect(arrival).toBe(expected)
    if (text === undefined) expect(body).toBeUndefined()
    else expect(body).toContain(text)
  })

  test('is that the client left, when it did not wait', async () => {
    const { arrival } = await run({ kind: 'delay', ms: 1000 }, leaving)
    expect(arrival).toBe('left')
  })
})
