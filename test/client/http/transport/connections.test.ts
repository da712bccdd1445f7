import { setMaxListeners } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import type { Limiter } from '../../../../src/client/http/limit/limiter.js'
import { Connections } from '../../../../src/client/http/transport/connections.js'
import type { TransportRequest } from '../../../../src/client/http/transport/transport.js'
import { undiciTransport } from '../../../../src/client/http/transport/undici-transport.js'
import { acceptedPayout, rawAnswer, rawGateway } from '../../../faults/copies.js'
import { deafServer } from '../../../faults/stages.js'
import { clientOf, create, failure } from '../../../faults/support.js'
import { listen } from '../../../support/listening.js'
import { until } from '../../../support/turns.js'

const request: TransportRequest = {
  method: 'POST',
  path: '/payouts/x',
  headers: {},
  body: '{}',
  timeoutMs: 10_000,
  signal: undefined,
  mayBegin: () => true,
  onSent: () => {},
}

/** A server that takes connections and never says a word, so that no handshake of TLS ends. */
async function silentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  return {
    url: `https://127.0.0.1:${port}`,
    sockets,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** A transport, and the connections that it holds with their clients. */
async function watchedTransport(origin: string, maxConnections = Number.POSITIVE_INFINITY) {
  const clients: Client[] = []
  let calledBack = 0
  const connect = buildConnector({})
  const connections = new Connections({
    origin,
    connect: (options, callback) =>
      connect(options, (...result) => {
        calledBack++
        callback(...result)
      }),
    open: (own) => {
      const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect: own })
      clients.push(client)
      return client
    },
    most: maxConnections,
  })
  const transport = await undiciTransport({
    origin,
    maxResponseBytes: 1000,
    timeoutMs: 10_000,
    maxConnections,
    dispatcher: undefined,
    connections,
  })
  return { transport, connections, clients, calledBack: () => calledBack }
}

let ending: (() => Promise<void>) | undefined
afterEach(async () => {
  await ending?.()
  ending = undefined
})

describe('a connection that was given up while it was being made leaves nothing behind', () => {
  it.each([
    ['over TCP that nobody accepts', deafServer],
    ['over TLS that stalls', silentServer],
  ])('%s', async (_name, serve) => {
    await using server = await serve()
    const { transport, connections, clients, calledBack } = await watchedTransport(server.url)
    ending = () => transport.close()
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const timedOut = Array.from({ length: 20 }, () => transport.send({ ...request, timeoutMs: 20 }))
    const aborted = Array.from({ length: 20 }, () =>
      transport.send({ ...request, signal: controller.signal }),
    )
    expect(connections.size).toBe(40)
    expect(new Set((await Promise.all(timedOut)).map((came) => 'kind' in came && came.kind))).toEqual(
      new Set(['timeout']),
    )
    controller.abort()
    expect(await Promise.all(aborted)).toEqual(
      Array(20).fill({ kind: 'aborted', sent: false, cause: controller.signal.reason }),
    )
    expect(connections.size).toBe(0)
    // It is undici's connector that would hold a client until it is called back.
    await until(() => calledBack() === 40 && clients.every(({ destroyed }) => destroyed))
    await until(() => server.sockets.size === 0)
  })
})

describe('connections', () => {
  it('of answers that are too large, cut short or refusals are ended, and of others kept', async () => {
    await using gateway = await rawGateway(({ path }, socket) => {
      if (path === '/large') return rawAnswer(200, 'x'.repeat(2000))
      if (path === '/refused') return rawAnswer(400, {})
      if (path === '/cut') socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{')
      return path === '/cut' ? undefined : rawAnswer(200, {})
    })
    const { transport, connections, clients } = await watchedTransport(gateway.url)
    ending = () => transport.close()
    for (const path of ['/large', '/refused', '/cut']) {
      await transport.send({ ...request, path })
      await until(() => connections.size === 0)
    }
    expect(clients.every(({ destroyed }) => destroyed)).toBe(true)
    for (const path of ['/a', '/b', '/c']) await transport.send({ ...request, path })
    expect(connections.size).toBe(1)
    expect(gateway.made()).toBe(4)
  })

  it('are no more than there may be: who comes then waits, and is served in turn', async () => {
    const sockets: Socket[] = []
    await using gateway = await rawGateway((_, socket) => {
      sockets.push(socket)
      return undefined
    })
    const { transport, connections } = await watchedTransport(gateway.url, 3)
    ending = () => transport.close()
    const controller = new AbortController()
    const sent: number[] = []
    const calls = Array.from({ length: 8 }, (_, n) =>
      transport.send({ ...request, path: `/${n}`, onSent: () => sent.push(n) }),
    )
    const waiting = transport.send({ ...request, path: '/8', signal: controller.signal })
    await until(() => sockets.length === 3)
    expect(connections.size).toBe(3)
    controller.abort()
    expect(await waiting).toMatchObject({ kind: 'aborted', sent: false })
    for (let answered = 0; answered < 8; answered++) {
      await until(() => sockets.length > answered)
      sockets[answered]?.write(rawAnswer(answered === 4 ? 500 : 200, {}))
    }
    expect((await Promise.all(calls)).map((came) => 'status' in came && came.status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 500,
    ])
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(connections.size).toBeLessThanOrEqual(3)
  })

  it('that the server closed while they were idle are made anew, and no request is lost', async () => {
    const open: Socket[] = []
    await using gateway = await rawGateway((_, socket) => {
      open.push(socket)
      return rawAnswer(200, {})
    })
    const { transport, connections } = await watchedTransport(gateway.url)
    ending = () => transport.close()
    for (let n = 0; n < 5; n++) {
      expect(await transport.send(request)).toMatchObject({ status: 200 })
      open.at(-1)?.end()
      await until(() => connections.size === 0)
    }
  })

  it('of 300 calls at once without a limiter are 64, and each call is answered', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    await using client = clientOf(gateway.url, 'undici', { rateLimit: false })
    const payouts = await Promise.all(
      Array.from({ length: 300 }, (_, n) => create(client, 'payout', { id: `order-${n}` })),
    )
    expect(payouts.filter(({ replayed }) => !replayed)).toHaveLength(300)
    expect(gateway.made()).toBeLessThanOrEqual(64)
  })
})

describe('a permit that is only good for a time', () => {
  /** A transport whose connections are ready when the test says so. */
  async function slowTransport() {
    const gateway = await rawGateway(() => rawAnswer(200, {}))
    const ready: (() => void)[] = []
    const connect = buildConnector({})
    const connections = new Connections({
      origin: gateway.url,
      connect: (options, callback) =>
        connect(options, (...result) => {
          ready.push(() => callback(...result))
        }),
      open: (own) => new Client(gateway.url, { headersTimeout: 0, bodyTimeout: 0, connect: own }),
      most: 10,
    })
    const transport = await undiciTransport({
      origin: gateway.url,
      maxResponseBytes: 1000,
      timeoutMs: 10_000,
      maxConnections: 10,
      dispatcher: undefined,
      connections,
    })
    ending = async () => {
      await transport.close()
      await gateway[Symbol.asyncDispose]()
    }
    const connected = async () => {
      await until(() => ready.length > 0)
      ready.shift()?.()
    }
    return { gateway, transport, connections, connected, connects: () => ready.length }
  }

  it('sends nothing when its connection came too late, and leaves the connection to the next one', async () => {
    const { gateway, transport, connected } = await slowTransport()
    const late = transport.send({ ...request, mayBegin: () => false })
    await connected()
    expect(await late).toEqual({ kind: 'permit-expired' })
    const next = transport.send(request)
    expect(await next).toMatchObject({ status: 200 })
    expect(gateway.made()).toBe(1)
  })

  it('finds a connection that was opened before it, and no other is opened for nothing', async () => {
    const { transport, connections, connected, connects } = await slowTransport()
    const opening = transport.connect?.()
    await connected()
    await opening?.done
    expect(transport.connect?.()).toBeUndefined()
    expect(connections.size).toBe(0)
    expect(await transport.send(request)).toMatchObject({ status: 200 })
    expect(connects()).toBe(0)
  })

  it('is taken after the connection is there, and is waited for again when it came too late', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    const permits: number[] = []
    const firstIsGoodForMs = 300
    let firstEnds = 0
    const limiter: Limiter = {
      acquire: () => {
        permits.push(gateway.made())
        const now = performance.now()
        if (permits.length > 1) return { useBefore: now + 60_000 }
        firstEnds = now + firstIsGoodForMs
        return { useBefore: firstEnds }
      },
    }
    let signed = 0
    const signer = {
      sign: async () => {
        signed++
        // As an event loop that something else keeps busy, the first time.
        while (performance.now() <= firstEnds);
        return new Uint8Array(256)
      },
    }
    await using client = clientOf(gateway.url, 'undici', { rateLimit: limiter, signer })
    expect(await create(client, 'payout')).toMatchObject({ replayed: false })
    expect({ permits: permits.length, signed, requests: gateway.requests.length }).toEqual({
      permits: 3,
      signed: 2,
      requests: 2,
    })
    expect(permits[0]).toBe(1)
  })

  it('and never lasts long enough ends its call with the deadline, and nothing is sent', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    const limiter: Limiter = { acquire: () => ({ useBefore: performance.now() + 1 }) }
    const signer = {
      sign: async () => {
        for (const end = performance.now() + 3; performance.now() < end; );
        return new Uint8Array(256)
      },
    }
    await using client = clientOf(gateway.url, 'undici', { rateLimit: limiter, signer, deadlineMs: 60 })
    const error = await failure(create(client, 'payout'))
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-accepted' })
    expect(gateway.requests).toEqual([])
  })
})
