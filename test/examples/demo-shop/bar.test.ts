import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { root } from '../../support/root.js'

// Each test waits for a process that starts.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const patient = { interval: 20, timeout: 60_000 }

let demo: ChildProcess
let url = ''

beforeAll(async () => {
  demo = spawn(process.execPath, ['examples/demo-shop/start.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SHOP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    demo.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('Ctrl-C')) resolve()
    })
    demo.on('exit', () => reject(new Error(`The demo ended and said: ${text}`)))
  })
  url = /http:\/\/127\.0\.0\.1:\d+(?=\/demo\/)/.exec(text)?.[0] ?? ''
})
afterAll(async () => {
  const ended = once(demo, 'exit')
  demo.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

interface State {
  readonly orders: number
  readonly payins: number
  readonly sold: number
  readonly payouts: number
  readonly isByHand: boolean
  readonly isRunning: boolean
}

async function state(): Promise<State> {
  const found: State = JSON.parse(await (await fetch(`${url}/demo/state`)).text())
  return found
}

async function post(path: string, body: unknown = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** One order with a lost response and a repeated callback. */
async function orderWithAccidents(): Promise<void> {
  await post('/demo/lose')
  await post('/demo/repeat')
  await post(`/orders/${randomUUID()}`, { quantity: 2 })
}

test('one order, with a lost response, a repeated callback and a kill, is one payin and one payout', async () => {
  await orderWithAccidents()
  await expect.poll(state, patient).toMatchObject({ orders: 1, payins: 1, sold: 1, payouts: 1 })
  await post('/demo/kill')
  expect((await state()).isRunning).toBe(false)
  await expect
    .poll(state, patient)
    .toMatchObject({ isRunning: true, orders: 1, payins: 1, sold: 1, payouts: 1 })
})

test('without merchant-gateway the same is one order with more payments, and both sides begin anew', async () => {
  await post('/demo/by-hand')
  expect(await state()).toMatchObject({ orders: 0, payins: 0, sold: 0, payouts: 0 })
  await expect.poll(state, patient).toMatchObject({ isByHand: true, isRunning: true })
  await orderWithAccidents()
  await expect.poll(state, patient).toMatchObject({ orders: 1, payins: 2, sold: 1 })
  await expect.poll(async () => (await state()).payouts, patient).toBeGreaterThan(1)
  await post('/demo/with-library')
  await expect.poll(state, patient).toMatchObject({ orders: 0, isByHand: false, isRunning: true })
})

/** What `fetch` doesn't let a program send. */
async function statusOf(method: string, path: string, headers: Record<string, string>): Promise<unknown> {
  const sent = request(url + path, { method, headers }).end(method === 'POST' ? '{}' : undefined)
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

const json = { 'content-type': 'application/json' }
test.each([
  ['a site that is open in the same browser', { 'sec-fetch-site': 'cross-site' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['a site of another origin', { origin: 'https://evil.example' }],
  ['a name that another site points to this machine', { host: 'evil.example' }],
])(
  '%s reads and presses nothing, neither in the bar nor in the shop nor at the gateway',
  async (_, headers) => {
    for (const path of ['/demo/', '/demo/state', '/', '/_sandbox/', '/_sandbox/api/payments']) {
      expect(await statusOf('GET', path, headers), path).toBe(403)
    }
    for (const path of ['/demo/kill', `/orders/${randomUUID()}`, '/_sandbox/api/reset']) {
      expect(await statusOf('POST', path, { ...json, ...headers }), path).toBe(403)
    }
    expect(await state()).toMatchObject({ isRunning: true, orders: 0 })
  },
)

test('what a form of another site can send presses nothing', async () => {
  await statusOf('POST', '/demo/kill', { 'content-type': 'text/plain' })
  expect((await state()).isRunning).toBe(true)
})

test('no other site can frame what this server shows', async () => {
  for (const path of ['/demo/', '/', '/_sandbox/']) {
    const { headers } = await fetch(url + path)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'self'")
  }
})
