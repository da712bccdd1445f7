import { describe, expect, test, vi } from 'vitest'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient, isPaid, statusOf } from '../../src/index.js'
import { keepingLogger, shown } from '../client/observe/support.js'
import { turns, until } from '../support/turns.js'
import { createPayin, lookUpsAt, payinRequest, publicUrl, secret, shop, straightTo } from './support.js'

/** A shop whose callbacks reach its receiver. */
function connected() {
  const merchant = shop({ sandbox: { deliver: straightTo(() => merchant.receiver) } })
  return merchant
}

describe('create', () => {
  test('gets a callbackUrl by itself where the request has none', async () => {
    await using merchant = shop()
    const { sandbox, client, receiver } = merchant
    await client.payins.create(payinRequest('order-1'))
    const payout = {
      paymentRequested: payinRequest('order-1').paymentRequested,
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123' } },
    }
    const { idPayout } = await client.payouts.create(payout)
    expect(sandbox.payins.get('order-1').callbackUrl).toBe(receiver.urlFor({ idPayin: 'order-1' }))
    expect(sandbox.payouts.get(idPayout).callbackUrl).toBe(receiver.urlFor({ idPayout }))
    expect(receiver.urlFor({ idPayout })).toMatch(`${publicUrl}/2.`)
  })

  test('keeps the callbackUrl that the request has', async () => {
    await using merchant = shop()
    const { sandbox, client } = merchant
    const callbackUrl = 'https://elsewhere.example/callbacks'
    await client.payins.create({ ...payinRequest('order-1'), callbackUrl })
    expect(sandbox.payins.get('order-1').callbackUrl).toBe(callbackUrl)
  })

  test('names the only receiver of its client: a second one is refused', async () => {
    await using merchant = shop()
    const { sandbox, client } = merchant
    const other = { client, publicUrl: 'https://other.example', secrets: [secret], onPayin: () => {} }
    expect(() => new CallbackReceiver(other)).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'client' }),
    )
    await client.payins.create(payinRequest('order-1'))
    expect(sandbox.payins.get('order-1').callbackUrl).toMatch(`${publicUrl}/2.`)
  })
})

test('a lookup tells once when it goes out, and waits for no permit any more', async () => {
  await using merchant = shop()
  await createPayin(merchant, 'order-1', 'http://127.0.0.1:9')
  await using client = new GatewayClient({ ...merchant.sandbox.clientOptions(), rateLimit: false })
  const port = client.attachCallbacks({ urlFor: () => '', arrive: () => false })
  const events: string[] = []
  await port.payin.lookUp('order-1', 'callback', {}, () => events.push('sent'))
  expect([...events, 'answered']).toEqual(['sent', 'answered'])
})

test('twenty-five good payins, waited for and told of by callbacks within the rate limit, leave nothing in the log', async () => {
  const { logger, lines } = keepingLogger()
  const merchant = shop({
    sandbox: { deliver: straightTo(() => merchant.receiver), payAfterMs: 1000, rateLimit: 10 },
    client: { logger, rateLimit: 10, live: false },
  })
  await using _ = merchant
  const { client, delivered } = merchant
  // The token takes its time, of which the clock of this test knows nothing.
  await client.payins.paymentOptions(payinRequest('').paymentRequested.money)
  const sinceStart = performance.now()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  // This clock begins at 0, and the limiter knows of a request at another time.
  vi.advanceTimersByTime(sinceStart)
  let paid = 0
  const buy = async (idPayin: string) => {
    await client.payins.create(payinRequest(idPayin))
    if (isPaid(await client.payins.waitFor(idPayin, { maxWaitMs: 300_000 }))) paid++
  }
  const all = Promise.all(Array.from({ length: 25 }, (_, n) => buy(`order-${n}`)))
  while (paid < 25) {
    await vi.advanceTimersByTimeAsync(20)
    await turns()
  }
  await all
  vi.useRealTimers()
  expect(delivered.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0)
  expect(lines.some((line) => line.includes('payins.retrieve was not needed any more'))).toBe(true)
  expect(shown(lines)).toEqual([])
})

test('a callback that arrives before create has returned waits for nothing and loses nothing', async () => {
  await using merchant = shop({ sandbox: { deliver: straightTo(() => merchant.receiver) } })
  const { sandbox, client, delivered } = merchant
  sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'delay', ms: 30 } })
  let returned = false
  const creating = client.payins.create(payinRequest('order-1')).then(() => {
    returned = true
  })
  await until(() => sandbox.payins.find('order-1') !== undefined)
  sandbox.payins.get('order-1').pay()
  await sandbox.idle()
  expect(returned).toBe(false)
  expect(sandbox.callbacks.at(-1)).toMatchObject({ paymentStatus: 'SUCCESS', response: 204 })
  expect(delivered.at(-1)).toEqual({ id: 'order-1', status: 'SUCCESS', isNew: true })
  await creating
})

describe('a callback', () => {
  test('hands the payment to waitFor at once, as it was looked up for the callback', async () => {
    await using merchant = connected()
    const { sandbox, client } = merchant
    await createPayin(merchant, 'order-1')
    const paid = client.payins.waitFor('order-1', { maxWaitMs: 60_000 })
    await vi.waitFor(() => expect(lookUpsAt(sandbox)).toBe(2))
    sandbox.payins.get('order-1').pay()
    expect(statusOf(await paid)).toBe('SUCCESS')
    expect(lookUpsAt(sandbox)).toBe(3)
  })

  test('hands it to whoever still waits when another wait for it was ended, and ended again', async () => {
    await using merchant = connected()
    const { sandbox, client } = merchant
    await createPayin(merchant, 'order-1')
    const ended = client.payins.watch('order-1', { maxWaitMs: 60_000 })
    const { value: seen } = await ended.next()
    await ended.return?.(seen)
    const paid = client.payins.waitFor('order-1', { maxWaitMs: 60_000 })
    await vi.waitFor(() => expect(lookUpsAt(sandbox)).toBe(3))
    await ended.return?.(seen)
    sandbox.payins.get('order-1').pay()
    expect(statusOf(await paid)).toBe('SUCCESS')
    expect(lookUpsAt(sandbox)).toBe(4)
  })

  test('hands it to watch at every change', async () => {
    await using merchant = connected()
    const { sandbox, client } = merchant
    await createPayin(merchant, 'order-1')
    const payin = sandbox.payins.get('order-1')
    const next = ['REVIEW', 'SUCCESS']
    const seen: (string | undefined)[] = []
    for await (const found of client.payins.watch('order-1', { maxWaitMs: 60_000 })) {
      seen.push(statusOf(found))
      const status = next.shift()
      if (status !== undefined) payin.setStatus(status)
    }
    expect(seen).toEqual(['PENDING', 'REVIEW', 'SUCCESS'])
  })

  test('lets waits poll more slowly, while callbacks bring news', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const polls = async (callbacksArrive: boolean) => {
      await using merchant = shop()
      const { sandbox, client, receiver } = merchant
      for (const id of ['order-1', 'order-2']) await createPayin(merchant, id, 'http://127.0.0.1:9')
      if (callbacksArrive) await receiver.receive(receiver.urlFor({ idPayin: 'order-2' }))
      sandbox.clearLogs()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const controller = new AbortController()
      const { signal } = controller
      const waiting = client.payins.waitFor('order-1', { maxWaitMs: 600_000, signal }).catch(() => undefined)
      for (let second = 0; second < 60; second++) {
        await vi.advanceTimersByTimeAsync(1000)
        await turns()
      }
      controller.abort()
      await waiting
      vi.useRealTimers()
      return lookUpsAt(sandbox)
    }
    const [alone, beside] = [await polls(false), await polls(true)]
    expect([alone, beside]).toEqual([10, 7])
  })
})
