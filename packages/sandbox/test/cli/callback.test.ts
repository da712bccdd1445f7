import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallbackReceiver } from '../../../../src/callbacks/index.js'
import { GatewayClient } from '../../../../src/index.js'
import { closedAddress, listen } from '../../../../test/support/listening.js'
import { ctrlC, escapes, inTerminal, run } from '../../../cli/test/support.js'

// Every test starts programs, on machines that may have other things to do.
vi.setConfig({ testTimeout: 30_000 })

interface Seen {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly type: string | undefined
  readonly body: string
}

const seen: Seen[] = []
let status = 204
let arrived: () => void = () => {}
let url = ''

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

/** A merchant's handler; a path of /silent is never answered. */
const handler = createServer(async (request, response) => {
  const { method, url: path, headers } = request
  seen.push({ method, path, type: headers['content-type'], body: await bodyOf(request) })
  arrived()
  if (path === '/silent') return
  response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
})

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(handler)}`
})
beforeEach(() => {
  seen.length = 0
  status = 204
})
afterAll(() => {
  handler.closeAllConnections()
  handler.close()
})

describe('callback send', () => {
  test('sends an empty object by POST, and shows the status and the time, and nothing of the address', async () => {
    const { code, stdout, stderr } = await run(['callback', 'send', `${url}/hooks/1.canary`])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^204 in \d+ ms\n$/)
    expect(seen).toEqual([{ method: 'POST', path: '/hooks/1.canary', type: 'application/json', body: '{}' }])
  })

  test('sends what it is told, as often as it is told', async () => {
    const args = ['--body', 'event=1', '--times', '3']
    const { code, stdout } = await run(['callback', 'send', url, ...args, '--json'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      Array.from({ length: 3 }, () => ({ tookMs: expect.any(Number), status: 204 })),
    )
    expect(seen).toHaveLength(3)
    expect(seen[0]).toEqual({ method: 'POST', path: '/', type: 'application/json', body: 'event=1' })
  })

  test.each([302, 404, 500])(
    'ends with 1 when the handler answers %s, and follows nothing',
    async (answer) => {
      status = answer
      const { code, stdout } = await run(['callback', 'send', url])
      expect(code).toBe(1)
      expect(stdout).toMatch(new RegExp(`^${answer} in `))
      expect(seen).toHaveLength(1)
    },
  )

  test('ends with 3 where nobody listens', async () => {
    const { code, stdout } = await run(['callback', 'send', await closedAddress()])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^no answer after \d+ ms: nobody listens there\n$/)
  })

  test('refuses a password in the address without repeating it', async () => {
    const { code, stderr } = await run(['callback', 'send', 'https://me:canary@shop.example/'])
    expect(code).toBe(2)
    expect(stderr).toBe('error: URL must not hold a user name or a password.\n')
  })

  test.each([
    ['payin', { idPayin: 'order-1' }],
    ['payout', { idPayout: 'order-1' }],
  ] as const)(
    'makes the address of a %s as the receiver does, and shows nothing of it',
    async (kind, payment) => {
      const secret = 'canary-of-the-callbacks-of-32-bytes'
      const client = new GatewayClient({
        baseUrl: url,
        merchantCode: 'M',
        signer: { sign: async () => new Uint8Array() },
      })
      const receiver = new CallbackReceiver({ client, publicUrl: `${url}/hooks`, secrets: [secret] })
      const env = {
        GATEWAY_CALLBACK_SECRET: `${secret}, an-older-secret-of-32-bytes-or-more`,
        GATEWAY_CALLBACK_URL: `${url}/hooks`,
      }
      const { code, stdout, stderr } = await run(['callback', 'send', `--${kind}`, 'order-1'], { env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^204 in \d+ ms\n$/)
      expect(seen.map(({ path }) => `${url}${path}`)).toEqual([receiver.urlFor(payment)])
    },
  )

  test.each(['GATEWAY_CALLBACK_SECRET', 'GATEWAY_CALLBACK_URL'])('with an id it wants %s', async (name) => {
    const env: Record<string, string> = {
      GATEWAY_CALLBACK_SECRET: 'canary-of-the-callbacks-of-32-bytes',
      GATEWAY_CALLBACK_URL: `${url}/hooks`,
    }
    delete env[name]
    const { code, stderr } = await run(['callback', 'send', '--payin', 'order-1'], { env })
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^error: ${name} is not set: .*\\n$`))
    expect(seen).toEqual([])
  })

  test('has colours in a terminal only, and ends at Ctrl-C', async () => {
    expect((await inTerminal(['callback', 'send', url]).finished).screen).toMatch(/\u001b\[32m204/)
    expect((await run(['callback', 'send', url])).stdout).not.toMatch(escapes)
    const came = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const session = inTerminal(['callback', 'send', `${url}/silent`])
    await came
    session.type(ctrlC)
    expect(await session.finished).toMatchObject({ code: 130 })
  })
})
