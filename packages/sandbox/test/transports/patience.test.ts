import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { assemble } from '../../src/gateway/assemble.js'
import { normaliseOptions } from '../../src/gateway/normalise-options.js'
import { type SandboxServer, type ServerLimits, serve } from '../../src/gateway/transports/server.js'
import { JSON_HEADERS, raw, rawRequest } from '../support.js'

const limits: ServerLimits = {
  maxConnections: 100,
  maxUnreadBytes: 1_000_000,
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  unreadAnswerMs: 60_000,
}
const servers: SandboxServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function listening(short: Partial<ServerLimits>) {
  const { engine, faults } = assemble(normaliseOptions({ rateLimit: false }))
  const server = await serve(engine, {}, 1000, undefined, { ...limits, ...short })
  servers.push(server)
  return { faults, port: server.port }
}

/** Resolves when the server has closed its end of the first connection at the port. */
function connectionEnded(port: number): Promise<void> {
  return new Promise((resolve) => {
    const onConnection = (message: unknown) => {
      const socket = typeof message === 'object' && message !== null && Reflect.get(message, 'socket')
      if (!(socket instanceof Socket) || socket.localPort !== port) return
      unsubscribe('net.server.socket', onConnection)
      socket.once('close', () => resolve())
    }
    subscribe('net.server.socket', onConnection)
  })
}

const POST = 'POST /auth-tokens HTTP/1.1\r\nhost: x\r\n'

describe('a sandbox has patience up to a limit', () => {
  test.each<[string, Partial<ServerLimits>, string]>([
    ['that says nothing', { headersTimeoutMs: 50 }, ''],
    ['that stops in its headers', { headersTimeoutMs: 50 }, `${POST}x-slow: y`],
    [
      'that stops in its body',
      { headersTimeoutMs: 50, requestTimeoutMs: 50 },
      `${POST}content-length: 9\r\n\r\n{`,
    ],
  ])('with a client %s: 408, and the connection ends', async (_name, short, text) => {
    const { port } = await listening(short)
    expect((await raw(port, text)).text).toMatch(/^HTTP\/1.1 408 /)
  })

  test('with a client that never reads its answer', async () => {
    const { port, faults } = await listening({ unreadAnswerMs: 50 })
    const body = 'x'.repeat(32 * 1024 * 1024)
    faults.arm({ route: '*', action: { kind: 'status', status: 200, body } })
    const ended = connectionEnded(port)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(rawRequest('GET', '/balances', JSON_HEADERS))
    await once(socket, 'readable')
    await ended
    // What comes now is what fitted into the buffers of two sockets.
    let size = 0
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    await once(socket, 'close')
    expect(size).toBeLessThan(body.length)
  })
})
