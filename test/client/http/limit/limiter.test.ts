import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Limiter, PermitRequest } from '../../../../src/index.js'
import { fetchGateway } from '../../../faults/fetch-gateway.js'
import { clientOf, create, failure } from '../../../faults/support.js'
import { turns } from '../../../support/turns.js'
import { goodAnswer, readyClient, tooMany } from '../support.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

async function tick(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  // The body of a response is read in turns of its own.
  await turns(5)
}

/** A limiter whose permits come when the test says so, once it is closed. */
class Gate implements Limiter {
  readonly log: string[] = []
  isOpen = true
  readonly #waiting: (() => void)[] = []

  acquire(signal: AbortSignal, { priority }: PermitRequest): Promise<void> | undefined {
    if (this.isOpen) return undefined
    this.log.push(priority)
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => {
        this.log.push('given up')
        this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
        reject(signal.reason)
      })
    })
  }

  sent(): void {
    if (!this.isOpen) this.log.push('sent')
  }

  pause(ms: number): void {
    this.log.push(`paused ${ms}`)
  }

  async permit(): Promise<void> {
    await tick()
    this.#waiting.shift()?.()
    await tick()
  }
}

/** A client that has its token, and a limiter that is closed. */
async function gated(...[options, answer]: Parameters<typeof readyClient>) {
  const gate = new Gate()
  const ready = await readyClient({ rateLimit: gate, ...options }, answer)
  gate.isOpen = false
  return { ...ready, gate }
}

describe('a permit of a limiter', () => {
  it('is asked for one at a time, and goes to tokens, then to customers, then to the background', async () => {
    const { client, gate, paths } = await gated()
    const calls = [
      client.payins.retrieve('bulk', { priority: 'background' }),
      client.payins.retrieve('one'),
      client.authTokens.create({ operations: ['GET /x'] }),
      client.payins.retrieve('two'),
    ]
    await tick()
    expect(gate.log).toEqual(['customer'])
    for (const _ of calls) await gate.permit()
    await Promise.all(calls)
    expect(paths()).toEqual(['auth-tokens', 'one', 'two', 'bulk'])
    expect(gate.log.filter((line) => line === 'sent')).toHaveLength(4)
  })

  it('that is asked for the background is asked for anew when a customer comes', async () => {
    const { client, gate, paths } = await gated()
    const bulk = client.payins.retrieve('bulk', { priority: 'background' })
    await tick()
    const customer = client.payins.retrieve('customer')
    await tick()
    expect(gate.log).toEqual(['background', 'given up', 'customer'])
    await gate.permit()
    await gate.permit()
    await Promise.all([bulk, customer])
    expect(paths()).toEqual(['customer', 'bulk'])
  })

  it('that comes too late is given back, and another is asked for after a breath', async () => {
    const goodForMs = [-1, -1]
    const log: string[] = []
    const { client } = await readyClient({
      rateLimit: {
        acquire: () => {
          log.push('asked')
          return log.length < 6 ? undefined : { useBefore: performance.now() + (goodForMs.shift() ?? 40) }
        },
        sent: () => void log.push('sent'),
      },
    })
    log.splice(0, log.length, ...Array(5).fill('before'))
    const call = client.payins.retrieve('one')
    await tick()
    expect(log.slice(5)).toEqual(['asked', 'sent'])
    await tick(1)
    expect(log.slice(5)).toEqual(['asked', 'sent', 'asked', 'sent'])
    await tick(1)
    await call
    expect(log.slice(9)).toEqual(['asked', 'sent'])
  })

  it.each([
    ['that has run out', 40, false],
    ['that is older than a 429', 60_000, true],
  ])(
    '%s when the request is signed sends nothing: another is waited for',
    async (_what, goodForMs, isPaused) => {
      let signed = () => {}
      const signing = { isSlow: false }
      const log: string[] = []
      const { client, paths } = await readyClient(
        {
          signer: {
            sign: () =>
              new Promise<Uint8Array>((resolve) => {
                signed = () => resolve(new Uint8Array([1]))
                if (!signing.isSlow) signed()
              }),
          },
          rateLimit: {
            acquire: () => {
              log.push('asked')
              return { useBefore: performance.now() + goodForMs }
            },
          },
        },
        () => (isPaused ? tooMany(0.2) : goodAnswer()),
      )
      signing.isSlow = true
      log.length = 0
      const token = client.authTokens.create({ operations: ['GET /x'] })
      await tick(1)
      if (isPaused) await failure(client.payins.retrieve('refused', { deadlineMs: 150 }))
      log.length = 0
      await tick(41)
      signing.isSlow = false
      signed()
      await tick(1_000)
      await token
      expect(log).toEqual(['asked'])
      expect(paths().filter((path) => path === 'auth-tokens')).toHaveLength(1)
    },
  )
})

describe('a wait for a permit ends', () => {
  it('with the deadline where no permit lasts until the request is signed, and nothing is sent', async () => {
    const { fetch, arrivals } = fetchGateway(goodAnswer)
    const sign = () =>
      new Promise<Uint8Array>((resolve) => setTimeout(() => resolve(new Uint8Array([1])), 30))
    const rateLimit = { acquire: () => ({ useBefore: performance.now() + 10 }) }
    const options = { fetch, rateLimit, signer: { sign }, deadlineMs: 1_000 }
    const failed = failure(create(clientOf('https://gateway.example', 'fetch', options), 'payout'))
    // And the last signature.
    await tick(1_030)
    expect(await failed).toMatchObject({ code: 'timeout', outcome: 'not-accepted' })
    expect(arrivals).toEqual([])
  })

  it('at once for one too many', async () => {
    const { client, gate } = await gated({ maxQueued: 2 })
    const waiting = [client.payins.retrieve('one'), client.payins.retrieve('two')]
    expect(await failure(client.payins.retrieve('three'))).toMatchObject({ code: 'queue_full' })
    await gate.permit()
    const third = client.payins.retrieve('three')
    await gate.permit()
    await gate.permit()
    await Promise.all([...waiting, third])
  })

  it('with the cause where a limiter fails, one call for each failure', async () => {
    const cause = new Error('redis is down')
    const limiter = { acquire: vi.fn((): Promise<void> => Promise.resolve()) }
    const { client } = await readyClient({ rateLimit: limiter })
    limiter.acquire.mockReset().mockRejectedValue(cause)
    const calls = [1, 2, 3].map((n) => failure(client.payins.retrieve(`order-${n}`)))
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'connection', cause })
    expect(limiter.acquire).toHaveBeenCalledTimes(3)
  })

  it('when its caller leaves, and whoever comes at that moment is served', async () => {
    const { client, gate, paths } = await gated()
    const controller = new AbortController()
    const gone = failure(client.payins.retrieve('gone', { signal: controller.signal }))
    await tick()
    controller.abort()
    const next = client.payins.retrieve('next')
    expect(await gone).toMatchObject({ code: 'aborted' })
    await gate.permit()
    await next
    expect(paths()).toEqual(['next'])
    expect(gate.log).toEqual(['customer', 'given up', 'customer', 'sent'])
  })
})

describe('without a limit', () => {
  it('nobody waits, however few may', async () => {
    const { client, paths } = await readyClient({ rateLimit: false, maxQueued: 1 })
    await Promise.all(Array.from({ length: 50 }, (_, n) => client.payins.retrieve(`order-${n}`)))
    expect(paths()).toHaveLength(50)
  })
})

/** Responses by the ids of their payins, when the test says so. */
function slowGateway() {
  const waiting = new Map<string, (response: Response) => void>()
  return {
    answer: ({ path }: { readonly path: string }) =>
      new Promise<Response>((resolve) => waiting.set(path.replace('/payins/', ''), resolve)),
    async reply(id: string, response: Response) {
      waiting.get(id)?.(response)
      await tick()
    },
  }
}

describe('a 429', () => {
  it('holds everybody back, is made longer by another and not shorter, and each longer one is told to the limiter', async () => {
    const { answer, reply } = slowGateway()
    const { client, gate, paths } = await gated({}, answer)
    const calls = ['a', 'b', 'c'].map((id) => client.payins.retrieve(id))
    for (const _ of calls) await gate.permit()
    await reply('a', tooMany(2))
    await reply('b', tooMany(1))
    await reply('c', tooMany(3))
    const [first, longer = 0, ...others] = gate.log.flatMap((line) =>
      line.startsWith('paused ') ? [Number(line.slice(7))] : [],
    )
    expect([first, others]).toEqual([2_000, []])
    // The second pause in a row has some more, by chance.
    expect(longer).toBeGreaterThanOrEqual(3_000)
    await tick(longer - 1)
    expect(paths()).toHaveLength(3)
    gate.isOpen = true
    // Timers have whole milliseconds.
    await tick(2)
    expect(paths()).toHaveLength(4)
    for (const id of ['a', 'b', 'c']) await reply(id, goodAnswer())
    for (const id of ['b', 'c']) await reply(id, goodAnswer())
    await Promise.all(calls)
  })

  it('makes the permit too old that the limiter is just being asked for: it goes back, and another is asked for', async () => {
    const { answer, reply } = slowGateway()
    const { client, gate, paths } = await gated({}, answer)
    const refused = client.payins.retrieve('refused')
    await gate.permit()
    await tick(1)
    const waiting = failure(client.payins.retrieve('waiting'))
    await tick()
    await reply('refused', tooMany(1))
    gate.log.length = 0
    await gate.permit()
    expect(gate.log).toEqual(['sent'])
    await tick(999)
    expect(gate.log).toEqual(['sent'])
    await tick(1)
    expect(gate.log).toEqual(['sent', 'customer'])
    await gate.permit()
    expect(paths()).toEqual(['refused', 'refused'])
    const closed = client.close()
    await reply('refused', goodAnswer())
    await Promise.all([closed, refused, waiting])
  })

  it('that asks for longer than a call may wait ends that call at once, and says for how long', async () => {
    const { client } = await readyClient({ rateLimit: false, retries: 1 }, () => tooMany(61))
    const first = failure(client.payins.retrieve('one', { deadlineMs: 70_000 }))
    await tick()
    const error = await failure(client.payins.retrieve('two'))
    expect(error).toMatchObject({ code: 'rate_limit', retryAfterMs: 61_000 })
    await client.close()
    await first
  })

  /** One call is refused, asked to wait for two seconds, and four more come; there may be one before it that is slow. */
  async function paused(before: readonly string[] = []) {
    const { answer, reply } = slowGateway()
    const { client, paths } = await readyClient({ rateLimit: false }, answer)
    const calls = [...before, 'a'].map((id) => client.payins.retrieve(id))
    await tick()
    await reply('a', tooMany(2))
    calls.push(...['b', 'c', 'd'].map((id) => client.payins.retrieve(id)))
    await tick(1_999)
    const left = () => paths().slice(before.length + 1)
    expect(left()).toEqual([])
    await tick(1)
    expect(left()).toEqual(['a'])
    const end = async () => {
      for (const id of [...before, 'a', 'b', 'c', 'd']) await reply(id, goodAnswer())
      await Promise.all(calls)
    }
    return { reply, left, end }
  }

  it('lets one request go after it, whose was refused, and the others once that one is answered', async () => {
    const { reply, left, end } = await paused()
    await tick(999)
    expect(left()).toEqual(['a'])
    await reply('a', goodAnswer())
    expect(left()).toEqual(['a', 'b', 'c', 'd'])
    await end()
  })

  it('lets the next one go a second later where the first has no response', async () => {
    const { left, end } = await paused()
    await tick(1_000)
    expect(left()).toEqual(['a', 'b'])
    await tick(2_000)
    expect(left()).toEqual(['a', 'b', 'c', 'd'])
    await end()
  })

  it('is not over because of a response to a request that had left before it', async () => {
    const { reply, left, end } = await paused(['slow'])
    await reply('slow', goodAnswer())
    await tick(999)
    expect(left()).toEqual(['a'])
    await tick(1)
    expect(left()).toEqual(['a', 'b'])
    await tick(2_000)
    await end()
  })

  it('leaves no timer when nobody waits any more', async () => {
    const { client } = await readyClient({ rateLimit: false }, () => tooMany(50))
    const controller = new AbortController()
    const failed = failure(client.payins.retrieve('one', { signal: controller.signal }))
    await tick(10)
    controller.abort()
    expect(await failed).toMatchObject({ code: 'aborted' })
    await tick()
  })
})
