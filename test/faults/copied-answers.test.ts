import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { turns, until } from '../support/turns.js'
import { acceptedPayout, type RawReply, rawAnswer, rawGateway } from './copies.js'
import { clientOf, create, type TransportName } from './support.js'

/** When the copy of a response comes. */
const moments = [
  'in the same packet',
  'before the next request',
  'right after the next request has arrived',
] as const

/** What the first payout is answered with. */
const firstAnswers: Readonly<Record<string, (path: string) => string>> = {
  'a 400': () => rawAnswer(400, { code: 'NO' }),
  'a 409': () => rawAnswer(409, {}),
  'a 503': () => rawAnswer(503, {}),
  'a 302': () => rawAnswer(302, {}, 'location: /elsewhere\r\n'),
  'the acceptance of another payout': (path) => rawAnswer(200, acceptedPayout(path)),
}

/**
 * Answers order-1 as it is told to, and copies that response; everything else it answers truly, but one
 * late on the connection on which a copy was first.
 */
class Copying {
  #copy: string | undefined
  #late: string | undefined
  readonly #first: (path: string) => string
  readonly #moment: (typeof moments)[number]
  /** The connection of the copy. */
  socket: Socket | undefined

  constructor(first: (path: string) => string, moment: (typeof moments)[number]) {
    this.#first = first
    this.#moment = moment
  }

  readonly reply: RawReply = ({ method, path }, socket) => {
    const isFirst = method === 'POST' && path.endsWith('/order-1')
    const answer = isFirst ? this.#first(path) : rawAnswer(200, acceptedPayout(path))
    if (this.#copy === undefined && method === 'POST') {
      this.#copy = answer
      this.socket = socket
      if (this.#moment === 'in the same packet') return answer + answer
      if (this.#moment === 'before the next request') setImmediate(() => socket.write(answer))
      return answer
    }
    if (socket !== this.socket) return answer
    const before = this.#late ?? this.#copy
    this.#late = answer
    return before
  }
}

/** Lets what holds a connection let go of it. */
const aFewTurns = () => turns(10)

const settled = (call: Promise<unknown>) => call.catch((error: unknown) => error)

const transports: readonly TransportName[] = ['undici', 'fetch']

describe.each(transports)(
  'over %s, a response that comes twice says nothing of the next payout:',
  (transport) => {
    describe.each(moments)('%s', (moment) => {
      test.each(Object.entries(firstAnswers))('%s', async (name, first) => {
        const copying = new Copying(first, moment)
        await using gateway = await rawGateway(copying.reply)
        await using client = clientOf(gateway.url, transport, { retries: 0 })
        await client.payouts.retrieve('for-the-token')
        await aFewTurns()
        await settled(create(client, 'payout', { id: 'order-1' }))
        const { socket } = copying
        if (moment !== 'right after the next request has arrived') await until(() => socket?.closed === true)
        await aFewTurns()
        const second = await settled(create(client, 'payout', { id: 'order-2' }))
        const fooled = moment.startsWith('right after') && name.startsWith('the acceptance')
        expect(second).toMatchObject(
          fooled
            ? { code: 'unusable_response', outcome: 'unknown', idPayout: 'order-2' }
            : { idPayout: 'order-2', replayed: false },
        )
        await aFewTurns()
        // Not even when answer and request are off by one.
        const third = await create(client, 'payout', { id: 'order-3' })
        expect(third).toMatchObject({ idPayout: 'order-3', replayed: false })
      })
    })
  },
)

describe.each(transports)('over %s, a connection is ended', (transport) => {
  test.each([
    ['by bytes beyond the end of a response', (answer: string) => `${answer}and more`],
    ['by a second response, half of it', (answer: string) => `${answer}HTTP/1.1 200 OK\r\ncontent-le`],
  ])('%s', async (_name, spoil) => {
    let spoilt: Socket | undefined
    await using gateway = await rawGateway(({ path }, socket) => {
      const answer = rawAnswer(200, acceptedPayout(path))
      if (spoilt !== undefined) return answer
      spoilt = socket
      return spoil(answer)
    })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    expect(await create(client, 'payout', { id: 'order-1' })).toMatchObject({ idPayout: 'order-1' })
    await until(() => spoilt?.closed === true)
    expect(await create(client, 'payout', { id: 'order-2' })).toMatchObject({ idPayout: 'order-2' })
  })

  test('after a refusal, and kept after an acceptance', async () => {
    await using gateway = await rawGateway(({ path }) =>
      path.endsWith('/bad') ? rawAnswer(422, {}) : rawAnswer(200, acceptedPayout(path)),
    )
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    await client.payouts.retrieve('for-the-token')
    await aFewTurns()
    for (const id of ['a', 'b', 'bad', 'c', 'd']) {
      await settled(create(client, 'payout', { id }))
      await aFewTurns()
    }
    const [a, b, bad, c, d] = gateway.requests
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/payouts'))
      .map(({ connection }) => connection)
    expect([b, bad, d]).toEqual([a, a, c])
    expect(c).not.toBe(bad)
  })
})

test('over any fetch, connections that are not kept give no response to the next payout', async () => {
  await using gateway = await rawGateway(({ path }) => rawAnswer(200, acceptedPayout(path)))
  const fetch: typeof globalThis.fetch = (url, init) =>
    globalThis.fetch(url, { ...init, headers: { ...init?.headers, connection: 'close' } })
  await using client = clientOf(gateway.url, 'fetch', { fetch })
  for (const id of ['a', 'b', 'c']) await create(client, 'payout', { id })
  const used = gateway.requests.map(({ connection }) => connection)
  expect(new Set(used).size).toBe(used.length)
})
