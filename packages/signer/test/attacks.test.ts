import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { tokenBucket } from '../src/server.js'
import { heist, stealAll } from './thief.js'

/** What the policy allows in a day, in EUR. */
const cap = 1000

describe('whoever has the socket and not the key', () => {
  test('gets what the policy allows in a day, and not a cent more', async () => {
    await using scene = await heist()
    await stealAll(scene, 60)
    expect(scene.thief.loot()).toBe(cap)
    expect(await scene.thief.steal({ id: 'one-more', amount: 0.01 })).toBe('most-in-day')
  })

  test('can send no other amount than the token says', async () => {
    await using scene = await heist()
    const token = await scene.thief.token(scene.thief.requestFor({ id: 'w-1', amount: 10 }))
    expect(await scene.thief.pay(token, { id: 'w-1', amount: 5000 })).toBe(403)
    expect(await scene.thief.pay(token, { id: 'w-1', amount: 10, currencyCode: 'USD' })).toBe(403)
    expect(scene.thief.loot() + scene.thief.loot('USD')).toBe(0)
  })

  test('can have no other bytes than the signed ones taken', async () => {
    await using scene = await heist()
    const body = scene.thief.requestFor({ id: 'w-1', amount: 10 })
    expect(await scene.thief.token(body, Buffer.from(body.replace('"amount":10', '"amount":99')))).toBe('401')
  })

  test.each([
    'POST /payouts/.*',
    'POST /payouts/w-.',
    'POST /payouts/(w-1|w-2)',
    'POST /payouts/w-1|/payouts/w-2',
    'POST /payouts/w-[0-9]',
    'POST /payouts/w\\d',
    'POST /.*',
    'POST /payouts/w%2D1',
    'POST /payouts/\\w-1',
    'POST /payouts/',
    'POST /payouts/!all',
    'POST /payouts/../payouts/w-1',
    'POST  /payouts/w-1',
    'post /payouts/w-1',
    'PUT /payouts/w-1',
    'POST /payins/.*|/payouts/.*',
    'POST /payins/.*',
  ])('gets no token for the operation %s', async (operation) => {
    await using scene = await heist()
    const { thief } = scene
    const money = { amount: 1, currencyCode: 'EUR' }
    const tokens = [
      await thief.token(thief.request({ operations: [operation], money })),
      await thief.token(thief.request({ operations: [operation] })),
      await thief.token(thief.request({ operations: ['GET /balances', operation] })),
    ]
    for (const token of tokens) expect(token).toMatch(/^(?:operations|payout-limit)$/)
    expect(thief.loot()).toBe(0)
  })

  test('gets no token for two payouts of one sum', async () => {
    await using scene = await heist()
    const { thief } = scene
    const operations = ['POST /payouts/w-1', 'POST /payouts/w-2']
    const token = await thief.token(
      thief.request({ operations, money: { amount: 500, currencyCode: 'EUR' } }),
    )
    expect(token).toBe('payout-limit')
  })

  test('gets a token for an id with characters of patterns, and it opens no other id', async () => {
    await using scene = await heist()
    const { thief } = scene
    const token = await thief.token(
      thief.request({ operations: ['POST /payouts/w\\.1'], money: { amount: 5, currencyCode: 'EUR' } }),
    )
    expect(await thief.pay(token, { id: 'w-1', amount: 5 })).toBe(403)
    expect(await thief.pay(token, { id: 'w.1', amount: 5 })).toBe(200)
    expect(thief.loot()).toBe(5)
  })

  test('makes no payout with a token to create a payin of the same id', async () => {
    await using scene = await heist()
    const { thief } = scene
    const token = await thief.token(thief.request({ action: 'PAYIN_CREATE', idPayment: 'w-1' }))
    expect(await thief.pay(token, { id: 'w-1', amount: 500 })).toBe(403)
    expect(await thief.token(thief.request({ action: 'PAYOUT_CREATE', idPayment: 'w-1' }))).toBe('operations')
    expect(thief.loot()).toBe(0)
  })

  test.each(['eur', 'EURO', 'EUR ', 'ＥＵＲ', '', 'USD', '__proto__'])(
    'gets nothing in the currency %j',
    async (code) => {
      await using scene = await heist()
      expect(await scene.thief.steal({ id: 'w-1', amount: 1, currencyCode: code })).toMatch(
        /^(?:unreadable|currency)$/,
      )
    },
  )

  const amounts =
    '1e3 1E3 1e-7 1e21 10.00 0.1000000000000000055511151231257827 100000000000000000000000000000'
  const more = '499.999999999999999999999999999999 123456789.1234567 0 -5 "5" 5.0 05'

  test.each([...amounts.split(' '), ...more.split(' ')])(
    'gets no token for an amount that is written %s',
    async (amount) => {
      await using scene = await heist()
      const body = scene.thief.requestFor({ id: 'w-1', amount: 777 }).replace('777', amount)
      expect(await scene.thief.token(body)).toBe('unreadable')
    },
  )

  test.each<readonly [string, (body: string) => string]>([
    ['a key twice', (body) => body.replace('{"amount":10', '{"amount":10,"amount":900')],
    [
      'a key twice, escaped',
      (body) => body.replace('"money"', '"\\u006doney":{"amount":900,"currencyCode":"EUR"},"money"'),
    ],
    ['a field of its own', (body) => body.replace('"timestamp"', '"general":true,"timestamp"')],
    ['a prototype', (body) => body.replace('"timestamp"', '"__proto__":{"secret":1},"timestamp"')],
    [
      'another order',
      (body) => body.replace(/^\{("merchantCode":"[^"]*"),/, '{').replace(/\}$/, ',"merchantCode":"x"}'),
    ],
    ['spaces', (body) => body.replace(':10', ': 10')],
    ['a line behind it', (body) => `${body}\n`],
    ['a mark before it', (body) => `\ufeff${body}`],
    ['no money', (body) => body.replace(/"money":\{[^}]*\},/, '')],
    ['an action too', (body) => body.replace('"money"', '"action":"PAYIN_INFO","idPayment":"x","money"')],
    ['sixteen thousand bytes', (body) => body.replace('w-1', 'w'.repeat(17_000))],
  ])('gets no token by a body with %s', async (_, change) => {
    await using scene = await heist()
    const { thief } = scene
    expect(await thief.token(change(thief.requestFor({ id: 'w-1', amount: 10 })))).toMatch(
      /^(?:unreadable|operations|payout-limit|no signature)$/,
    )
    expect(thief.loot()).toBe(0)
  })

  test('gets no token that lives long, is of tomorrow, or is of another merchant', async () => {
    await using scene = await heist()
    const { thief, sandbox } = scene
    const body = thief.requestFor({ id: 'w-1', amount: 10 })
    expect(await thief.token(body.replace(/"validitySecs":\d+/, '"validitySecs":86400'))).toBe('validity')
    expect(await thief.token(body.replace(/"merchantCode":"[^"]+"/, '"merchantCode":"another"'))).toBe(
      'merchant',
    )
    const tomorrow = String(Math.floor(sandbox.clock.now() / 1000) + 86_400)
    expect(await thief.token(body.replace(/"timestamp":\d+/, `"timestamp":${tomorrow}`))).toBe('timestamp')
  })

  test('gets nothing by having the same request signed and taken again', async () => {
    await using scene = await heist()
    const { thief } = scene
    const body = thief.requestFor({ id: 'w-1', amount: 400 })
    for (let n = 0; n < 20; n++) await thief.pay(await thief.token(body), { id: 'w-1', amount: 400 })
    expect(thief.loot()).toBe(400)
    // All of it counted once.
    expect(await thief.steal({ id: 'w-2', amount: 500 })).toBe(200)
    expect(thief.loot()).toBe(900)
  })

  test('gets no more at the cap by asking a hundred times at once', async () => {
    await using scene = await heist()
    const ids = Array.from({ length: 100 }, (_, n) => `race-${n}`)
    await Promise.all(ids.map((id) => scene.thief.steal({ id, amount: 300 })))
    expect(scene.thief.loot()).toBe(900)
  })

  test('gains nothing by a clock that is turned back', async () => {
    await using scene = await heist({ policy: { hours: { from: '00:00', to: '23:59' } } })
    await stealAll(scene, 4)
    for (const ms of [61_000, 3_600_000, 40 * 86_400_000]) {
      scene.turnBack(ms)
      expect(await scene.thief.steal({ id: `back-${ms}`, amount: 1 })).toBe('clock')
    }
    await scene.restart()
    expect(await scene.thief.steal({ id: 'back-again', amount: 1 })).toBe('clock')
    scene.turnBack(0)
    expect(await scene.thief.steal({ id: 'right', amount: 1 })).toBe('most-in-day')
    expect(scene.thief.loot()).toBe(cap)
  })

  test('can flood the socket with connections, and gets no more by it', async () => {
    await using scene = await heist()
    const idle = Array.from({ length: 200 }, () => connect(scene.socket).on('error', () => {}))
    await stealAll(scene, 5)
    for (const socket of idle) socket.destroy()
    await stealAll(scene, 5, 'after')
    expect(scene.thief.loot()).toBe(cap)
  })

  test('gets a hundred responses at once, and twenty a second from then on', () => {
    let nowMs = 0
    const mayAsk = tokenBucket(20, 100, () => nowMs)
    const answered = () => Array.from({ length: 500 }, mayAsk).filter(Boolean).length
    expect(answered()).toBe(100)
    nowMs += 1000
    expect(answered()).toBe(20)
  })
})
