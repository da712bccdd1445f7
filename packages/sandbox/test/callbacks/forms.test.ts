import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../../test/support/listening.js'
import type { CallbackForm } from '../../src/index.js'
import { create, masterToken, ORIGIN, paymentBody, stillSandbox } from '../support.js'

/** What a callback was, as it came over the wire. */
interface Came {
  readonly method: string | undefined
  readonly type: string | undefined
  readonly chunked: boolean
  readonly pieces: number
  readonly bytes: number
}

describe('payment.sendCallback(form) sends', () => {
  const came: Came[] = []
  const sandbox = stillSandbox({ callbackTries: 1 })
  const server = createServer((request, response) => {
    const sizes: number[] = []
    request.on('data', (chunk: Buffer) => sizes.push(chunk.length))
    request.on('end', () => {
      came.push({
        method: request.method,
        type: request.headers['content-type'],
        chunked: request.headers['transfer-encoding'] === 'chunked',
        pieces: sizes.length,
        bytes: sizes.reduce((sum, size) => sum + size, 0),
      })
      response.writeHead(204).end()
    })
  })
  beforeAll(async () => {
    const callbackUrl = `http://127.0.0.1:${await listen(server)}/callbacks`
    const creation = create(await masterToken(sandbox), paymentBody({ callbackUrl }))
    expect((await sandbox.fetch(`${ORIGIN}/payouts/order-1`, creation)).status).toBe(200)
    await sandbox.idle()
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await sandbox.close()
  })

  const json = { method: 'POST', type: 'application/json', chunked: false, pieces: 1, bytes: 2 }
  test.each<[string, CallbackForm | undefined, Partial<Came>]>([
    ['what the sandbox sends by itself', undefined, json],
    ['an empty body', { body: '' }, { ...json, pieces: 0, bytes: 0 }],
    ['an unfamiliar event', { body: '{"event":"payin.reviewed"}' }, { ...json, bytes: 26 }],
    ['text', { body: 'changed', contentType: 'text/plain' }, { ...json, type: 'text/plain', bytes: 7 }],
    ['no content type', { contentType: '' }, { ...json, type: undefined }],
    ['1 MB', { body: 'x'.repeat(1024 * 1024) }, { bytes: 1024 * 1024, chunked: false }],
    [
      'slow chunks',
      { body: 'äöü', chunks: 3, chunkGapMs: 2 },
      { ...json, chunked: true, pieces: 3, bytes: 6 },
    ],
    ['GET', { method: 'GET' }, { method: 'GET', bytes: 0 }],
    ['HEAD', { method: 'HEAD' }, { method: 'HEAD', bytes: 0 }],
  ])('%s', async (_title, form, expected) => {
    came.length = 0
    sandbox.payouts.get('order-1').sendCallback(form)
    await sandbox.idle()
    expect(came).toHaveLength(1)
    expect(came[0]).toMatchObject(expected)
  })

  test.each<[Record<string, unknown>, string]>([
    [{ method: 'NO SUCH' }, 'method'],
    [{ body: 1 }, 'body'],
    [{ chunks: 0 }, 'chunks'],
    [{ chunkGapMs: -1 }, 'chunkGapMs'],
    [{ times: 0.5 }, 'times'],
    [{ afterMs: Number.NaN }, 'afterMs'],
    [{ nonsense: 1 }, 'nonsense'],
  ])('nothing for %j, which is refused by name', (form, name) => {
    expect(() => sandbox.payouts.get('order-1').sendCallback(form)).toThrow(name)
  })
})
