import { createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionAdvice, neverConnected } from '../../../../src/client/http/transport/connect-errors.js'
import { fetchTransport } from '../../../../src/client/http/transport/fetch-transport.js'
import { rawAnswer, rawGateway } from '../../../faults/copies.js'
import { certificate } from '../../../security/tls.js'
import { listen } from '../../../support/listening.js'
import { until } from '../../../support/turns.js'
import { request } from './request.js'

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
const failed = (cause: unknown) => new TypeError('fetch failed', { cause })

describe('over fetch, that no connection was made', () => {
  it.each([
    ['the connection broke', failed(coded('ECONNRESET', { syscall: 'read' }))],
    ['the kernel gave up an old connection', failed(coded('ETIMEDOUT', { syscall: 'read' }))],
    ['TLS broke, and perhaps long after the handshake', failed(coded('ERR_SSL_WRONG_VERSION_NUMBER'))],
    ['one address may have got it', failed(new AggregateError([coded('ECONNREFUSED'), coded('EPIPE')]))],
    ['nothing is known', failed(undefined)],
  ])('is not said where %s', (_name, error) => {
    expect(neverConnected(error)).toBe(false)
  })

  it.each([
    ['TLS was answered by something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['TLS was not answered at all', undefined],
  ])('is known where %s', async (_name, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer)))
    })
    const port = await listen(server)
    const transport = fetchTransport({
      origin: `https://127.0.0.1:${port}`,
      maxResponseBytes: 1000,
      fetch: globalThis.fetch,
    })
    expect(await transport.send(request)).toMatchObject({ kind: 'connection', sent: false })
    server.close()
  })
})

describe('over fetch, a request is counted', () => {
  it('when it is written, however long the handshake took', async () => {
    const { cert, key } = await certificate()
    const held: (() => void)[] = []
    let arrived = 0
    const server = createServer((socket) => {
      socket.on('error', () => {})
      held.push(() => {
        const secure = new TLSSocket(socket, { isServer: true, cert, key })
        secure.on('error', () => {})
        secure.once('data', () => {
          arrived++
          secure.write(rawAnswer(200, {}))
        })
      })
    })
    const port = await listen(server)
    const { Agent, fetch: undiciFetch } = await import('undici')
    const dispatcher = new Agent({ connect: { ca: cert } })
    const transport = fetchTransport({
      origin: `https://127.0.0.1:${port}`,
      maxResponseBytes: 1000,
      // @ts-expect-error undici's types of fetch are newer than those of the global one
      fetch: (input, init) => undiciFetch(input, { ...init, dispatcher }),
    })
    const sentBefore: number[] = []
    const calls = [1, 2, 3].map(() => transport.send({ ...request, onSent: () => sentBefore.push(arrived) }))
    await until(() => held.length === 3)
    expect(sentBefore).toEqual([])
    // One handshake after another: each is counted when it is its turn, and not before.
    for (const [n, shakeHands] of held.entries()) {
      shakeHands()
      await until(() => arrived === n + 1)
      expect(new Set(sentBefore).size).toBe(n + 1)
    }
    expect(await Promise.all(calls)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }])
    await dispatcher.destroy()
    server.close()
  })

  describe('where nothing tells of the writing,', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    it.each([
      ['at its response', 300, 300],
      ['a second after it was handed over, when the response takes longer', 30_000, 1000],
    ])('%s', async (_name, answerMs, countedMs) => {
      let counted: number | undefined
      let now = 0
      const transport = fetchTransport({
        origin: 'http://gateway.example',
        maxResponseBytes: 1000,
        fetch: () =>
          new Promise((resolve) => {
            setTimeout(() => resolve(new Response('{}')), answerMs)
          }),
      })
      const call = transport.send({
        ...request,
        timeoutMs: 60_000,
        onSent: () => {
          counted ??= now
        },
      })
      for (; now < answerMs; ) {
        now += 50
        await vi.advanceTimersByTimeAsync(50)
      }
      expect(await call).toMatchObject({ status: 200 })
      expect(counted).toBe(countedMs)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('over fetch, the connection of a response that was given up is not kept', () => {
  it.each([
    ['too large', `HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(3000)}`, 5000, 'too-large'],
    ['cut off by its time', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nx', 50, 'timeout'],
  ])('%s', async (_name, answer, timeoutMs, kind) => {
    await using gateway = await rawGateway(() => answer)
    const transport = fetchTransport({ origin: gateway.url, maxResponseBytes: 1000, fetch: globalThis.fetch })
    expect(await transport.send({ ...request, timeoutMs })).toMatchObject({ kind })
    await until(() => gateway.open.size === 0)
  })

  it('refused, and larger than may be read', async () => {
    await using gateway = await rawGateway(
      () => `HTTP/1.1 400 X\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(3000)}`,
    )
    const transport = fetchTransport({ origin: gateway.url, maxResponseBytes: 1000, fetch: globalThis.fetch })
    expect(await transport.send(request)).toMatchObject({ status: 400, body: '' })
    await until(() => gateway.open.size === 0)
  })
})

it('of a host with several addresses, the sentence says why none could be reached', () => {
  const cause = failed(
    new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH'), coded('ECONNREFUSED')]),
  )
  expect(connectionAdvice(cause, false)).toMatch(
    /^no address of the host could be reached \(ECONNREFUSED, ENETUNREACH\): check the host and the port/,
  )
  expect(connectionAdvice(cause, true)).toBeUndefined()
})
