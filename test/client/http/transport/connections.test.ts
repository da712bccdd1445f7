import { createServer, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../../../../src/index.js'
import { acceptedPayout, rawAnswer, rawGateway } from '../../../faults/copies.js'
import { deafServer } from '../../../faults/stages.js'
import { clientOf, create, failure } from '../../../faults/support.js'
import { listen } from '../../../support/listening.js'
import { turns, until } from '../../../support/turns.js'

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

const operations = ['GET /x']

describe('a request that is given up while its connection is made', () => {
  it.each([
    ['over TCP that nobody accepts', deafServer],
    ['over TLS that stalls', silentServer],
  ])('leaves nothing behind when the client is closed: %s', async (_name, serve) => {
    await using server = await serve()
    const client = clientOf(server.url, 'undici', { rateLimit: false, retries: 0, timeoutMs: 200 })
    const controller = new AbortController()
    const many = (options: CallOptions) =>
      Promise.all(
        Array.from({ length: 20 }, () => failure(client.authTokens.create({ operations }, options))),
      )
    const aborted = many({ signal: controller.signal, timeoutMs: 10_000 })
    for (const error of await many({})) expect(error.code).toBe('timeout')
    controller.abort()
    for (const error of await aborted) expect(error.code).toBe('aborted')
    await client.close()
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
    await using client = clientOf(gateway.url, 'undici', { retries: 0, maxResponseBytes: 1000 })
    const get = (path: string) => client.request({ method: 'GET', path, operations })
    for (const path of ['/large', '/refused', '/cut']) {
      await failure(get(path))
      await until(() => gateway.open.size === 0)
    }
    for (const path of ['/a', '/b', '/c']) await get(path)
    const used = gateway.requests.filter(({ method }) => method === 'GET').map(({ connection }) => connection)
    expect(new Set(used.slice(0, 4)).size).toBe(4)
    expect(new Set(used.slice(3)).size).toBe(1)
  })

  it('are 64 at most: who comes then waits, may leave, and is served in turn', async () => {
    const held: Socket[] = []
    await using gateway = await rawGateway((_, socket) => void held.push(socket))
    await using client = clientOf(gateway.url, 'undici', { rateLimit: false, retries: 0, timeoutMs: 60_000 })
    const calls = Array.from({ length: 65 }, (_, n) =>
      create(client, 'payout', { id: `order-${n}` }, { deadlineMs: 60_000 }),
    )
    await until(() => held.length === 64)
    const controller = new AbortController()
    const leaving = failure(create(client, 'payout', { id: 'leaving' }, { signal: controller.signal }))
    await turns(3)
    controller.abort()
    expect(await leaving).toMatchObject({ code: 'aborted', outcome: 'not-accepted' })
    for (let answered = 0; answered < 65; answered++) {
      await until(() => held.length > answered)
      const { path = '' } = gateway.requests.filter(({ method }) => method === 'POST')[answered + 1] ?? {}
      held[answered]?.write(rawAnswer(200, acceptedPayout(path)))
    }
    expect(await Promise.all(calls)).toHaveLength(65)
    expect(gateway.made()).toBeLessThanOrEqual(64)
  })

  it('that the server closed while they were idle are made anew, and no request is lost', async () => {
    const open: Socket[] = []
    await using gateway = await rawGateway((_, socket) => {
      open.push(socket)
      return rawAnswer(200, {})
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    for (let n = 0; n < 5; n++) {
      expect(await client.request({ method: 'GET', path: '/x', operations })).toEqual({})
      open.at(-1)?.end()
      await until(() => gateway.open.size === 0)
    }
  })

  it('is one for calls that follow each other, the one for the token included', async () => {
    await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
    await using client = clientOf(gateway.url, 'undici')
    for (const id of ['a', 'b', 'c']) await create(client, 'payout', { id })
    expect(gateway.made()).toBe(1)
  })
})

it('a permit that has run out when its connection is made sends nothing, and leaves the connection to the next one', async () => {
  await using gateway = await rawGateway(() => rawAnswer(200, {}))
  const ready: (() => void)[] = []
  const connect = buildConnector({})
  const dispatcher = new Agent({
    connect: (options, callback) => connect(options, (...result) => ready.push(() => callback(...result))),
  })
  const permits: number[] = []
  const acquire = () => {
    const useBefore = performance.now() + (permits.length === 0 ? 5 : 60_000)
    permits.push(useBefore)
    return { useBefore }
  }
  const options = { dispatcher, allowInsecureHttp: true, rateLimit: { acquire } }
  await using client = clientOf(gateway.url, 'undici', options)
  const call = client.authTokens.create({ operations })
  await until(() => ready.length === 1 && performance.now() > (permits[0] ?? 0))
  ready.shift()?.()
  await call
  expect([permits.length, gateway.requests.length, gateway.made()]).toEqual([2, 1, 1])
  await dispatcher.destroy()
})
