import { createServer, type IncomingMessage } from 'node:http'
import { GatewayClient } from 'merchant-gateway'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallbackReceiver } from '../../../../src/callbacks/index.js'
import { closedAddress, listen } from '../../../../test/support/listening.js'
import { callbackName, eventsOf, type ListenEvent } from '../../src/cli/listen/events.js'
import { createSandbox, type Sandbox } from '../../src/index.js'
import { run, secrets, start } from './here.js'

const received: { request: IncomingMessage; body: string }[] = []
let answers: number[] = []
const handler = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    received.push({ request, body })
    const status = answers.shift() ?? 204
    response.writeHead(status).end(status === 500 ? 'x'.repeat(9000) : '')
  })
})
let forwardTo = ''
beforeAll(async () => {
  forwardTo = `http://127.0.0.1:${await listen(handler)}`
})
beforeEach(() => {
  received.length = 0
  answers = []
})
afterAll(() => void handler.close())

const secret = 'a-secret-of-32-bytes-or-more-000-canary'

/** A sandbox that is elsewhere: what it delivers by itself reaches nobody. */
async function elsewhere() {
  const direct: string[] = []
  const sandbox = createSandbox({
    rateLimit: false,
    payAfterMs: false,
    callbackRetryAfterMs: 10,
    deliver: async ({ url }) => {
      direct.push(url)
      throw new Error('there is no way to that host')
    },
  })
  const { url } = await sandbox.listen({ page: true })
  await using client = new GatewayClient(sandbox.clientOptions())
  const receiver = new CallbackReceiver({
    client,
    publicUrl: 'https://shop.example/hooks',
    secrets: [secret],
    onPayin: () => undefined,
  })
  const create = (idPayin: string) => pay(sandbox, idPayin, receiver.urlFor({ idPayin }))
  return { sandbox, url, direct, create, [Symbol.asyncDispose]: () => sandbox.close() }
}

async function pay(sandbox: Sandbox, idPayin: string, callbackUrl: string): Promise<void> {
  await using client = new GatewayClient(sandbox.clientOptions())
  await client.payins.create({
    idPayin,
    callbackUrl,
    paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
}

async function listening(url: string) {
  const running = start(['listen', '--forward-to', forwardTo, '--sandbox', url])
  await running.untilNote('Callbacks of')
  return running
}

/** Resolves when the sandbox holds so many deliveries that are over. */
async function delivered(sandbox: Sandbox, count: number) {
  const over = () =>
    sandbox.callbacks.filter(({ response, error }) => response !== undefined || error !== undefined)
  await vi.waitFor(() => expect(over()).toHaveLength(count), { timeout: 10_000 })
  return over()
}

describe('listen', () => {
  test('takes each callback to the handler, and its response back', async () => {
    await using at = await elsewhere()
    const running = await listening(at.url)
    answers = [500, 204]
    await at.create('order-é')
    const callbacks = await delivered(at.sandbox, 2)
    expect(callbacks.map(({ attempt, response, responseBody }) => [attempt, response, responseBody])).toEqual(
      [
        [1, 500, 'x'.repeat(2048)],
        [2, 204, undefined],
      ],
    )
    expect(at.direct).toEqual([])
    const [first] = received
    const { pathname } = new URL(callbacks[0]?.url ?? '')
    expect(first?.request.url).toBe(pathname)
    expect(first?.request.method).toBe('POST')
    expect(first?.request.headers).toMatchObject({ 'x-api-version': '2', 'content-type': 'application/json' })
    expect(first?.body).toBe('{}')
    const { code, stdout } = await running.end()
    expect(code).toBe(0)
    expect(stdout.replace(/\d+ ms/g, 'N ms')).toBe('payin order-é 500 in N ms\npayin order-é 204 in N ms\n')
    for (const one of secrets) expect(stdout).not.toMatch(one)
  })

  test('when it has ended, the sandbox delivers by itself again', async () => {
    await using at = await elsewhere()
    const running = await listening(at.url)
    await running.end()
    await at.create('order-1')
    await vi.waitFor(() => expect(at.direct.length).toBeGreaterThan(0))
    expect(received).toEqual([])
  })

  test('says that nobody listens here, and so does the sandbox', async () => {
    await using at = await elsewhere()
    const nowhere = await closedAddress()
    const running = start(['listen', '--json', '--forward-to', nowhere, '--sandbox', at.url])
    expect(JSON.parse(await running.until('\n'))).toEqual({ listening: at.url, forwardTo: nowhere })
    await at.create('order-1')
    const [, line] = (await running.until('listens there')).split('\n')
    expect(JSON.parse(line ?? '')).toEqual({
      about: 'payin order-1',
      tookMs: expect.any(Number),
      problem: 'nobody listens there',
    })
    const [first] = await delivered(at.sandbox, 3)
    expect(first?.error).toBe('Forwarded: nobody listens there.')
    expect((await running.end()).code).toBe(0)
  })

  test('gives way to whoever listens later', async () => {
    await using at = await elsewhere()
    const earlier = await listening(at.url)
    const later = start(['listen', '--forward-to', forwardTo, '--sandbox', at.url])
    expect(await earlier.finished).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('End that one and run listen again'),
    })
    await later.untilNote('Callbacks of')
    await at.create('order-1')
    await delivered(at.sandbox, 1)
    expect(received).toHaveLength(1)
    expect((await later.end()).code).toBe(0)
  })

  test('ends with 3 when the sandbox does', async () => {
    const at = await elsewhere()
    const running = await listening(at.url)
    await at.sandbox.close()
    expect(await running.finished).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /has ended, or the connection to it was cut\.\n {7}Start the sandbox and run listen again\.\n$/,
      ),
    })
  })

  test.each([
    ['where nobody is', async () => closedAddress(), 3, /no sandbox responds at .*: nobody listens there/],
    ['at what is no sandbox', async () => forwardTo, 1, /is no sandbox with its page \(404\)/],
  ] as const)('ends at once %s', async (_, address, exitCode, words) => {
    answers = [404]
    const { code, stderr } = await run(['listen', '--forward-to', forwardTo, '--sandbox', await address()])
    expect({ code, stderr }).toMatchObject({ code: exitCode, stderr: expect.stringMatching(words) })
  })

  test('a sandbox does not trust a name that it does not know, and the way is a tunnel', async () => {
    await using at = await elsewhere()
    const { port } = new URL(at.url)
    // As through a tunnel with another port, or a proxy: the Host is not its own.
    const proxy = createServer((request, response) => {
      void fetch(`http://127.0.0.1:${port}${request.url}`, {
        headers: { 'sec-fetch-site': 'cross-site' },
      }).then(({ status }) => response.writeHead(status).end())
    })
    const proxied = `http://127.0.0.1:${await listen(proxy)}`
    const { code, stderr } = await run(['listen', '--forward-to', forwardTo, '--sandbox', proxied])
    expect(code).toBe(1)
    expect(stderr).toContain('ssh -L')
    proxy.close()
  })

  test.each([['http://127.0.0.1:3000/hooks'], ['ftp://127.0.0.1'], ['http://me:canary@127.0.0.1']])(
    'refuses to forward to %s',
    async (url) => {
      const { code, stderr } = await run(['listen', '--forward-to', url, '--sandbox', 'http://127.0.0.1:1'])
      expect(code).toBe(2)
      expect(stderr).not.toContain('canary')
    },
  )
})

test('the sandbox takes answers to what it has handed over, and no others', async () => {
  await using at = await elsewhere()
  const answer = (key: string, body: unknown) =>
    fetch(`${at.url}/_sandbox/api/callbacks/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(await (await answer('7', { status: 204 })).json()).toEqual({ taken: false })
  for (const wrong of [{}, { status: 99 }, { status: '204' }, { error: '' }, []])
    expect((await answer('7', wrong)).status).toBe(400)
  const crossSite = { headers: { origin: 'https://evil.example' } }
  expect((await fetch(`${at.url}/_sandbox/api/callbacks`, crossSite)).status).toBe(403)
})

test('events come whole, however they are cut', async () => {
  const text =
    ': still here\n\ndata: {"listening":true}\n\ndata: nonsense\n\ndata: {"callback":{"key":1,"url":"no"}}\n\n' +
    'data: {"callback":{"key":2,"url":"https://shop.example/é","method":"PUT","body":"ž","headers":{"cookie":"a","content-type":"text/plain"}}}\n\ndata: {"replaced":true}\n\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, 1000]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
        controller.close()
      },
    })
    const events: ListenEvent[] = []
    for await (const event of eventsOf(stream, () => {})) events.push(event)
    expect(events).toEqual([
      { kind: 'listening' },
      {
        kind: 'callback',
        callback: {
          key: 2,
          url: new URL('https://shop.example/é'),
          method: 'PUT',
          body: 'ž',
          headers: { 'content-type': 'text/plain' },
        },
      },
      { kind: 'replaced' },
    ])
  }
})

test('a callback is named without its signature', () => {
  const mac = 'm'.repeat(43)
  expect(callbackName(new URL(`https://shop.example/hooks/2.abcdefgh.payout.b3JkZXItMQ.${mac}?a=b`))).toBe(
    'payout order-1',
  )
  expect(callbackName(new URL(`https://shop.example/x/${mac}?token=canary`))).toBe('/x/…')
})
