import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigner, listen, policySigner } from 'merchant-gateway-signer'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { basePolicy, heist } from './thief.js'

let folder = ''
let socket = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-socket-'))
  socket = join(folder, 's')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Something in the place of the signer: it is given each line and its connection. */
async function inPlaceOfSigner(answer: (connection: Socket, line: string) => void) {
  const server = createServer((connection) => {
    connection.setEncoding('utf8').on('error', () => {})
    connection.on('data', (line: string) => answer(connection, line))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

const sign = (text = 'text', timeoutMs?: number) =>
  policySigner({ socket, timeoutMs }).sign(Buffer.from(text))

describe('a client', () => {
  test('gets each of a hundred signatures for its own bytes', async () => {
    // The signature of some bytes is those bytes.
    await using _signer = await inPlaceOfSigner((connection, line) => {
      const { bytes } = JSON.parse(line)
      setImmediate(() => connection.write(`{"signature":"${bytes.slice(0, 2)}`))
      setImmediate(() => setImmediate(() => connection.end(`${bytes.slice(2)}"}\n`)))
    })
    const texts = Array.from({ length: 100 }, (_, n) => `question ${n}`)
    const signatures = await Promise.all(texts.map((text) => sign(text)))
    expect(signatures.map((signature) => Buffer.from(signature).toString())).toEqual(texts)
  })

  test.each<readonly [string, string | undefined, RegExp]>([
    ['closes the connection', undefined, /closed/],
    ['gives half a response', '{"signature":"dGV4', /closed/],
    ['says more than it was asked', '{"signature":"dGV4dA=="}\n{"signature"', /more than it was asked/],
    ['gives no response that can be read', '{"signed":true}\n', /a response that is none/],
  ])('takes no signature from a signer that %s', async (_, answer, why) => {
    await using _signer = await inPlaceOfSigner((connection) => connection.end(answer ?? ''))
    await expect(sign()).rejects.toMatchObject({
      name: 'SignerUnreachableError',
      message: expect.stringMatching(why),
    })
  })

  test('waits no longer than it was told', async () => {
    await using _signer = await inPlaceOfSigner(() => {})
    await expect(sign('text', 20)).rejects.toMatchObject({
      name: 'SignerUnreachableError',
      message: expect.stringContaining('the signer gave no response in 20 ms (timeoutMs)'),
    })
  })

  test('says in words where no signer is', async () => {
    await expect(sign()).rejects.toThrow(/can't be reached \(ENOENT\): nothing is there/)
  })

  test.each([{ rule: 'busy', why: 'a\n\u001b[31mb\u202e' }, { failure: 'a\n\u001b[31mb\u202e' }])(
    'writes nothing into a log that is not to be seen there, whoever answers %j',
    async (answer) => {
      await using _signer = await inPlaceOfSigner((connection) =>
        connection.end(`${JSON.stringify(answer)}\n`),
      )
      await expect(sign()).rejects.toThrow(String.raw`a\u000a\u001b[31mb\u202e`)
    },
  )

  test.each<readonly [object, string]>([
    [{ socket: '/s', port: 1 }, 'port'],
    [{}, 'socket'],
    [{ socket: '' }, 'socket'],
    [{ socket: '/s', timeoutMs: 0.5 }, 'timeoutMs'],
  ])('refuses the options %j by name', (options, option) => {
    const make = () => Reflect.apply(policySigner, undefined, [options])
    expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }))
    expect(make).toThrow(option)
  })
})

describe('a signer', () => {
  const question = '{"bytes":"e30="}\n'

  /** What is answered to this text; nothing where the connection was ended. */
  const answerTo = (text: string, connection = connect(socket)) =>
    new Promise<string>((resolve) => {
      let said = ''
      connection.setEncoding('utf8').on('error', () => {})
      connection.on('data', (chunk: string) => (said += chunk)).on('close', () => resolve(said))
      connection.write(text)
    })

  test.each([
    ['a request that is not one', question, /^\{"rule":"unreadable","why":"[^"]+"\}\n$/],
    ['two questions at once', question + question, /^$/],
    ['a question and half of another', `${question}{`, /^$/],
    ['no JSON', 'POST /sign HTTP/1.1\n', /^$/],
    ['no bytes', '{"n":1}\n', /^$/],
    ['a line without an end', 'a'.repeat(40_000), /^$/],
  ])('that is sent %s signs nothing, and answers the next', async (_, text, answer) => {
    await using scene = await heist()
    socket = scene.socket
    expect(await answerTo(text)).toMatch(answer)
    expect(await answerTo(question)).toContain('unreadable')
  })

  test('waits five seconds for a question', async () => {
    await using scene = await heist()
    socket = scene.socket
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const half = answerTo('{"bytes":')
    // Answered after the connection before it was taken.
    expect(await answerTo(question)).toContain('unreadable')
    vi.advanceTimersByTime(5000)
    expect(await half).toBe('')
  })

  test('keeps what a KMS says to itself', async () => {
    const key = { sign: () => Promise.reject(new Error('a secret of the vault')) }
    const request = {
      merchantCode: basePolicy.merchantCode,
      validitySecs: 300,
      action: 'PAYIN_CREATE',
      idPayment: 'order-1',
      timestamp: 1_800_000_000,
    }
    const now = () => 1_800_000_000_000
    const signer = await createSigner(basePolicy, { key, log: join(folder, 'log'), now })
    await using _server = await listen(signer, { socket })
    await expect(sign(JSON.stringify(request))).rejects.toThrow('could not sign: its key did not sign')
    signer.close()
    await expect(sign(JSON.stringify(request))).rejects.toMatchObject({ rule: 'log' })
  })

  test.each<readonly [string, (socket: string, other: string) => void, RegExp]>([
    ['a link', (path, other) => symlinkSync(other, path), /no socket/],
    ['a file', (path) => writeFileSync(path, ''), /no socket/],
  ])('does not listen in the place of %s', async (_, make, why) => {
    await using scene = await heist()
    make(socket, scene.socket)
    await expect(listen(scene.signer, { socket })).rejects.toThrow(why)
    await expect(listen(scene.signer, { socket: scene.socket })).rejects.toThrow(/another signer listens/)
  })
})
