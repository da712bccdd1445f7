import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { turns } from '../support/turns.js'
import { listening, type Mounted } from './servers.js'
import { FakeClient, receiverOver, succeeded } from './support.js'

const megabyte = Buffer.alloc(1024 * 1024, 'x')

let client: FakeClient
let server: Server
let mounted: Mounted
let path: string

beforeEach(async () => {
  client = new FakeClient(() => succeeded)
  const { receiver } = receiverOver(client, { publicUrl: 'http://127.0.0.1/callbacks' })
  server = createServer(receiver.node())
  mounted = await listening(server)
  path = new URL(receiver.urlFor({ idPayin: 'order-1' })).pathname
})

afterEach(() => {
  vi.useRealTimers()
  return mounted.close()
})

describe('1 MB gets its 204', () => {
  test('from fetch', async () => {
    const response = await fetch(mounted.origin + path, { method: 'POST', body: megabyte })
    expect(response.status).toBe(204)
  })

  test.each([
    ['that keeps connections', true],
    ['that closes them', false],
  ])('from node:http %s, ten times', async (_title, keepAlive) => {
    const agent = new Agent({ keepAlive })
    for (let time = 0; time < 10; time++) expect(await post(agent, megabyte)).toBe(204)
    agent.destroy()
  })

  test('from a caller that writes everything before it reads, and more than the sockets hold', async () => {
    // However slow the machine is: the connection ends one second after the response.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await open()
    socket.pause()
    const length = 8 * megabyte.length
    socket.write(`POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-length: ${length}\r\n\r\n`)
    const failures = await Promise.all(Array.from({ length: 8 }, () => written(socket, megabyte)))
    expect(failures).toEqual(Array(8).fill(undefined))
    socket.resume()
    expect(await firstLine(socket)).toBe('HTTP/1.1 204 No Content')
  })

  test('while the lookup takes its time, and no more than 64 KiB is read until it has ended', async () => {
    client.answer = undefined
    let read = 0
    server.prependOnceListener('request', (incoming) => {
      const { push } = incoming
      incoming.push = (chunk: Buffer | null) => {
        read += chunk?.length ?? 0
        return push.call(incoming, chunk)
      }
    })
    const socket = await open()
    const head = `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-length: ${megabyte.length}\r\n\r\n`
    socket.write(head)
    socket.write(megabyte)
    await vi.waitFor(() => expect(read).toBeGreaterThanOrEqual(64 * 1024))
    await turns(20)
    // What one read of the socket brought beyond the limit stays in the stream's buffer.
    expect(read).toBeLessThanOrEqual(4 * 64 * 1024)
    client.lookups[0]?.answer(succeeded)
    expect(await firstLine(socket)).toBe('HTTP/1.1 204 No Content')
  })
})

describe('a body that is slow and never ends', () => {
  test('does not hold the response up', async () => {
    const socket = await open()
    socket.write(`POST ${path} HTTP/1.1\r\nhost: shop\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`)
    expect(await firstLine(socket)).toBe('HTTP/1.1 204 No Content')
  })

  test('ends with the connection, one second after the response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const socket = await open()
    socket.write(`POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-length: 9\r\n\r\n{`)
    expect(await firstLine(socket)).toBe('HTTP/1.1 204 No Content')
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1000)
    await once(socket, 'close')
  })
})

describe('a connection', () => {
  test('is kept for the next callback when the body has been read', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let connections = 0
    server.on('connection', () => connections++)
    for (const body of ['', '{}', '[]']) expect(await post(agent, Buffer.from(body))).toBe(204)
    agent.destroy()
    expect(connections).toBe(1)
  })

  test('may carry callbacks one behind the other before the first is answered', async () => {
    const socket = await open()
    const one = `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-length: 2\r\n\r\n{}`
    const bad = 'POST /callbacks/none HTTP/1.1\r\nhost: shop\r\ncontent-length: 0\r\n\r\n'
    const last = `GET ${path} HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n`
    socket.write(one + bad + last)
    expect(statuses(await everything(socket))).toEqual(['204', '404', '204'])
  })

  test('that the gateway ends while it waits does not end the work', async () => {
    client.answer = undefined
    let gone = false
    server.on('request', (incoming) => {
      incoming.on('close', () => {
        gone = true
      })
    })
    const socket = await open()
    socket.write(`POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-length: 9\r\n\r\n{`)
    await vi.waitFor(() => expect(client.lookups).toHaveLength(1))
    socket.resetAndDestroy()
    await vi.waitFor(() => expect(gone).toBe(true))
    client.lookups[0]?.answer(succeeded)
    await vi.waitFor(() => expect(client.woken).toEqual(['payin:order-1 SUCCESS']))
    await turns()
  })
})

test('a response that a middleware has given already is left alone', async () => {
  const { receiver } = receiverOver(new FakeClient(() => succeeded))
  const handle = receiver.node()
  await mounted.close()
  mounted = await listening(
    createServer((incoming, response) => {
      handle(incoming, response)
      response.writeHead(418).end()
    }),
  )
  expect((await fetch(mounted.origin + path)).status).toBe(418)
})

async function open(): Promise<Socket> {
  const socket = connect(mounted.port, '127.0.0.1')
  // Whoever goes on sending is reset in the end.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

function post(agent: Agent, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(mounted.origin + path, { method: 'POST', agent }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** What became of a write: undefined when it went well. */
function written(socket: Socket, bytes: Buffer): Promise<Error | undefined> {
  return new Promise((resolve) => socket.write(bytes, (error) => resolve(error ?? undefined)))
}

async function firstLine(socket: Socket): Promise<string | undefined> {
  const [chunk] = await once(socket, 'data')
  return String(chunk).split('\r\n')[0]
}

async function everything(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

function statuses(text: string): (string | undefined)[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
}
