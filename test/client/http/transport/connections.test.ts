import { setMaxListeners } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { undiciTransport } from '../../../../src/client/http/transport/undici-transport.js'
import type { Limiter } from '../../../../src/index.js'
import { acceptedPayout, rawAnswer, rawGateway } from '../../../faults/copies.js'
import { deafServer } from '../../../faults/stages.js'
import { clientOf, create, failure } from '../../../faults/support.js'
import { listen } from '../../../support/listening.js'
import { until } from '../../../support/turns.js'
import { request } from './request.js'

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

let ending: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await ending?.()
  ending = undefined
})

async function transportTo(origin: string, maxConnections = Number.POSITIVE_INFINITY) {
  const options = { origin, maxResponseBytes: 1000, timeoutMs: 10_000, maxConnections }
  const transport = await undiciTransport({ ...options, dispatcher: undefined })
  ending = () => transport.close()
  return transport
}

describe('a request that is given up while its connection is made', () => {
  it.each([
    ['over TCP that nobody accepts', deafServer],
    ['over TLS that stalls', silentServer],
  ])('was not sent, and leaves nothing behind when the client is closed: %s', async (_name, serve) => {
    await using server = await serve()
    const transport = await transportTo(server.url)
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    const timedOut = Array.from({ length: 20 }, () => transport.send({ ...request, timeoutMs: 20 }))
    const aborted = Array.from({ length: 20 }, () =>
      transport.send({ ...request, signal: controller.signal }),
    )
    expect(await Promise.all(timedOut)).toEqual(Array(20).fill({ kind: 'timeout', sent: false }))
    controller.abort()
    expect(await Promise.all(aborted)).toEqual(
      Array(20).fill({ kind: 'aborted', sent: false, cause: controller.signal.reason }),
    )
    await transport.close()
    await until(() => server.sockets.size === 0)
  })
})

describe('connections', () => {
  it('of responses that are too large, cut short or refusals are ended, and others are kept', async () => {
    await using gateway = await rawGateway(({ path }, socket) => {
      if (path === '/large') return rawAnswer(200, 'x'.repeat(2000))
      if (path === '/refused') return rawAnswer(400, {})
      if (path === '/cut') socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{')
      return path === '/cut' ? undefined : rawAnswer(200, {})
    })
    const transport = await transportTo(gateway.url)
    for (const path of ['/large', '/refused', '/cut']) {
      await transport.send({ ...request, path })
      await until(() => gateway.open.size === 0)
    }
    for (const path of ['/a', '/b', '/c']) await transport.send({ ...request, path })
    const used = gateway.requests.map(({ connection }) => connection)
    expect(new Set(used.slice(0, 4)).size).toBe(4)
    expect(new Set(used.slice(3)).size).toBe(1)
  })

  it('are no more than there may be: who comes then waits, and is served in turn', async () => {
    const sockets: Socket[] = []
    await using gateway = await rawGateway((_, socket) => {
      sockets.push(socket)
      return undefined
    })
    const transport = await transportTo(gateway.url, 3)
    const controller = new AbortController()
    const sent: number[] = []
    const calls = Array.from({ length: 8 }, (_, n) =>
      transport.send({ ...request, path: `/${n}`, onSent: () => sent.push(n) }),
    )
    const waiting = transport.send({ ...request, path: '/8', signal: controller.signal })
    await until(() => sockets.length === 3)
    controller.abort()
    expect(await waiting).toMatchObject({ kind: 'aborted', sent: false })
    for (let answered = 0; answered < 8; answered++) {
      await until(() => sockets.length > answered)
      sockets[answered]?.write(rawAnswer(answered === 4 ? 500 : 200, {}))
    }
    expect((await Promise.all(calls)).map((result) => 'status' in result && result.status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 500,
    ])
    expect(sent.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(gateway.open.size).toBeLessThanOrEqual(3)
  })

  it('that the server closed while they were idle are made anew, and no request is lost', async () => {
    const open: Socket[] = []
    await using gateway = await rawGateway((_, socket) => {
      open.push(socket)
      return rawAnswer(200, {})
    })
    const transport = await transportTo(gateway.url)
    for (let n = 0; n < 5; n++) {
      expect(await transport.send(request)).toMatchObject({ status: 200 })
      open.at(-1)?.end()
      await until(() => gateway.open.size === 0)
    }
  })

  it('of 300 calls at once without a limiter are 64, and each call is answered', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    await using client = clientOf(gateway.url, 'undici', {
      rateLimit: false,
      timeoutMs: 60_000,
      deadlineMs: 60_000,
    })
    const payouts = await Promise.all(
      Array.from({ length: 300 }, (_, n) => create(client, 'payout', { id: `order-${n}` })),
    )
    expect(payouts.filter(({ replayed }) => !replayed)).toHaveLength(300)
    expect(gateway.made()).toBeLessThanOrEqual(64)
  })

  it('is one for calls that follow each other, the one for the token included', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    await using client = clientOf(gateway.url, 'undici')
    for (const id of ['a', 'b', 'c']) await create(client, 'payout', { id })
    expect(gateway.made()).toBe(1)
  })
})

describe('a permit that is only good for a time', () => {
  it('sends nothing when its connection is made too late, and leaves the connection to the next one', async () => {
    await using gateway = await rawGateway(() => rawAnswer(200, {}))
    const ready: (() => void)[] = []
    const connect = buildConnector({})
    const dispatcher = new Agent({
      connect: (options, callback) => connect(options, (...result) => ready.push(() => callback(...result))),
    })
    ending = () => dispatcher.destroy()
    const transport = await undiciTransport({
      origin: gateway.url,
      maxResponseBytes: 1000,
      timeoutMs: 10_000,
      maxConnections: 10,
      dispatcher,
    })
    const late = transport.send({ ...request, mayBegin: () => false })
    await until(() => ready.length === 1)
    ready.shift()?.()
    expect(await late).toEqual({ kind: 'permit-expired' })
    expect(await transport.send(request)).toMatchObject({ status: 200 })
    expect(gateway.made()).toBe(1)
  })

  it('is waited for again when the signature took too long', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    let permits = 0
    let firstEnds = 0
    const limiter: Limiter = {
      acquire: () => {
        const now = performance.now()
        if (++permits > 1) return { useBefore: now + 60_000 }
        firstEnds = now + 300
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
    expect({ permits, signed, requests: gateway.requests.length }).toEqual({
      permits: 3,
      signed: 2,
      requests: 2,
    })
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
