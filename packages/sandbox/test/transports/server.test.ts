import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import type { Sandbox, SandboxServer } from '../../src/index.js'
import {
  BODY_HEADERS,
  bearer,
  create,
  JSON_HEADERS,
  masterToken,
  raw,
  rawRequest,
  SIGNED_AT,
  stillSandbox,
  tokenRequest,
} from '../support.js'

const sandboxes: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
})

async function listening(
  sandbox: Sandbox = stillSandbox(),
): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  sandboxes.push(sandbox)
  return { sandbox, server: await sandbox.listen() }
}

describe('a listening sandbox', () => {
  test('is on loopback only, at a free port, and is where clientOptions point while it lasts', async () => {
    const sandbox = stillSandbox({ basePath: '/api' })
    sandboxes.push(sandbox)
    expect(sandbox.clientOptions()).toMatchObject({
      baseUrl: 'https://gateway.sandbox.invalid/api',
      fetch: sandbox.fetch,
    })
    const server = await sandbox.listen()
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(sandbox.clientOptions()).toEqual({
      baseUrl: `${server.url}/api`,
      merchantCode: 'M-0001',
      privateKey: expect.objectContaining({ asymmetricKeyType: 'rsa' }),
      live: false,
      rateLimit: false,
      now: expect.any(Function),
    })
    await server.close()
    expect(sandbox.clientOptions().baseUrl).toBe('https://gateway.sandbox.invalid/api')
  })

  test('is the same gateway as fetch: a payment made here is found there', async () => {
    const { sandbox, server } = await listening()
    const token = await masterToken(sandbox)
    const made = await fetch(`${server.url}/payins/one`, create(token))
    expect([made.status, made.headers.get('date')]).toEqual([200, new Date(SIGNED_AT).toUTCString()])
    const found = await sandbox.fetch(`${server.url}/payins/one`, { headers: bearer(token) })
    expect(found.status).toBe(200)
  })

  test('checks a signature over the bytes of the socket', async () => {
    const { sandbox, server } = await listening()
    const { headers, body } = tokenRequest(sandbox, { operations: ['GET /balances'] })
    const { text } = await raw(server.port, rawRequest('POST', '/auth-tokens', Object(headers), body))
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    const changed = body.replace('balances', 'currencies')
    expect(
      (await raw(server.port, rawRequest('POST', '/auth-tokens', Object(headers), changed))).text,
    ).toContain('SIGNATURE_INVALID')
  })

  test('takes a path as it was sent: dots are not resolved', async () => {
    const { sandbox, server } = await listening()
    const headers = { ...bearer(await masterToken(sandbox)), 'content-type': 'application/json' }
    const status = async (path: string) =>
      (await raw(server.port, rawRequest('POST', path, headers, '{}'))).text.slice(9, 12)
    expect(await status('/payouts/../payins/x')).toBe('404')
    expect(await status('/payins/..')).toBe('400')
    expect(await status('/payins/%2e%2e')).toBe('400')
    expect(await status('http://gateway.example/merchant-info')).toBe('405')
  })

  test('refuses a request with two Host headers', async () => {
    const { sandbox, server } = await listening()
    const request = rawRequest('GET', '/balances', JSON_HEADERS)
    const { text } = await raw(server.port, request.replace('\r\n', '\r\nHost: 127.0.0.1\r\n'))
    expect(text).toMatch(/^HTTP\/1.1 400 .*TWO_HOSTS/s)
    expect(sandbox.requests).toEqual([])
  })

  test('listens once at a time, again after close, and not after its end', async () => {
    const { sandbox, server } = await listening()
    await expect(sandbox.listen()).rejects.toThrow('listens already')
    await server.close()
    const again = await sandbox.listen()
    await expect(stillSandbox().listen({ port: again.port })).rejects.toMatchObject({
      message: `Port ${again.port} of 127.0.0.1 is taken, so the sandbox does not listen. End what listens there, or give another port; 0 takes a free one.`,
      code: 'EADDRINUSE',
    })
    await expect(stillSandbox().listen({ host: '192.0.2.1' })).rejects.toThrow(
      '192.0.2.1 is no address of this machine',
    )
    await sandbox.close()
    await expect(sandbox.listen()).rejects.toThrow('closed')
    await expect(fetch(again.url)).rejects.toThrow()
  })

  test('is closed by await using, with the connections that were kept alive', async () => {
    const sandbox = stillSandbox()
    let url = ''
    {
      await using server = await sandbox.listen()
      url = server.url
      await fetch(`${url}/balances`, { headers: JSON_HEADERS }).then((response) => response.text())
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})

describe("the sandbox's own pages", () => {
  const status = async (port: number, method: string, path: string, headers: Record<string, string>) =>
    (await raw(port, rawRequest(method, path, headers))).text.slice(9, 12)

  test('are not there unless they are asked for', async () => {
    const { server } = await listening()
    const headers = { ...JSON_HEADERS, host: `127.0.0.1:${server.port}` }
    expect(await status(server.port, 'GET', '/_sandbox/', headers)).toBe('404')
  })
})

describe('a hostile client', () => {
  const elsewhere = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')

  test.skipIf(elsewhere === undefined)('of another machine reaches nothing', async () => {
    const { server } = await listening()
    const socket = connect(server.port, elsewhere?.address)
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('that sends a body without end is cut off at the limit', async () => {
    const { sandbox, server } = await listening(stillSandbox({ maxBodyBytes: 1000 }))
    const headers = 'host: x\r\naccept: application/json\r\nx-api-version: 2\r\ntransfer-encoding: chunked'
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    const { text } = await raw(
      server.port,
      `POST /auth-tokens HTTP/1.1\r\n${headers}\r\n\r\n${chunk.repeat(20)}`,
    )
    expect(text).toMatch(/^HTTP\/1.1 413 /)
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 413, bodyText: '' })
  })

  test('that announces a body and goes away leaves nothing behind', async () => {
    const { sandbox, server } = await listening()
    const socket = connect(server.port, '127.0.0.1')
    socket.end('POST /auth-tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    socket.resume()
    await once(socket, 'close')
    expect(sandbox.requests).toEqual([])
  })

  test.each([
    ['that speaks something else', 'GIMME\r\n\r\n', /^HTTP\/1.1 400 /],
    [
      'that sends headers without end',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1.1 431 /,
    ],
    [
      'that sends two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
  ])('%s is refused, and the next client is served', async (_name, bytes, expected) => {
    const { server } = await listening()
    expect((await raw(server.port, bytes)).text).toMatch(expected)
    expect((await raw(server.port, rawRequest('GET', '/balances', JSON_HEADERS))).text).toMatch(
      /^HTTP\/1.1 401 /,
    )
  })

  test('that sends bad JSON a thousand times costs a thousand responses and no more', async () => {
    const { sandbox, server } = await listening(stillSandbox({ maxLogged: 100 }))
    const socket = connect(server.port, '127.0.0.1')
    const one = rawRequest('POST', '/auth-tokens', BODY_HEADERS, '{').replace(
      'connection: close',
      'connection: keep-alive',
    )
    const last = rawRequest('POST', '/auth-tokens', BODY_HEADERS, '{')
    socket.write(one.repeat(999) + last)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'close')
    expect(text.match(/HTTP\/1.1 400 /g)).toHaveLength(1000)
    expect(sandbox.requests).toHaveLength(100)
  })
})
