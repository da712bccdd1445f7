import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { Connections } from '../../src/gateway/transports/connections.js'
import type { Sandbox } from '../../src/index.js'
import { JSON_HEADERS, raw, rawRequest, stillSandbox } from '../support.js'

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server with few places; what is asked for decides how it answers. */
async function smallServer({ maxConnections = 10, maxUnreadBytes = 1_000_000 } = {}) {
  const connections = new Connections({ maxConnections, maxUnreadBytes })
  let begun = 0
  const server = createServer((request, response) => {
    const { socket } = request
    response.once('close', () => connections.end(socket))
    request.on('data', (chunk: Buffer) => connections.hold(socket, chunk.length))
    request.on('end', () => {
      connections.begin(socket)
      begun += 1
      if (request.url !== '/never') response.end('served')
    })
    request.on('error', () => {})
  })
  connections.watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: address.port, begun: () => begun }
}

/** A client that connects, sends some bytes and keeps the connection. */
async function hold(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  ends.push(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
  return socket
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded
const served = async (port: number) => (await raw(port, rawRequest('GET', '/', {}))).text.endsWith('served')

describe('a server with ten places', () => {
  test('serves the next client when three hundred hold on and say nothing', async () => {
    const { port } = await smallServer()
    const sockets: Socket[] = []
    for (let index = 0; index < 300; index += 1) {
      sockets.push(await hold(port))
      if (index % 50 === 49) expect(await served(port)).toBe(true)
    }
    await until(() => sockets.filter(isOpen).length <= 10)
  })

  test('takes strangers before clients that have been served and kept alive', async () => {
    const { port } = await smallServer()
    const known = await hold(
      port,
      rawRequest('GET', '/', {}).replace('connection: close', 'connection: keep-alive'),
    )
    await once(known, 'data')
    for (let index = 0; index < 50; index += 1) await hold(port)
    expect(await served(port)).toBe(true)
    expect(isOpen(known)).toBe(true)
  })

  test('takes those that are kept alive when there are no strangers', async () => {
    const { port } = await smallServer()
    const kept: Socket[] = []
    for (let index = 0; index < 10; index += 1) {
      const socket = await hold(
        port,
        rawRequest('GET', '/', {}).replace('connection: close', 'connection: keep-alive'),
      )
      await once(socket, 'data')
      kept.push(socket)
    }
    expect(await served(port)).toBe(true)
    await until(() => kept.filter(isOpen).length === 9)
    expect(kept[0] === undefined || isOpen(kept[0])).toBe(false)
  })

  test('never takes one that is being answered: the next client is turned away', async () => {
    const { port, begun } = await smallServer()
    const held: Socket[] = []
    for (let index = 0; index < 10; index += 1) held.push(await hold(port, rawRequest('GET', '/never', {})))
    await until(() => begun() === 10)
    expect(await served(port)).toBe(false)
    expect(held.filter(isOpen)).toHaveLength(10)
  })
})

describe('bodies without an end', () => {
  test('are held up to a limit, and the largest goes first', async () => {
    const { port } = await smallServer({ maxConnections: 100, maxUnreadBytes: 100_000 })
    const start = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n'
    const small = await hold(port, start + 'x'.repeat(5000))
    const sockets: Socket[] = []
    for (let index = 0; index < 30; index += 1) sockets.push(await hold(port, start + 'x'.repeat(20_000)))
    await until(() => sockets.filter(isOpen).length <= 4)
    expect(isOpen(small)).toBe(true)
    expect(await served(port)).toBe(true)
  })

  test('that came to their end are not counted any more', async () => {
    const { port } = await smallServer({ maxUnreadBytes: 30_000 })
    const body = 'x'.repeat(20_000)
    for (let index = 0; index < 10; index += 1) {
      expect((await raw(port, rawRequest('POST', '/', {}, body))).text).toContain('served')
    }
  })
})

describe('a sandbox under a few hundred hostile connections', () => {
  const ways: [string, string][] = [
    ['say nothing', ''],
    ['stop in their headers', 'POST /auth-tokens HTTP/1.1\r\nhost: x\r\nx-slow: y'],
    [
      'stop in their bodies',
      `POST /auth-tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n${'{'.repeat(10_000)}`,
    ],
  ]
  test.each(ways)('that %s, serves everybody else and ends at once', async (_name, text) => {
    const sandbox: Sandbox = stillSandbox()
    const { port } = await sandbox.listen()
    const sockets: Socket[] = []
    for (let index = 0; index < 300; index += 1) sockets.push(await hold(port, text))
    for (let index = 0; index < 20; index += 1) {
      const { text: answer } = await raw(port, rawRequest('GET', '/balances', JSON_HEADERS))
      expect(answer).toMatch(/^HTTP\/1.1 401 /)
    }
    expect(sandbox.requests).toHaveLength(20)
    await sandbox.close()
    await until(() => sockets.every((socket) => !isOpen(socket)))
  })

  test('that ask and never read, serves everybody else', async () => {
    const sandbox: Sandbox = stillSandbox({ maxLogged: 10 })
    ends.push(() => sandbox.close())
    const { port } = await sandbox.listen()
    const one = rawRequest('GET', '/balances', JSON_HEADERS).replace(
      'connection: close',
      'connection: keep-alive',
    )
    for (let index = 0; index < 20; index += 1) {
      const socket = await hold(port)
      socket.pause()
      socket.write(one.repeat(100))
    }
    const { text: answer } = await raw(port, rawRequest('GET', '/balances', JSON_HEADERS))
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
