import { describe, expect, it, vi } from 'vitest'
import { type Limiter, onGatewayEvent } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf, failure, paymentRequest } from '../../faults/support.js'
import { turns, until } from '../../support/turns.js'
import { keepingLogger, Listening } from './support.js'

/** Grants a permit whenever it is told to. */
class HandLimiter implements Limiter {
  readonly #waiting: (() => void)[] = []
  open = true

  acquire(): Promise<void> | undefined {
    return this.open ? undefined : new Promise((resolve) => this.#waiting.push(resolve))
  }

  async grant(): Promise<void> {
    await until(() => this.#waiting.length > 0)
    this.#waiting.shift()?.()
  }
}

const brief = ({ rateLimit }: Listening) =>
  rateLimit.map((event) => {
    if (event.kind === 'paused') return `paused ${event.pauseMs}`
    if (event.kind === 'pacing') return `pacing from ${event.from} to ${event.to}`
    if (!('priority' in event)) return event.kind
    return `${event.kind} ${event.priority} ${event.depth}`
  })

/** A client that has its token, and a limiter that grants from now on when it is told to. */
async function waitingClient() {
  const rateLimit = new HandLimiter()
  const client = clientOf('https://gateway.example', 'undici', { fetch: good.fetch, rateLimit })
  await client.payins.retrieve('order-1')
  rateLimit.open = false
  const heard = new Listening()
  const end = () => {
    heard[Symbol.dispose]()
    return client.close()
  }
  return { client, rateLimit, heard, [Symbol.asyncDispose]: end }
}

const good = fetchGateway(() => Response.json({ ...found('payin'), data: [] }))

describe('the queue for permits', () => {
  it('tells how many wait with each priority, and who was granted one', async () => {
    await using waiting = await waitingClient()
    const { client, rateLimit, heard } = waiting
    const reads = [client.payins.retrieve('order-1'), client.payins.retrieve('order-1')]
    const create = client.payins.create({ idPayin: 'order-1', ...paymentRequest() })
    await until(() => heard.rateLimit.length === 3)
    expect(brief(heard)).toEqual(['queued customer 1', 'queued customer 2', 'queued customer 3'])
    for (let n = 0; n < 3; n++) await rateLimit.grant()
    await Promise.all([...reads, create])
    expect(brief(heard).slice(3)).toEqual(['granted customer 2', 'granted customer 1', 'granted customer 0'])
    const clients = heard.rateLimit.map((event) => 'client' in event && event.client)
    expect(new Set(clients)).toEqual(new Set([heard.callsStarted[0]?.call.client]))
    expect(clients[0]).toBe(heard.callsStarted[0]?.call.client)
    for (const { attempt } of heard.attemptsStarted) expect(attempt.waitedForPermitMs).toBeGreaterThan(0)
    for (const { waitedForPermitMs } of heard.callsEnded) expect(waitedForPermitMs).toBeGreaterThan(0)
  })

  it('tells who left it without a permit', async () => {
    await using waiting = await waitingClient()
    const { client, heard } = waiting
    const ending = new AbortController()
    const read = failure(client.payins.retrieve('order-1', { signal: ending.signal }))
    const poll = failure(client.payins.waitFor('order-1', { maxWaitMs: 1000, signal: ending.signal }))
    await until(() => heard.rateLimit.length === 2)
    ending.abort()
    await Promise.all([read, poll])
    expect(brief(heard)).toEqual([
      'queued customer 1',
      'queued background 1',
      'left background 0',
      'left customer 0',
    ])
    expect(heard.attemptsStarted).toEqual([])
  })

  it('tells of everybody who is refused when the client is closed', async () => {
    const { client, heard } = await waitingClient()
    const reads = [1, 2].map((n) => failure(client.payins.retrieve(`order-${n}`)))
    await until(() => heard.rateLimit.length === 2)
    await client.close()
    expect((await Promise.all(reads)).map(({ code }) => code)).toEqual(['client_closed', 'client_closed'])
    expect(brief(heard).slice(2)).toEqual(['left customer 1', 'left customer 0'])
  })

  it('asks for no permit when whoever was told of a call has given it up', async () => {
    const rateLimit = new HandLimiter()
    await using client = clientOf('https://gateway.example', 'undici', { fetch: good.fetch, rateLimit })
    await client.payins.retrieve('order-1')
    const asked = vi.spyOn(rateLimit, 'acquire')
    const shedding = new AbortController()
    const stop = onGatewayEvent('merchant-gateway:rate-limit', ({ kind }) => {
      if (kind === 'queued') shedding.abort()
    })
    const { code } = await failure(client.payins.retrieve('order-1', { signal: shedding.signal }))
    stop()
    await turns()
    expect(code).toBe('aborted')
    expect(asked).not.toHaveBeenCalled()
  })

  it('is silent where permits are free', async () => {
    await using client = clientOf('https://gateway.example', 'undici', {
      fetch: good.fetch,
      rateLimit: false,
    })
    using heard = new Listening()
    await client.payins.retrieve('order-1')
    expect(heard.rateLimit).toEqual([])
  })
})

describe('a 429', () => {
  it('pauses everybody, which is told and logged once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    let asked = 0
    const { fetch } = fetchGateway(() => {
      asked++
      const headers = { 'retry-after': '0.05' }
      return asked === 1 ? Response.json({}, { status: 429, headers }) : Response.json(found('payin'))
    })
    const { logger, lines } = keepingLogger()
    await using client = clientOf('https://gateway.example', 'undici', {
      fetch,
      logger,
      rateLimit: false,
    })
    using heard = new Listening()
    const call = client.payins.retrieve('order-1')
    await vi.advanceTimersByTimeAsync(1_000)
    await call
    vi.useRealTimers()
    expect(brief(heard)).toEqual(['paused 50', 'queued customer 1', 'granted customer 0'])
    expect(lines).toContain('warn merchant-gateway: the gateway said 429, so nothing is sent for 50 ms')
    expect(heard.of('payins.retrieve').ended).toMatchObject([{ attempts: 2, status: 200 }])
  })
})
