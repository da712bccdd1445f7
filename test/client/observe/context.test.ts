import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'
import { type AttemptStarted, type CallStarted, onGatewayEvent } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { accept, found, handMadeGateway, text } from '../../faults/servers.js'
import { anySigner, clientOf, create, failure, paymentRequest } from '../../faults/support.js'

/** Runs while these listen, and ends that. */
async function heeding(stops: readonly (() => void)[], run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } finally {
    for (const stop of stops) stop()
  }
}

describe.each(['undici', 'fetch'] as const)('a header of a subscriber, over %s', (transport) => {
  it('arrives with the request that it was set for, token requests included', async () => {
    await using gateway = await handMadeGateway({ create: [text(503, ''), accept] })
    await using client = clientOf(gateway.url, transport)
    let sent = 0
    const stop = onGatewayEvent('merchant-gateway:attempt:start', ({ setHeader }) => {
      sent++
      if (sent < 3) expect(setHeader('TraceParent', `00-${sent}`)).toBe(true)
    })
    await heeding([stop], () => create(client, 'payin'))
    await create(client, 'payin')
    const arrived = gateway.requests.map(({ path, headers }) => [path, headers.traceparent])
    expect(arrived).toEqual([
      ['/auth-tokens', '00-1'],
      ['/payins/order-1', '00-2'],
      ['/payins/order-1', undefined],
      ['/payins/order-1', undefined],
    ])
  })

  it("does not replace the client's own, and can't hold another header", async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, transport)
    const own =
      'authorization Authorization content-type Content-Length content-encoding accept accept-encoding'
    const others =
      'host x-signature x-api-version user-agent transfer-encoding connection expect cookie upgrade'
    const more = 'proxy-authorization if-none-match range __proto__'
    const odd = ['x-ok\r\nx-evil', 'x ok', 'x-ok:', '']
    const refused = [
      ...[own, others, more].flatMap((names) => names.split(' ')).map((name) => [name, 'evil'] as const),
      ...odd.map((name) => [name, 'evil'] as const),
      ...['evil\r\nauthorization: Bearer evil', 'evil\nx: y', 'ř'].map((value) => ['x-ok', value] as const),
    ]
    const taken: string[] = []
    const stop = onGatewayEvent('merchant-gateway:attempt:start', ({ setHeader }) => {
      for (const [name, value] of refused) if (setHeader(name, value)) taken.push(name)
      expect(setHeader('constructor', 'good')).toBe(true)
    })
    await heeding([stop], () => create(client, 'payin'))
    expect(taken).toEqual([])
    for (const { headers } of gateway.requests) {
      expect(JSON.stringify(headers)).not.toContain('evil')
      expect(headers.constructor).toBe('good')
    }
    expect(gateway.requests.map(({ headers }) => headers['x-api-version'])).toEqual(['2', '2'])
  })

  it('is refused when the request is already on its way', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    await using client = clientOf(gateway.url, transport)
    const answers: boolean[] = []
    const stop = onGatewayEvent('merchant-gateway:attempt:start', ({ setHeader }) => {
      queueMicrotask(() => answers.push(setHeader('traceparent', '00-late')))
    })
    await heeding([stop], () => create(client, 'payin'))
    expect(answers).toEqual([false, false])
    expect(gateway.requests.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined])
  })
})

describe('a store that is bound to a tracing channel', () => {
  const storage = new AsyncLocalStorage<string>()
  const calls = tracingChannel<string, CallStarted>('merchant-gateway:call')
  const attempts = tracingChannel<string, AttemptStarted>('merchant-gateway:attempt')
  const unbind = () => {
    calls.start.unbindStore(storage)
    attempts.start.unbindStore(storage)
  }

  it('for a call is seen by its limiter, by the signer of its token, and by fetch', async () => {
    const seen: Record<string, string | undefined> = {}
    const { fetch } = fetchGateway(() => Response.json(found('payin')))
    await using client = clientOf('https://gateway.example', 'undici', {
      fetch: (input, init) => {
        seen[new URL(String(input)).pathname] = storage.getStore()
        return fetch(input, init)
      },
      signer: {
        sign: () => {
          seen.signer = storage.getStore()
          return anySigner.sign()
        },
      },
    })
    calls.start.bindStore(storage, ({ call }) => {
      const outer = storage.getStore()
      return outer === undefined ? call.name : `${outer} > ${call.name}`
    })
    await heeding([unbind], () => client.payins.retrieve('order-1'))
    expect(seen).toEqual({
      signer: 'payins.retrieve > tokens.mint',
      '/auth-tokens': 'payins.retrieve > tokens.mint',
      '/payins/order-1': 'payins.retrieve',
    })
    expect(storage.getStore()).toBeUndefined()
  })

  it('for a request is seen by what listens to undici', async () => {
    await using gateway = await handMadeGateway({ create: [text(503, ''), accept] })
    await using client = clientOf(gateway.url, 'undici')
    const seen: (string | undefined)[] = []
    const onRequest = () => seen.push(storage.getStore())
    subscribe('undici:request:create', onRequest)
    attempts.start.bindStore(storage, ({ attempt }) => `${attempt.call.name} ${attempt.number}`)
    const stopUndici = () => void unsubscribe('undici:request:create', onRequest)
    await heeding([unbind, stopUndici], () => create(client, 'payin'))
    expect(seen).toEqual(['tokens.mint 1', 'payins.create 1', 'payins.create 2'])
  })

  it('does not reach what the program does with the result', async () => {
    const { fetch } = fetchGateway(() => Response.json(found('payin')))
    await using client = clientOf('https://gateway.example', 'undici', { fetch })
    calls.start.bindStore(storage, () => 'inside')
    attempts.start.bindStore(storage, () => 'inside')
    await heeding([unbind], () =>
      storage.run("the program's", async () => {
        await client.payins.retrieve('order-1')
        expect(storage.getStore()).toBe("the program's")
        await client.payins.retrieve('order-1').then(() => expect(storage.getStore()).toBe("the program's"))
      }),
    )
  })
})

describe('a tracing channel', () => {
  it('tells of a call and of its requests as Node does, with one event each, and never with a result', async () => {
    const { fetch } = fetchGateway(({ method }) =>
      method === 'GET' ? Response.json({}, { status: 422 }) : Response.json(found('payin')),
    )
    await using client = clientOf('https://gateway.example', 'undici', { fetch, retries: 0 })
    const told: string[] = []
    const events = new Set<object>()
    const subscribers = (trace: string) => {
      const on = (name: string) => (event: object) => {
        events.add(event)
        expect(event).not.toHaveProperty('result', expect.anything())
        told.push(`${trace} ${name}`)
      }
      return {
        start: on('start'),
        end: on('end'),
        asyncStart: on('asyncStart'),
        asyncEnd: on('asyncEnd'),
        error: on('error'),
      }
    }
    await client.payins.create({ idPayin: 'order-1', ...paymentRequest() })
    const [call, attempt] = [
      tracingChannel('merchant-gateway:call'),
      tracingChannel('merchant-gateway:attempt'),
    ]
    const [ofCall, ofAttempt] = [subscribers('call'), subscribers('attempt')]
    call.subscribe(ofCall)
    attempt.subscribe(ofAttempt)
    const unsubscribe = () => {
      call.unsubscribe(ofCall)
      attempt.unsubscribe(ofAttempt)
    }
    await heeding([unsubscribe], () => failure(client.payins.retrieve('order-1')))
    expect(told).toEqual([
      'call start',
      'call end',
      'attempt start',
      'attempt end',
      'attempt asyncStart',
      'attempt asyncEnd',
      'call error',
      'call asyncStart',
      'call asyncEnd',
    ])
    expect(events.size).toBe(2)
  })
})
