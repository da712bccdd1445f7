import { createServer } from 'node:http'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../../test/support/listening.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { judgeLiveCallback, judgeLiveGateway } from '../../src/doctor/judge-live.js'
import { runHere } from '../here.js'
import { type Environment, secrets } from '../support.js'

describe('the checklist of going live', () => {
  test.each([
    ['https://gateway.example', 'ok'],
    ['https://localhost:8443', 'fail'],
    ['http://127.0.0.1:4010', 'fail'],
  ])('the gateway %s: %s', (url, verdict) => {
    expect(judgeLiveGateway(new URL(url)).verdict).toBe(verdict)
  })

  test('a callback is right only where the shop took it at an address that the gateway can reach', () => {
    const of = (reply: number | string, isLocalUrl = false) => judgeLiveCallback(reply, isLocalUrl).verdict
    expect(of(204)).toBe('ok')
    expect([of(204, true), of(404), of(500), of(503), of('nobody')]).toEqual(Array(5).fill('fail'))
  })
})

describe('doctor --live', () => {
  const sandbox = createSandbox({ rateLimit: false, payAfterMs: 0 })
  const secret = 'canary-of-32-bytes-or-more-0123456789'
  const shop = createServer((request, response) => void callbacks.node()(request, response))
  const paid: string[] = []
  let callbacks: CallbackReceiver
  let env: Environment

  beforeAll(async () => {
    await sandbox.listen()
    const client = new GatewayClient({ ...sandbox.clientOptions(), live: true })
    const publicUrl = `http://127.0.0.1:${await listen(shop)}/callbacks`
    const onPayin = (_: unknown, { idPayin }: { readonly idPayin: string }) => void paid.push(idPayin)
    callbacks = new CallbackReceiver({ client, publicUrl, secrets: [secret], onPayin })
    // The sandbox's payments are tests, so the payin is made without the shop's client.
    await using buyer = new GatewayClient(sandbox.clientOptions())
    await buyer.payins.create({
      idPayin: 'order-1',
      paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    env = {
      ...environmentOf(sandbox),
      GATEWAY_LIVE: 'true',
      GATEWAY_CALLBACK_SECRET: secret,
      GATEWAY_CALLBACK_URL: publicUrl,
    }
  })
  afterAll(async () => {
    shop.close()
    await sandbox.close()
  })

  /** The lines of the checklist alone. */
  async function checklist(args: readonly string[], change: Environment = {}): Promise<string[]> {
    const { stdout } = await runHere(['doctor', '--live', ...args], { ...env, ...change })
    for (const one of secrets) expect(stdout).not.toMatch(one)
    return stdout.split('\n').filter((line) => /^\w+ +(?:live |budget|alarms)/.test(line))
  }

  test('ticks what it has seen, and calls nothing right that it can not know', async () => {
    expect(await checklist([], { GATEWAY_LIVE: 'false' })).toEqual([
      'fail  live gateway  the base URL is no https address of another machine',
      'fail  live option   GATEWAY_LIVE is not true',
      'skip  live payin    not checked: give --payin ID of a payin that you have paid yourself at this gateway',
      'skip  live callback not checked: it needs the payin, GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL',
      'skip  budget        not checked: that all processes share one budget; a single process needs none',
      'skip  alarms        not checked: that somebody is called for the alarms of docs/alerts.md',
    ])
    expect(paid).toEqual([])
  })

  test('a test payment is none that moves money, and a shop for live money does not take it', async () => {
    const lines = await checklist(['--payin', 'order-1'])
    expect(lines.slice(1, 4)).toEqual([
      'ok    live option   GATEWAY_LIVE=true: a test payment never counts as paid',
      'fail  live payin    SUCCESS, but a test payment (isTest: true): no money moves here',
      expect.stringMatching(/^fail {2}live callback the shop answered 50[03]$/),
    ])
  })

  test('a payin that does not say whether it is real is not checked', async () => {
    const fault = sandbox.fault({
      route: 'GET /payins/{idPayin}',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'mutate', change: { process: { isTest: null } } },
    })
    const lines = await checklist(['--payin', 'order-1'])
    fault.remove()
    expect(lines[2]).toMatch(/^skip {2}live payin +not checked: SUCCESS, but it shows no isTest/)
  })

  test('a real payin and its callback go through the shop that runs', async () => {
    const real = { process: { isTest: false } }
    const route = 'GET /payins/{idPayin}'
    sandbox.fault({ route, times: Number.POSITIVE_INFINITY, action: { kind: 'mutate', change: real } })
    const lines = await checklist(['--payin', 'order-1'])
    expect(lines.slice(2, 4)).toEqual([
      'ok    live payin    SUCCESS, and real money (isTest: false)',
      'fail  live callback the shop answered 204, but at an address of this machine',
    ])
    expect(paid).toEqual(['order-1'])
    const other = { GATEWAY_CALLBACK_SECRET: 'canary-of-another-32-bytes-or-more-012345' }
    expect((await checklist(['--payin', 'order-1'], other))[3]).toBe(
      'fail  live callback the shop answered 404: it does not know the signature of the address',
    )
    expect(sandbox.payins.list()).toHaveLength(1)
  })

  test('--payin without --live is refused', async () => {
    expect(await runHere(['doctor', '--payin', 'order-1'])).toMatchObject({ code: 2, stdout: '' })
  })
})
