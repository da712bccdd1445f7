import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { until } from '../support/turns.js'
import { acceptedPayout, rawAnswer, rawGateway } from './copies.js'
import { clientOf, create, failure } from './support.js'

const proceed = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'

/** What comes before the answer, in the pieces in which it comes. */
const interim: Readonly<Record<string, readonly string[]>> = {
  'a 100 with the answer': [proceed],
  'a 100 of HTTP/1.0, with fields': ['HTTP/1.0 100 Go on\r\nx-by: proxy\r\n\r\n'],
  'a 100 without a reason': ['HTTP/1.1 100 \r\n\r\n'],
  'three of them': [proceed.repeat(3)],
  'one in pieces': ['HTT', 'P/1.1 10', '0 Continue\r', '\n\r', '\nHTTP'],
  'early hints (103)': [hints],
  'a 100 and early hints': [proceed + hints],
  'early hints and a 100': [hints + proceed],
  'early hints, and a 100 in pieces': [hints, 'HTTP/1.1 10', '0 Continue\r\n\r', '\n'],
}

describe('an interim answer that nobody asked for ends neither call nor connection:', () => {
  test.each(Object.entries(interim))('%s', async (_name, pieces) => {
    await using gateway = await rawGateway(({ path }, socket) => {
      const answer = rawAnswer(200, acceptedPayout(path))
      const last = pieces.at(-1) === '\nHTTP' ? answer.slice(4) : answer
      if (pieces.length === 1) return (pieces[0] ?? '') + last
      // One packet each: the next is written when this one has been taken.
      const write = ([piece, ...more]: readonly string[]) => {
        if (piece !== undefined) socket.write(piece, () => setImmediate(write, more))
      }
      write([...pieces, last])
      return undefined
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    for (const id of ['a', 'b', 'c']) {
      expect(await create(client, 'payout', { id })).toMatchObject({ idPayout: id, replayed: false })
    }
    expect(gateway.made()).toBe(1)
  })

  test('but without an answer after it, the call ends at its time', async () => {
    await using gateway = await rawGateway(() => proceed)
    await using client = clientOf(gateway.url, 'undici', { retries: 0, timeoutMs: 100 })
    expect(await failure(create(client, 'payout'))).toMatchObject({ code: 'timeout', outcome: 'unknown' })
  })

  test('and on an idle connection it ends that', async () => {
    await using gateway = await rawGateway(({ path }, socket) => {
      setImmediate(() => socket.write(proceed))
      return rawAnswer(200, acceptedPayout(path))
    })
    await using client = clientOf(gateway.url, 'undici', { retries: 0 })
    await create(client, 'payout')
    await until(() => gateway.open.size === 0)
  })
})

describe.each(['undici', 'fetch'] as const)('over %s, an answer is asked for as it is', (transport) => {
  test('and one that comes compressed all the same is read, or said to be', async () => {
    await using gateway = await rawGateway(({ path }, socket) => {
      const body = gzipSync(JSON.stringify(acceptedPayout(path)))
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      socket.write(body)
      return undefined
    })
    await using client = clientOf(gateway.url, transport, { retries: 0 })
    const call = create(client, 'payout')
    if (transport === 'fetch') expect(await call).toMatchObject({ replayed: false })
    else {
      expect(await failure(call)).toMatchObject({
        code: 'unusable_response',
        outcome: 'unknown',
        issues: [expect.stringContaining('content-encoding')],
      })
    }
  })
})
