import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listen } from '../../../../test/support/listening.js'
import { turns } from '../../../../test/support/turns.js'
import { type CallbackRequest, createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.js'
import { create, masterToken, ORIGIN, paymentBody, SIGNED_AT, stillSandbox } from '../support.js'

const callbackUrl = 'https://shop.example/callbacks?id=one'

async function accept(sandbox: Sandbox, id = 'one', url: string | null = callbackUrl): Promise<void> {
  const body = paymentBody(url === null ? {} : { callbackUrl: url })
  expect(
    (await sandbox.fetch(`${ORIGIN}/payouts/${id}`, create(await masterToken(sandbox), body))).status,
  ).toBe(200)
}

/** A sandbox whose callbacks are answered from a list of statuses or failures. */
function answering(answers: (number | Error)[], options: SandboxOptions = {}) {
  const sent: CallbackRequest[] = []
  const deliver = async (callback: CallbackRequest) => {
    sent.push(callback)
    const answer = answers[sent.length - 1] ?? 200
    if (answer instanceof Error) throw answer
    return { status: answer }
  }
  return { sent, sandbox: stillSandbox({ deliver, ...options }) }
}

const attempts = (sandbox: Sandbox) =>
  sandbox.callbacks.map(({ at, paymentStatus, attempt, response, error }) => [
    at - SIGNED_AT,
    paymentStatus,
    attempt,
    response ?? error,
  ])

describe('callbacks', () => {
  test('are sent at every change of status, and carry nothing', async () => {
    const { sandbox, sent } = answering([])
    await accept(sandbox)
    expect(sent).toEqual([])
    await sandbox.clock.advance(1000)
    expect(attempts(sandbox)).toEqual([
      [0, 'PENDING', 1, 200],
      [1000, 'SUCCESS', 1, 200],
    ])
    expect(sandbox.callbacks[0]).toMatchObject({ kind: 'payout', id: 'one', url: callbackUrl })
    expect(sent.map(({ url, body, headers }) => [url, body, headers['content-type']])).toEqual([
      [callbackUrl, '{}', 'application/json'],
      [callbackUrl, '{}', 'application/json'],
    ])
  })

  test('are not sent for a payment that was created without a callbackUrl', async () => {
    const { sandbox, sent } = answering([])
    await accept(sandbox, 'one', null)
    await sandbox.clock.advance(1000)
    expect(sent.map(({ url }) => url)).toEqual([])
  })

  test('are sent again until a 2xx answers, with growing gaps and a bound', async () => {
    const { sandbox } = answering([500, new Error('refused'), 302, 204], {
      callbackTries: 3,
      pendingAfterMs: 100,
    })
    await accept(sandbox)
    await sandbox.clock.advance(999)
    sandbox.payouts.get('one').setStatus('PENDING')
    await sandbox.clock.advance(86_400_000)
    expect(attempts(sandbox)).toEqual([
      [100, 'PENDING', 1, 500],
      [1000, 'SUCCESS', 1, 'refused'],
      [1100, 'PENDING', 2, 302],
      [2000, 'SUCCESS', 2, 204],
      [3100, 'PENDING', 3, 200],
    ])
  })

  test('can be sent again by hand, and follow what is changed by hand', async () => {
    const { sandbox } = answering([], { payAfterMs: false })
    await accept(sandbox)
    await sandbox.clock.advance(0)
    sandbox.payouts.get('one').setStatus('FAILED')
    sandbox.payouts.get('one').sendCallback()
    await sandbox.idle()
    expect(attempts(sandbox).map(([, status]) => status)).toEqual(['PENDING', 'FAILED', 'FAILED'])
  })

  test('have the content that the option gives', async () => {
    const { sandbox, sent } = answering([], { callbackBody: ({ kind }) => ({ event: `${kind}.changed` }) })
    await accept(sandbox)
    await sandbox.clock.advance(0)
    expect(sent[0]?.body).toBe('{"event":"payout.changed"}')
  })

  test('that nobody answers are given up when the sandbox is closed', async () => {
    const sandbox = stillSandbox({ deliver: () => new Promise(() => {}) })
    await accept(sandbox)
    sandbox.payouts.get('one').pay()
    let isIdle = false
    const idle = sandbox.idle().then(() => {
      isIdle = true
    })
    await turns()
    expect(isIdle).toBe(false)
    await sandbox.close()
    await idle
    expect(sandbox.callbacks.map(({ error }) => error)).toEqual(['The sandbox was closed.'])
  })

  test('that are answered too late count as failed', async () => {
    const sandbox = stillSandbox({
      deliver: () => new Promise(() => {}),
      callbackTimeoutMs: 1,
      callbackTries: 1,
    })
    await accept(sandbox)
    await sandbox.clock.advance(0)
    expect(sandbox.callbacks.map(({ error }) => error)).toEqual(['No response within 1 ms.'])
  })

  test('never applyFault the engine, not even when their making fails', async () => {
    const { sandbox } = answering([], {
      callbackTries: 1,
      callbackBody: () => {
        throw new Error('oh')
      },
    })
    await accept(sandbox)
    await sandbox.clock.advance(1000)
    expect(sandbox.payouts.get('one').status).toBe('SUCCESS')
    expect(sandbox.callbacks.map(({ error }) => error)).toEqual(['oh', 'oh'])
  })

  test('go over HTTP by default: a POST, and a redirect is not followed', async () => {
    const seen: unknown[] = []
    const shop = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        seen.push([
          request.method,
          request.url,
          request.headers['content-type'],
          Buffer.concat(chunks).toString(),
        ])
        response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/elsewhere' }).end('thanks')
      })
    })
    const origin = `http://127.0.0.1:${await listen(shop)}`
    const sandbox = stillSandbox({ payAfterMs: false, callbackTries: 1 })
    await accept(sandbox, 'one', `${origin}/cb?x=1`)
    await accept(sandbox, 'two', `${origin}/moved`)
    await accept(sandbox, 'three', 'http://127.0.0.1:9/')
    await sandbox.clock.advance(0)
    shop.closeAllConnections()
    await new Promise((resolve) => shop.close(resolve))
    expect(seen.sort()).toEqual([
      ['POST', '/cb?x=1', 'application/json', '{}'],
      ['POST', '/moved', 'application/json', '{}'],
    ])
    expect(sandbox.callbacks.map(({ id, response, error }) => [id, response ?? error])).toEqual([
      ['one', 200],
      ['two', 302],
      ['three', expect.stringContaining('fetch failed')],
    ])
  })

  test('do not pile up without bound when nobody takes them', async () => {
    let most = 0
    let now = 0
    const deliver = async () => {
      now += 1
      most = Math.max(most, now)
      await turns()
      now -= 1
      return { status: 200 }
    }
    const sandbox = createSandbox({ clock: 'virtual', rateLimit: false, merchantSecret: 's', deliver })
    const body = JSON.stringify({ merchantCode: 'SANDBOX-MERCHANT', secret: 's', operations: ['POST /.*'] })
    const headers = { accept: 'application/json', 'x-api-version': '2', 'content-type': 'application/json' }
    const minted = await sandbox.fetch(`${ORIGIN}/auth-tokens`, { method: 'POST', headers, body })
    const { token } = Object(await minted.json())
    const init = create(String(token), paymentBody({ callbackUrl }))
    for (let id = 0; id < 300; id += 1) await sandbox.fetch(`${ORIGIN}/payouts/${id}`, init)
    for (const payout of sandbox.payouts.list()) payout.pay()
    await sandbox.idle()
    expect(most).toBe(50)
    expect(sandbox.callbacks).toHaveLength(300)
  })
})

test('by the network, the beginning of the response is kept, and a response whose body never ends is one', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(500)
    if (request.url === '/endless') response.write('half')
    else response.end('x'.repeat(9000))
  })
  const port = await listen(server)
  const sandbox = stillSandbox({ callbackTries: 1, payAfterMs: false })
  await accept(sandbox, 'long', `http://127.0.0.1:${port}/long`)
  await accept(sandbox, 'endless', `http://127.0.0.1:${port}/endless`)
  await sandbox.clock.advance(1)
  await sandbox.idle()
  const answers = sandbox.callbacks.map(({ id, response, responseBody }) => [id, response, responseBody])
  expect(answers).toEqual([
    ['long', 500, 'x'.repeat(2048)],
    ['endless', 500, 'half'],
  ])
  await sandbox.close()
  server.closeAllConnections()
  server.close()
})
