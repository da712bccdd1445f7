import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../src/index.js'
import {
  create,
  JSON_HEADERS,
  masterToken,
  mint,
  ORIGIN,
  paymentBody,
  privatePem,
  signatureOf,
  stillSandbox,
  tokenRequest,
} from './support.js'

describe('options', () => {
  test.each<[string, unknown]>([
    ['publicKeys', privatePem],
    ['customerAccountPath', 'payins/{idPayin}'],
    ['rateLimit', true],
    // A sliding window keeps a place for each request.
    ['rateLimit', 1_000_000_000],
    ['pendingAfterMs', Number.NaN],
    ['expireAfterMs', Number.POSITIVE_INFINITY],
    ['startAt', new Date(Number.NaN)],
    ['balances', { EUR: '1' }],
    ['toString', 1],
  ])('%s: %j is refused by name', (name, value) => {
    expect(() => createSandbox({ [name]: value })).toThrow(name)
  })

  test('a value that is refused is not shown, because it may be a key', () => {
    expect(() => createSandbox({ privateKey: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })

  test('undefined is the same as leaving an option out', () => {
    expect(() => createSandbox(JSON.parse('{}', () => ({ rateLimit: undefined })))).not.toThrow()
  })
})

describe('the key', () => {
  test('is RSA with 2048 bits, and made once for all sandboxes of a process that are given none', () => {
    const [a, b] = [createSandbox(), createSandbox()]
    const key = a.clientOptions().privateKey
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(a.clientOptions().privateKey).toBe(key)
    expect(b.clientOptions().privateKey).toBe(key)
    expect(createSandbox({ privateKey: privatePem }).clientOptions().privateKey.equals(key)).toBe(false)
  })
})

describe('a seed with a key, a start and the virtual clock', () => {
  const run = async (seed: number | string = 7) => {
    const bodies: string[] = []
    const deliver = async ({ body }: { body: string }) => {
      bodies.push(body)
      return { status: bodies.length % 2 === 0 ? 200 : 500 }
    }
    const sandbox = stillSandbox({ seed, deliver, payJitterMs: 900, rateLimit: 8, retryAfter: 'date' })
    const init = create(await masterToken(sandbox), paymentBody({ callbackUrl: 'https://shop.example/' }))
    sandbox.fault({ route: '*', times: 50, probability: 0.4, action: { kind: 'html' } })
    for (let id = 0; id < 20; id += 1) {
      const response = await sandbox.fetch(`${ORIGIN}/payins/${id}`, init)
      bodies.push(JSON.stringify([response.status, ...response.headers, await response.text()]))
      await sandbox.clock.advance(60)
    }
    await sandbox.clock.advance(10_000)
    const { requests, callbacks, payins } = sandbox
    return JSON.stringify([bodies, requests, callbacks, payins.list().map(({ history }) => history)])
  }

  test('makes a whole run repeat to the byte', async () => {
    expect(await run()).toBe(await run())
    expect(await run('seven')).toBe(await run('seven'))
    expect(await run(8)).not.toBe(await run())
  })
})

describe('the request log', () => {
  test('has every arrival in order, with route, verdict and id', async () => {
    const sandbox = stillSandbox()
    const token = await masterToken(sandbox)
    await sandbox.clock.advance(5)
    await sandbox.fetch(`${ORIGIN}/payouts/a%20b?x=1`, create(token))
    await sandbox.fetch(`${ORIGIN}/payouts/a%20b`, create(token))
    await sandbox.fetch(`${ORIGIN}/nowhere`, { headers: JSON_HEADERS })
    sandbox.fault({ route: '*', action: { kind: 'drop-after' } })
    await sandbox.fetch(`${ORIGIN}/payins/c`, create(token)).catch(() => {})
    const start = sandbox.requests[0]?.at ?? 0
    expect(
      sandbox.requests.map(({ at, method, path, route, status, verdict, fault, idPayin, idPayout }) => [
        at - start,
        ...[method, path, route, status, verdict, fault, idPayin, idPayout].map((one) => one ?? ''),
      ]),
    ).toEqual([
      [0, 'POST', '/auth-tokens', 'POST /auth-tokens', 200, 'OK', '', '', ''],
      [5, 'POST', '/payouts/a%20b?x=1', 'POST /payouts/{idPayout}', 200, 'OK', '', '', 'a b'],
      [5, 'POST', '/payouts/a%20b', 'POST /payouts/{idPayout}', 409, 'ALREADY_ACCEPTED', '', '', 'a b'],
      [5, 'GET', '/nowhere', '', 404, 'NOT_FOUND', '', '', ''],
      [5, 'POST', '/payins/c', 'POST /payins/{idPayin}', 200, 'OK', 'drop-after', 'c', ''],
    ])
  })

  test('keeps the body to the byte for those who ask for it', async () => {
    const sandbox = stillSandbox()
    const body = paymentBody().replace('"amount":100', '"amount": 100.50')
    await sandbox.fetch(`${ORIGIN}/payins/one`, create(await masterToken(sandbox), body))
    expect(sandbox.requests.at(-1)?.bodyText).toBe(body)
    expect(Buffer.from(sandbox.requests.at(-1)?.bodyBytes ?? []).equals(Buffer.from(body))).toBe(true)
  })
})

describe('secrets', () => {
  test('are in nothing that a sandbox prints', async () => {
    const sandbox = stillSandbox({ merchantSecret: 'the-merchant-secret' })
    const token = await mint(sandbox, { operations: ['POST /.*'] })
    const secret = JSON.stringify({
      merchantCode: 'M-0001',
      secret: 'the-merchant-secret',
      operations: ['GET /x'],
    })
    const headers = { ...JSON_HEADERS, 'content-type': 'application/json', cookie: 'the-cookie' }
    await sandbox.fetch(`${ORIGIN}/auth-tokens`, { method: 'POST', headers, body: secret })
    await sandbox.fetch(
      `${ORIGIN}/payouts/one`,
      create(token, paymentBody({ callbackUrl: 'http://127.0.0.1:9/' })),
    )
    await sandbox.clock.advance(0)
    const signature = signatureOf(tokenRequest(sandbox, { operations: ['POST /.*'] }).body)
    const keyLines = privatePem.split('\n').filter((line) => line.length > 40)
    const handle = sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
    const things = [
      ...[
        sandbox,
        sandbox.requests,
        sandbox.callbacks,
        sandbox.payouts,
        sandbox.payouts.list(),
        sandbox.clock,
      ],
      ...[sandbox.clientOptions(), handle],
    ]
    for (const thing of things) {
      const printed =
        inspect(thing, { depth: 20, showHidden: true, getters: false }) +
        JSON.stringify(thing) +
        String(thing)
      for (const canary of [
        token,
        signature,
        'the-merchant-secret',
        'the-cookie',
        '0123456789',
        ...keyLines,
      ]) {
        expect(printed).not.toContain(canary)
      }
    }
    expect(sandbox.requests.map(({ headers }) => [headers.authorization, headers['x-signature']])).toEqual([
      [undefined, '[redacted]'],
      [undefined, undefined],
      ['[redacted]', undefined],
    ])
    expect(inspect(sandbox)).toContain('M-0001')
  })
})
