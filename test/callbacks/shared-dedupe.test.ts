import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallbackReceiverOptions, DedupeStore, DeliveredStatus } from '../../src/callbacks/index.js'
import { sharedDedupe } from './shop.js'
import { FakeClient, receiverOver, succeeded, withStatus } from './support.js'

beforeEach(() => void vi.useFakeTimers())
const fall = () => {
  throw new Error('gone')
}
const step = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

/** Two processes of a shop that share a store; the first is busy with ten other lookups. */
async function twoProcesses() {
  const seen = sharedDedupe()
  const [busy, free] = [new FakeClient(), new FakeClient()]
  const first = receiverOver(busy, { dedupe: seen })
  const second = receiverOver(free, { dedupe: seen })
  for (let n = 0; n < 10; n++) void first.call(`other-${n}`)
  await step()
  const goOn = async () => {
    for (const lookUp of busy.lookups.slice(0, 10)) lookUp.answer(withStatus('PENDING'))
    await step()
  }
  const asked = (client: FakeClient) => client.lookups.filter(({ id }) => id === 'order-1')
  return { busy, free, first, second, goOn, asked }
}

describe('a callback that has waited for its lookup', () => {
  test('costs none where another process has looked since it came, and wakes who waits', async () => {
    const { busy, free, first, second, goOn, asked } = await twoProcesses()
    const called = first.call()
    await step()
    free.answer = () => succeeded
    expect(await second.call()).toBe(204)
    await goOn()
    expect(await called).toBe(204)
    expect(asked(busy)).toEqual([])
    expect(busy.woken).toContain('payin:order-1 changed')
    expect([...first.delivered, ...second.delivered].filter(({ id }) => id === 'order-1')).toHaveLength(1)
  })

  test('costs one where the status request of the other process had begun before it came', async () => {
    const { busy, free, first, second, goOn, asked } = await twoProcesses()
    const earlier = second.call()
    await step()
    const called = first.call()
    await step()
    // What the other one saw is older than what this callback tells of.
    free.lookups[0]?.answer(succeeded)
    expect(await earlier).toBe(204)
    await goOn()
    asked(busy)[0]?.answer(withStatus('REVERSED'))
    expect(await called).toBe(204)
    expect(first.delivered.filter(({ id }) => id === 'order-1')).toEqual([
      { id: 'order-1', status: 'REVERSED', isNew: true },
    ])
  })

  test('costs one where a second callback has joined it, after the other process looked', async () => {
    const { busy, free, first, second, goOn, asked } = await twoProcesses()
    const called = first.call()
    await step()
    free.answer = () => succeeded
    await second.call()
    const joined = first.call()
    await goOn()
    asked(busy)[0]?.answer(withStatus('REVERSED'))
    expect(await Promise.all([called, joined])).toEqual([204, 204])
    expect(first.delivered.at(-1)).toEqual({ id: 'order-1', status: 'REVERSED', isNew: true })
  })
})

describe('copies of a callback that reach two processes', () => {
  async function copies(options: Partial<CallbackReceiverOptions> = {}) {
    const dedupe = sharedDedupe()
    const [client, otherClient] = [new FakeClient(), new FakeClient()]
    const first = receiverOver(client, { dedupe, ...options })
    const second = receiverOver(otherClient, { dedupe })
    const calls = [first.call(), second.call()]
    await step()
    return { client, otherClient, first, second, calls }
  }

  test('cost one status request, and both are answered 204 once it is dealt with', async () => {
    const { client, otherClient, first, second, calls } = await copies()
    expect([client.lookups.length, otherClient.lookups.length]).toEqual([1, 0])
    client.lookups[0]?.answer(succeeded)
    await step(200)
    expect(await Promise.all(calls)).toEqual([204, 204])
    expect([first.delivered.length, second.delivered.length]).toEqual([1, 0])
    expect(otherClient.lookups).toEqual([])
  })

  test('are answered 503, and nothing is lost, while it is not dealt with', async () => {
    const { client, otherClient, second, calls } = await copies({ onPayin: () => fall() })
    await step(4000)
    expect(await Promise.all(calls)).toEqual([503, 503])
    client.lookups[0]?.answer(succeeded)
    await step(200)
    // The first one's function has failed: the second one asks by itself.
    otherClient.lookups[0]?.answer(succeeded)
    await step()
    expect(second.delivered).toEqual([{ id: 'order-1', status: 'SUCCESS', isNew: true }])
  })

  test('wait for a process that was killed for no more than a few seconds', async () => {
    const { otherClient, second } = await copies()
    await step(5300)
    expect(otherClient.lookups).toHaveLength(1)
    otherClient.lookups[0]?.answer(succeeded)
    await step()
    expect(second.delivered).toHaveLength(1)
  })

  test('wait no longer where somebody has written into the store that it is claimed for ever', async () => {
    const client = new FakeClient(() => succeeded)
    const { call, delivered } = receiverOver(client, { dedupe: { ...sharedDedupe(), claim: () => 1e9 } })
    void call()
    await step(5300)
    expect(delivered).toHaveLength(1)
  })

  test("don't hide what came after the request: a later one follows the first", async () => {
    const { client, otherClient, first, second, calls } = await copies()
    const changed = second.call()
    await step()
    client.lookups[0]?.answer(withStatus('PENDING'))
    await step(200)
    otherClient.lookups[0]?.answer(succeeded)
    await step()
    expect([...(await Promise.all(calls)), await changed]).toEqual([204, 204, 204])
    expect([first.delivered[0]?.status, second.delivered[0]?.status]).toEqual(['PENDING', 'SUCCESS'])
  })

  test('are answered 204 by a process whose turn has not come, once the other has dealt with it', async () => {
    const { busy, free, first, second } = await twoProcesses()
    const called = first.call()
    await step()
    free.answer = () => succeeded
    await second.call()
    await step(4000)
    expect(await called).toBe(204)
    expect(busy.lookups.filter(({ id }) => id === 'order-1')).toEqual([])
    await first.receiver.drain()
  })
})

describe('of the status requests that wait', () => {
  /** Payments whose callbacks come in the order of the list, while another request waits for its permit. @returns the order of requests. */
  async function orderOf(ids: readonly string[], known: Record<string, DeliveredStatus> = {}) {
    const dedupe = sharedDedupe()
    for (const [id, delivered] of Object.entries(known)) await dedupe.set(`ACCOUNT:payin:${id}`, delivered)
    const client = new FakeClient()
    client.waits = true
    const { call, receiver } = receiverOver(client, { dedupe })
    for (const id of ['other', ...ids]) {
      void call(id)
      await step(1)
    }
    for (let n = 0; n <= ids.length; n++) {
      expect(client.lookups.length).toBe(n + 1)
      client.lookups[n]?.sent()
      client.lookups[n]?.answer(succeeded)
      await step()
    }
    await receiver.drain()
    return client.lookups.slice(1).map(({ id }) => id)
  }
  const pending = { status: 'PENDING', final: false }
  const paid = { status: 'SUCCESS', final: true }

  test('one waits for its permit; those of open payments come first, and those of final ones last', async () => {
    const order = await orderOf(['paid', 'new', 'open'], { paid, open: pending })
    expect(order).toEqual(['open', 'new', 'paid'])
  })

  test('a first callback waits no longer than those that come five seconds later', async () => {
    const dedupe = sharedDedupe()
    for (let n = 0; n < 100; n++) await dedupe.set(`ACCOUNT:payin:open-${n}`, pending)
    const client = new FakeClient()
    client.waits = true
    const { call, receiver } = receiverOver(client, { dedupe })
    void call('other')
    await step()
    void call('new')
    for (let n = 0; n < 100 && client.lookups.at(-1)?.id !== 'new'; n++) {
      void call(`open-${n}`)
      await step(100)
      client.lookups.at(-1)?.sent()
      client.lookups.at(-1)?.answer(succeeded)
      await step()
    }
    expect(client.lookups.map(({ id }) => id)).toContain('new')
    expect(client.lookups.length).toBeLessThan(60)
    await receiver.drain()
  })
})

test('a callback brings the request forward that another process had claimed, though one more is to follow', async () => {
  let hasComeAgain = false
  const claim = (key: string, number: number) => {
    if (hasComeAgain || !key.endsWith(':order-1')) return number
    hasComeAgain = true
    void call()
    return 1e9
  }
  const client = new FakeClient()
  client.waits = true
  const { call, receiver } = receiverOver(client, { dedupe: { ...sharedDedupe(), claim } })
  void call()
  await step()
  void call('other')
  await step(300)
  // Its permit took so long that none goes before it is due.
  client.lookups[0]?.sent()
  await step()
  expect(client.lookups.map(({ id }) => id)).toEqual(['other'])
  void call()
  await step()
  expect(client.lookups.map(({ id }) => id)).toEqual(['other', 'order-1'])
  await receiver.drain()
})

describe('a status request that another process has overtaken', () => {
  test('is made again, and what it showed is not told after what came later', async () => {
    const seen = sharedDedupe({ hasClaims: false })
    const [slow, quick] = [new FakeClient(), new FakeClient(() => succeeded)]
    const first = receiverOver(slow, { dedupe: seen })
    const second = receiverOver(quick, { dedupe: seen })
    const called = first.call()
    await step()
    await second.call()
    slow.lookups[0]?.answer(withStatus('PENDING'))
    await step()
    expect(slow.lookups).toHaveLength(2)
    slow.lookups[1]?.answer(succeeded)
    expect(await called).toBe(204)
    expect([first.delivered, second.delivered.length]).toEqual([[], 1])
  })

  test('is told where the second status request shows it again, with what it was before', async () => {
    const seen = sharedDedupe({ hasClaims: false })
    const [slow, quick] = [new FakeClient(), new FakeClient(() => succeeded)]
    const told: unknown[] = []
    const first = receiverOver(slow, { dedupe: seen, onPayin: (_payin, { previous }) => told.push(previous) })
    const called = first.call()
    await step()
    await receiverOver(quick, { dedupe: seen }).call()
    for (const n of [0, 1]) {
      slow.lookups[n]?.answer(withStatus('PENDING'))
      await step()
    }
    expect(await called).toBe(204)
    expect(told).toEqual([{ status: 'SUCCESS', final: true }])
  })
})

describe('a store that does not answer', () => {
  const never = () => new Promise<never>(() => {})

  test('holds a callback for a second, which is then dealt with as new, and later ones not at all', async () => {
    const seen = { get: never, set: never, count: never }
    const { call, delivered, failures } = receiverOver(new FakeClient(() => succeeded), { dedupe: seen })
    const called = call()
    await step(999)
    expect(delivered).toEqual([])
    await step(1)
    expect([await called, delivered.length]).toEqual([204, 1])
    const again = call()
    await step()
    expect([await again, delivered.length, vi.getTimerCount()]).toEqual([204, 2, 0])
    expect(failures).toEqual([
      expect.stringMatching(
        /^payin order-1 dedupe-store: the dedupe store did not answer within dedupeTimeoutMs/,
      ),
    ])
  })

  test('is asked again as soon as one of its responses comes, though late', async () => {
    const late: (() => void)[] = []
    const kept = new Map<string, DeliveredStatus>()
    let isSlow = true
    const seen: DedupeStore = {
      get: (key) => (isSlow ? new Promise((resolve) => late.push(() => resolve(undefined))) : kept.get(key)),
      set: (key, status) => void kept.set(key, status),
    }
    const { call, delivered } = receiverOver(new FakeClient(() => succeeded), {
      dedupe: seen,
      dedupeTimeoutMs: 50,
    })
    const called = call()
    await step(50)
    expect(await called).toBe(204)
    isSlow = false
    for (const answer of late) answer()
    await step()
    expect([await call(), await call(), delivered.length]).toEqual([204, 204, 2])
    expect([...kept.values()]).toEqual([{ status: 'SUCCESS', final: true }])
  })

  test('is asked again after ten times its limit', async () => {
    const get = vi.fn(never)
    const { call } = receiverOver(new FakeClient(() => succeeded), { dedupe: { get, set: never } })
    const called = call()
    await step(1000)
    await called
    await step(9999)
    await call()
    expect(get).toHaveBeenCalledTimes(1)
    await step(1)
    void call()
    await step()
    expect(get).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['throws', fall],
    ['rejects', async () => fall()],
  ])('that %s is reported, and each callback is dealt with as new', async (_how, fail) => {
    const seen = { get: fail, set: fail, count: fail }
    const { call, delivered, failures } = receiverOver(new FakeClient(() => succeeded), { dedupe: seen })
    expect([await call(), await call(), delivered.length]).toEqual([204, 204, 2])
    expect(new Set(failures)).toEqual(new Set(['payin order-1 dedupe-store: gone']))
  })
})

test('a number of a status request that was never given hides no change', async () => {
  const forged: DeliveredStatus = { status: 'PENDING', final: false, requestNumber: Number.MAX_SAFE_INTEGER }
  let looks = 0
  const get = (key: string) => (key.endsWith(':order-1') ? forged : undefined)
  const seen: DedupeStore = { get, set: () => undefined, count: () => ++looks }
  const client = new FakeClient()
  const { call, delivered } = receiverOver(client, { dedupe: seen })
  for (let n = 0; n < 10; n++) void call(`other-${n}`)
  await step()
  const called = call()
  await step()
  client.answer = () => succeeded
  for (const lookUp of client.lookups) lookUp.answer(withStatus('PENDING'))
  await step()
  expect(await called).toBe(204)
  expect(delivered.filter(({ id }) => id === 'order-1')).toHaveLength(1)
})

test('ids of two merchants that share a store are told apart', async () => {
  const seen = sharedDedupe()
  const [north, south] = [new FakeClient(() => succeeded), new FakeClient(() => succeeded)]
  Object.assign(south, { account: 'SOUTH' })
  const [first, second] = [receiverOver(north, { dedupe: seen }), receiverOver(south, { dedupe: seen })]
  await first.call()
  await second.call()
  expect([first.delivered.length, second.delivered.length]).toEqual([1, 1])
})
