import { createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionAdvice, neverConnected } from '../../../../src/client/http/transport/connect-errors.js'
import { rawAnswer, rawGateway } from '../../../faults/copies.js'
import { anyToken } from '../../../faults/servers.js'
import { clientOf, failure } from '../../../faults/support.js'
import { certificate } from '../../../security/tls.js'
import { listen } from '../../../support/listening.js'
import { until } from '../../../support/turns.js'
import { goodAnswer, readyClient } from '../support.js'

const operations = ['GET /x']
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
    await using client = clientOf(`https://127.0.0.1:${port}`, 'fetch', { retries: 0 })
    const error = await failure(client.authTokens.create({ operations }))
    expect(error.message).toContain('no connection could be made')
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
          secure.write(rawAnswer(200, { token: anyToken }))
        })
      })
    })
    const port = await listen(server)
    const { Agent, fetch: undiciFetch } = await import('undici')
    const dispatcher = new Agent({ connect: { ca: cert } })
    const sentBefore: number[] = []
    const client = clientOf(`https://127.0.0.1:${port}`, 'fetch', {
      // @ts-expect-error undici's types of fetch are newer than those of the global one
      fetch: (input, init) => undiciFetch(input, { ...init, dispatcher }),
      rateLimit: { acquire: () => undefined, sent: () => void sentBefore.push(arrived) },
      timeoutMs: 60_000,
      deadlineMs: 60_000,
    })
    const calls = [1, 2, 3].map(() => client.authTokens.create({ operations }))
    await until(() => held.length === 3)
    expect(sentBefore).toEqual([])
    // One handshake after another: each is counted when it is its turn, and not before.
    for (const [n, shakeHands] of held.entries()) {
      shakeHands()
      await until(() => arrived === n + 1)
      expect(new Set(sentBefore).size).toBe(n + 1)
    }
    expect(await Promise.all(calls)).toHaveLength(3)
    await client.close()
    await dispatcher.destroy()
    server.close()
  })

  describe('where nothing tells of the writing,', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

    const afterMs = (ms: number) =>
      new Promise<Response>((resolve) => setTimeout(() => resolve(goodAnswer()), ms))

    /** A client that has no connection, and when it has counted a request. */
    async function coldClient(answer: () => Promise<Response>) {
      const sentAt: number[] = []
      const rateLimit = { acquire: () => undefined, sent: () => void sentAt.push(performance.now()) }
      const { client } = await readyClient({ rateLimit }, answer)
      await vi.advanceTimersByTimeAsync(2_001)
      const ask = async (atOnce = 1) => {
        sentAt.length = 0
        const from = performance.now()
        const calls = Array.from({ length: atOnce }, (_, n) =>
          client.payins.retrieve(`order-${n}`).catch(() => undefined),
        )
        await vi.advanceTimersByTimeAsync(30_000)
        await Promise.all(calls)
        return sentAt.map((at) => at - from)
      }
      return { client, ask }
    }

    it.each([
      ['at its response', 300, 300],
      ['a second after it was handed over, when the response takes longer', 30_000, 1000],
    ])('%s', async (_name, answerMs, countedMs) => {
      const { ask } = await coldClient(() => afterMs(answerMs))
      expect(await ask()).toEqual([countedMs])
    })

    /** A client of whose requests so many have been answered together, so long ago; then so many more go out. @returns how many count at once. */
    async function countedAtOnce({ answered = 1, msAgo = 100, broken = false, next = 1 }) {
      let sent = 0
      let answer = () => Promise.resolve(goodAnswer())
      const rateLimit = { acquire: () => undefined, sent: () => void sent++ }
      const { client } = await readyClient({ rateLimit, timeoutMs: 5_000 }, () => answer())
      await vi.advanceTimersByTimeAsync(2_001)
      const ask = (count: number) =>
        Array.from({ length: count }, (_, n) => client.payins.retrieve(`order-${n}`).catch(() => undefined))
      await Promise.all(ask(answered))
      answer = () => Promise.reject(new Error('broken'))
      if (broken) await Promise.all(ask(1))
      await vi.advanceTimersByTimeAsync(msAgo)
      answer = () => afterMs(300)
      sent = 0
      const calls = ask(next)
      await vi.advanceTimersByTimeAsync(1)
      const atOnce = sent
      await vi.advanceTimersByTimeAsync(5_000)
      await Promise.all(calls)
      return atOnce
    }

    it.each([
      ['at once where one was answered a moment ago', {}, 1],
      ['at once, as many as were answered together, and no more', { answered: 3, next: 4 }, 3],
      ['at once for two seconds', { msAgo: 2_000 }, 1],
      ['not at once after two seconds without a response', { msAgo: 2_001 }, 0],
      ['not at once in place of one that broke', { broken: true }, 0],
    ])('%s', async (_name, before, count) => {
      expect(await countedAtOnce(before)).toBe(count)
    })
  })
})

describe('over fetch, the connection of a response that was given up is not kept', () => {
  const tooLong = (status: number) =>
    `HTTP/1.1 ${status} X\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(3000)}`

  it.each([
    ['too large', tooLong(200), 60_000, 'unusable_response'],
    ['cut off by its time', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nx', 200, 'timeout'],
    ['refused, and larger than may be read', tooLong(400), 60_000, 'invalid_request'],
  ])('%s', async (_name, answer, timeoutMs, code) => {
    await using gateway = await rawGateway(({ path }) => (path === '/first' ? rawAnswer(200, {}) : answer))
    const options = { retries: 0, maxResponseBytes: 1000, timeoutMs: 60_000, deadlineMs: 60_000 }
    await using client = clientOf(gateway.url, 'fetch', options)
    const get = (path: string, limits = {}) => client.request({ method: 'GET', path, operations }, limits)
    await get('/first')
    expect(await failure(get('/x', { timeoutMs }))).toMatchObject({ code })
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
