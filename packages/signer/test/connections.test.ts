import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { listen, policySigner } from '../src/index.js'
import { heist } from './thief.js'

interface Asked {
  readonly n: number
  readonly bytes: string
  /** The question's connection. */
  readonly socket: Socket
}

/** In the signer's place: it answers as `answer` writes, and knows each connection that was made. */
async function inPlaceOfSigner(answer: (asked: Asked) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'))
  const path = join(folder, 's')
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.setEncoding('utf8').on('data', (line: string) => answer({ ...JSON.parse(line), socket }))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    path,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

/** Its signature of some bytes is those bytes, so that each answer shows whose it is. */
const lineFor = ({ n, bytes }: { readonly n: number; readonly bytes: string }) =>
  `${JSON.stringify({ n, signature: bytes })}\n`
const honest = (asked: Asked) => void asked.socket.write(lineFor(asked))

const said = (signature: Uint8Array) => Buffer.from(signature).toString()
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

describe('a client', () => {
  const asking = (path: string, timeoutMs?: number) => {
    const signer = policySigner({ socket: path, timeoutMs })
    return async (text: string) => said(await signer.sign(Buffer.from(text)))
  }

  test('asks one question after the other over one connection', async () => {
    await using signer = await inPlaceOfSigner(honest)
    const ask = asking(signer.path)
    for (const text of ['a', 'b', 'c']) expect(await ask(text)).toBe(text)
    expect(signer.sockets).toHaveLength(1)
  })

  test('gets each of a hundred answers at once for its own question, in whatever order they come', async () => {
    const waiting: Asked[] = []
    await using signer = await inPlaceOfSigner((asked) => {
      if (waiting.push(asked) === 100) for (const each of waiting.reverse()) honest(each)
    })
    const texts = Array.from({ length: 100 }, (_, n) => `question ${n}`)
    expect(await Promise.all(texts.map(asking(signer.path)))).toEqual(texts)
    // One of a hundred connections is kept.
    await vi.waitUntil(() => signer.sockets.filter(({ destroyed }) => !destroyed).length === 1)
  })

  test('takes an answer that comes in pieces', async () => {
    await using signer = await inPlaceOfSigner((asked) => {
      const line = lineFor(asked)
      asked.socket.write(line.slice(0, 9), () => setImmediate(() => asked.socket.write(line.slice(9))))
    })
    const ask = asking(signer.path)
    expect([await ask('a'), await ask('b')]).toEqual(['a', 'b'])
  })

  test('asks anew where its connection has ended since, or ends in the middle of an answer', async () => {
    let isEnding = false
    await using signer = await inPlaceOfSigner((asked) => {
      if (isEnding) asked.socket.end(lineFor(asked).slice(0, 9))
      else honest(asked)
      isEnding = false
    })
    const ask = asking(signer.path)
    expect(await ask('a')).toBe('a')
    const [first] = signer.sockets
    first?.destroy()
    expect(await ask('b')).toBe('b')
    isEnding = true
    expect(await ask('c')).toBe('c')
    expect(signer.sockets).toHaveLength(3)
  })

  test('takes no second answer for that of the next question', async () => {
    const before: Asked[] = []
    await using signer = await inPlaceOfSigner((asked) => {
      const [last] = before.splice(0, 1, asked)
      // Once more the answer of the question before, as soon as the next one is asked.
      if (last?.socket === asked.socket) asked.socket.write(lineFor(last))
      else honest(asked)
    })
    const ask = asking(signer.path)
    for (const text of ['a', 'b', 'c', 'd']) expect(await ask(text)).toBe(text)
  })

  test('takes no signature out of two answers in one piece', async () => {
    let isTwice = true
    await using signer = await inPlaceOfSigner((asked) => {
      asked.socket.write(isTwice ? lineFor(asked) + lineFor({ ...asked, n: asked.n + 1 }) : lineFor(asked))
      isTwice = false
    })
    const ask = asking(signer.path)
    await expect(ask('a')).rejects.toThrow('the other side said more than it was asked')
    expect(await ask('b')).toBe('b')
  })

  test('takes no answer that came before its question', async () => {
    await using signer = await inPlaceOfSigner(honest)
    const ask = asking(signer.path)
    expect(await ask('a')).toBe('a')
    const [first] = signer.sockets
    if (first === undefined) throw new Error('nobody asked')
    first.write(lineFor({ n: 2, bytes: Buffer.from('early').toString('base64') }))
    await closed(first)
    expect(await ask('b')).toBe('b')
    expect(signer.sockets).toHaveLength(2)
  })

  test('gives the answer that came too late to no other question', async () => {
    const late: Asked[] = []
    await using signer = await inPlaceOfSigner((asked) => {
      if (late.length === 0) late.push(asked)
      else honest(asked)
    })
    // The second question has a new connection, for which a busy machine takes its time.
    const ask = asking(signer.path, 500)
    await expect(ask('a')).rejects.toThrow('the signer gave no answer in 500 ms (timeoutMs)')
    const next = ask('b')
    for (const asked of late) honest(asked)
    expect(await next).toBe('b')
    expect(signer.sockets).toHaveLength(2)
  })

  test('asks no second time what a kept connection did not answer in time', async () => {
    const asked: number[] = []
    await using signer = await inPlaceOfSigner((one) => {
      if (asked.push(one.n) === 1) honest(one)
    })
    const ask = asking(signer.path, 50)
    expect(await ask('a')).toBe('a')
    await expect(ask('b')).rejects.toThrow('the signer gave no answer in 50 ms (timeoutMs)')
    expect(asked).toEqual([1, 2])
  })

  test('ends its connection where it asks nothing more for a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await using signer = await inPlaceOfSigner(honest)
    const ask = asking(signer.path)
    expect(await ask('a')).toBe('a')
    vi.advanceTimersByTime(9999)
    expect(await ask('b')).toBe('b')
    const [first] = signer.sockets
    if (first === undefined) throw new Error('nobody asked')
    const end = closed(first)
    vi.advanceTimersByTime(10_000)
    await end
    expect(await ask('c')).toBe('c')
    expect(signer.sockets).toHaveLength(2)
  })

  test('goes on with a signer that was started anew', async () => {
    await using scene = await heist()
    for (const id of ['w-1', 'w-2', 'w-3']) {
      expect(await scene.thief.steal({ id, amount: 1 })).toBe(200)
      await scene.restart()
    }
    expect(scene.thief.loot()).toBe(3)
  })
})

describe('a signer', () => {
  const token = 'a-token-of-32-characters-or-more'
  const question = (n: number, shown = token) => `{"n":${n},"token":"${shown}","bytes":"e30="}\n`

  class Raw {
    readonly socket: Socket

    constructor(port = 0) {
      this.socket = connect(port, '127.0.0.1')
        .setEncoding('utf8')
        .on('error', () => {})
    }

    /** What is said to this text; undefined where the connection was ended. */
    ask(text: string): Promise<string | undefined> {
      return new Promise((resolve) => {
        this.socket.once('data', (line: string) => resolve(line)).once('close', () => resolve(undefined))
        this.socket.write(text)
      })
    }
  }

  test('answers one question after the other on a connection', async () => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    const raw = new Raw(server.port)
    for (const n of [1, 2, 3]) expect(await raw.ask(question(n))).toContain(`{"n":${n},"rule":"unreadable"`)
    raw.socket.destroy()
  })

  test.each([
    ['two questions at once', question(1) + question(2)],
    ['a question and half of another', `${question(1)}{"n":`],
  ])('ends a connection that asks %s', async (_, text) => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    expect(await new Raw(server.port).ask(text)).toBeUndefined()
  })

  test('ends a connection that asks before it was answered', async () => {
    let answer: ((signature: Uint8Array) => void) | undefined
    const slow = {
      sign: () =>
        new Promise<Uint8Array>((resolve) => {
          answer = resolve
        }),
    }
    await using server = await listen(slow, { port: 0, token })
    const raw = new Raw(server.port)
    const said = raw.ask(question(1))
    await vi.waitUntil(() => answer !== undefined)
    raw.socket.write(question(2))
    expect(await said).toBeUndefined()
    answer?.(Buffer.from('signed'))
  })

  test('ends a connection that asks on without reading its answers', async () => {
    const large = 20_000_000
    let asked = 0
    const slow = { sign: async () => Buffer.alloc(++asked === 1 ? large : 1) }
    await using server = await listen(slow, { port: 0, token })
    const raw = new Raw(server.port)
    raw.socket.pause().write(question(1))
    await vi.waitUntil(() => asked === 1)
    raw.socket.write(question(2))
    // Answered after the question before it was read.
    const other = new Raw(server.port)
    for (const n of [1, 2, 3]) expect(await other.ask(question(n))).toContain('"signature"')
    let length = 0
    raw.socket.on('data', (text: string) => (length += text.length)).resume()
    await closed(raw.socket)
    expect(length).toBeLessThan(large)
    expect(asked).toBe(4)
    other.socket.destroy()
  })

  test('can be asked by whoever shows the token, however many others hold connections to its port', async () => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    const known = new Raw(server.port)
    expect(await known.ask(question(1))).toContain('"rule"')
    const idle = Array.from({ length: 300 }, () => new Raw(server.port))
    await Promise.all(idle.slice(0, 172).map(({ socket }) => closed(socket)))
    // The one that was answered before is kept, and a new one takes the place of one that asks nothing.
    expect(await known.ask(question(2))).toContain('"rule"')
    expect(await new Raw(server.port).ask(question(1))).toContain('"rule"')
    const open = idle.filter(({ socket }) => !socket.destroyed)
    expect(open.length).toBeLessThan(128)
    // Who shows another token is no more than who asks nothing.
    const wrong = open.map((raw) => raw.ask(question(1, 'another')))
    expect(await new Raw(server.port).ask(question(1))).toContain('"rule"')
    await Promise.all(wrong)
    for (const { socket } of [...idle, known]) socket.destroy()
  })

  test('waits five seconds for a first question, and longer than a client for the next', async () => {
    await using scene = await heist()
    await using server = await listen(scene.signer, { port: 0, token })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const half = new Raw(server.port)
    half.socket.write('{"n":')
    const known = new Raw(server.port)
    expect(await known.ask(question(1))).toContain('"rule"')
    const halfEnds = closed(half.socket)
    vi.advanceTimersByTime(5000)
    await halfEnds
    vi.advanceTimersByTime(14_000)
    expect(await known.ask(question(2))).toContain('"rule"')
    const knownEnds = closed(known.socket)
    vi.advanceTimersByTime(20_000)
    await knownEnds
  })
})
