import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/gateway/assemble.js'
import type { FaultAction } from '../../src/gateway/faults/fault-action.js'
import { normaliseOptions } from '../../src/gateway/normalise-options.js'
import { createFetch } from '../../src/gateway/transports/fetch.js'
import { serve } from '../../src/gateway/transports/server.js'
import { JSON_HEADERS, ORIGIN } from '../support.js'

type Parts = ReturnType<typeof assemble>
type Send = (signal: AbortSignal) => Promise<Response>

const transports = {
  'a server': async (parts: Parts) => {
    const server = await serve(parts.engine, {}, 1000)
    const send: Send = (signal) => fetch(`${server.url}/balances`, { headers: JSON_HEADERS, signal })
    return { send, close: () => server.close() }
  },
  fetch: async (parts: Parts) => {
    const inProcess = createFetch(parts.engine, new AbortController().signal, 1000)
    const send: Send = (signal) => inProcess(`${ORIGIN}/balances`, { headers: JSON_HEADERS, signal })
    return { send, close: async () => {} }
  },
} as const

describe.each(['a server', 'fetch'] as const)('what is logged of a response by %s', (transport) => {
  async function run(fault: FaultAction | undefined, act: (send: Send, parts: Parts) => Promise<unknown>) {
    const parts = assemble(normaliseOptions({ clock: 'virtual', rateLimit: false }))
    if (fault !== undefined) parts.faults.arm({ route: '*', action: fault })
    const { send, close } = await transports[transport](parts)
    await act(send, parts)
    await expect.poll(() => parts.log.toArray()[0]?.tookMs).toBeDefined()
    await close()
    parts.clock.close()
    const [request] = parts.log.toArray()
    return { arrival: request?.arrival, body: request?.sentAnswer?.body, tookMs: request?.tookMs }
  }
  const never = () => new AbortController().signal
  const read = (send: Send) => send(never()).then((response) => response.text())
  const tryTo = (send: Send) => read(send).catch(() => {})
  const leaving = async (send: Send, parts: Parts) => {
    const leave = new AbortController()
    const sent = send(leave.signal)
      .then((response) => response.text())
      .catch(() => {})
    const isUnderWay = () =>
      parts.log.toArray().some(({ fault, arrival }) => fault === 'delay' || arrival !== 'waiting')
    await expect.poll(isUnderWay).toBe(true)
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
