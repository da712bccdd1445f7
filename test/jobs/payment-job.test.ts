import { afterEach, expect, test, vi } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../packages/sandbox/src/index.js'
import { type ClientSettings, GatewayClient, isPaid } from '../../src/index.js'
import { type PaymentJobOptions, type PaymentVerdict, paymentJob } from '../../src/jobs/index.js'
import { payin, payout } from './bullmq/hand-made.js'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

function setUp(
  options: SandboxOptions = {},
  jobOptions?: PaymentJobOptions,
  clientOptions: Partial<ClientSettings> = {},
) {
  const sandbox = createSandbox({ rateLimit: false, payAfterMs: false, ...options })
  const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0, ...clientOptions })
  open.push(client, sandbox)
  const settle = (status = 'SUCCESS') => {
    for (const one of sandbox.payouts.list()) one.setStatus(status)
  }
  return { sandbox, client, settle, send: paymentJob(client, 'payout', jobOptions) }
}

const stateOf = (verdict: PaymentVerdict<'payout'>) => (verdict.then === 'done' ? undefined : verdict.state)

test("a payout is done by its client's statuses", async () => {
  const { send, settle } = setUp({}, undefined, { statuses: { paid: ['COMPLETED'] } })
  const first = await send(payout(1), { starts: 1 })
  settle('COMPLETED')
  const second = await send(payout(1), { starts: 2, state: stateOf(first) })
  expect(second).toMatchObject({ then: 'done', final: true })
  expect(second.then === 'done' && isPaid(second.payment)).toBe(true)
})

test('a run at a gateway that hangs ends after thirty seconds, so that a worker can close', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const sandbox = createSandbox()
  const hanging = new GatewayClient({ ...sandbox.clientOptions(), fetch: () => new Promise(() => {}) })
  open.push(sandbox, hanging)
  const run = paymentJob(hanging, 'payout')(payout(1), { starts: 1 })
  let ended = false
  void run.then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(29_000)
  expect(ended).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await run).toMatchObject({ then: 'again', error: { code: 'timeout' } })
  vi.useRealTimers()
})

test.each([
  ['a month ago', 'stop', new Date(Date.now() - 30 * 86_400_000).toISOString()],
  ['no year that can be', 'done', '0001-01-01T00:00:00Z'],
  ['no time at all', 'done', 'soon'],
])('after a lost response, a payout that the gateway dates to %s: %s', async (_, then, createdAt) => {
  const { send, sandbox } = setUp({ payAfterMs: 0 }, undefined, { retries: 2 })
  sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
  sandbox.fault({
    route: 'GET /payouts/{idPayout}',
    action: { kind: 'mutate', change: { process: { createdAt } } },
  })
  expect(await send(payout(1), { starts: 1 })).toMatchObject({ then })
})

test('a payout that the option live refuses waits for a person, and not for ever', async () => {
  const { sandbox, send, settle } = setUp({}, undefined, { live: true })
  const first = await send(payout(1), { starts: 1 })
  settle()
  const refused = { then: 'stop', because: 'review', error: { code: 'configuration', option: 'live' } }
  const second = await send(payout(1), { starts: 2, state: stateOf(first) })
  expect(second).toMatchObject({ ...refused, state: { step: 'follow' } })
  expect(await send(payout(1), { starts: 3 })).toMatchObject({ ...refused, state: { outcome: 'accepted' } })
  const testClient = new GatewayClient({ ...sandbox.clientOptions(), live: false })
  open.push(testClient)
  const again = await paymentJob(testClient, 'payout')(payout(1), { starts: 3, state: stateOf(second) })
  expect(again).toMatchObject({ then: 'done' })
})

test('what a client for tests sends no more, since it was shown real money, waits for another setting', async () => {
  const { sandbox, send } = setUp({}, undefined, { live: false })
  sandbox.fault({
    route: 'GET /payouts/{idPayout}',
    action: { kind: 'mutate', change: { process: { isTest: false } } },
  })
  vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  const first = await send(payout(1), { starts: 1 })
  const second = await send(payout(1), { starts: 2, state: stateOf(first) })
  expect(second).toMatchObject({ then: 'stop', because: 'review' })
  expect(await send(payout(2), { starts: 1 })).toMatchObject({
    then: 'again',
    because: 'setup',
    state: { outcome: 'not-accepted' },
  })
  expect(sandbox.payouts.size).toBe(1)
})

test('calls go behind what customers wait for, unless somebody waits for this one', async () => {
  const priorities: unknown[] = []
  const { client } = setUp()
  const create: typeof client.payouts.create = (request, options) => {
    priorities.push(options?.priority)
    return client.payouts.create(request, options)
  }
  const send = paymentJob(
    { payouts: { create, retrieve: client.payouts.retrieve.bind(client.payouts) } },
    'payout',
  )
  await send(payout(1), { starts: 1 })
  await send(payout(2), { starts: 1, priority: 'customer' })
  expect(priorities).toEqual(['background', 'customer'])
})

test.each([
  [{ starts: 0 }, 'starts'],
  [{}, 'starts'],
  [{ starts: 1, state: undefined, atempt: 2 }, 'atempt'],
  [{ starts: 1, priority: 'high' }, 'priority'],
])('a wrong run is a mistake of the program: %o', async (run, field) => {
  const { send } = setUp()
  await expect(Reflect.apply(send, undefined, [payout(1), run])).rejects.toMatchObject({ field })
})

test('a payin is created before what waits in bulk, followed for its time, and done without being paid', async () => {
  const { client } = setUp()
  const priorities: unknown[] = []
  const create: typeof client.payins.create = (request, options) => {
    priorities.push(options?.priority)
    return client.payins.create(request, options)
  }
  const retrieve: typeof client.payins.retrieve = (id, options) => {
    priorities.push(options?.priority)
    return client.payins.retrieve(id, options)
  }
  const run = paymentJob({ payins: { create, retrieve } }, 'payin')
  const first = await run(payin('order-1'), { starts: 1 })
  if (first.then !== 'again') throw new Error('it has ended')
  expect(first.created).toMatchObject({
    idPayin: 'order-1',
    paymentMethodResponse: { reference: expect.any(String) },
  })
  const second = await run(payin('order-1'), { starts: 2, state: first.state })
  expect(second).toMatchObject({ then: 'again', payment: { process: { status: 'CREATED' } } })
  const { followedAt = 0 } = first.state
  const state = { ...first.state, followedAt: followedAt - 3 * 86_400_000 }
  expect(await run(payin('order-1'), { starts: 2, state })).toMatchObject({ then: 'done', final: false })
  expect(priorities).toEqual(['customer', 'background', 'background'])
  const nobodys = paymentJob({ payins: { create, retrieve } }, 'payin')
  expect(await nobodys({ idPayin: 'order-2', load: () => undefined }, { starts: 1 })).toMatchObject({
    then: 'stop',
    error: { idPayin: 'order-2' },
  })
})

test('a payin that was there is taken as it is, and one that is never shown wants a person in the end', async () => {
  const { client, sandbox } = setUp()
  await client.payins.create(payin('order-1'))
  const run = paymentJob(client, 'payin')
  const first = await run(payin('order-1'), { starts: 1 })
  expect(first).toMatchObject({ then: 'again', because: 'following', payment: {}, created: {} })
  if (first.then !== 'again') throw new Error('it has ended')
  sandbox.fault({ route: 'GET /payins/{idPayin}', times: 3, action: { kind: 'status', status: 404 } })
  expect(await run(payin('order-1'), { starts: 2, state: first.state })).toMatchObject({ then: 'again' })
  const state = { ...first.state, followedAt: 0 }
  expect(await run(payin('order-1'), { starts: 2, state })).toMatchObject({ then: 'stop', because: 'review' })
})

test.each([
  ['client', undefined, 'payout'],
  ['client', {}, 'payout'],
  ['kind', 'theirs', 'payment'],
  ['firstPoll', 'theirs', 'payout', { firstPoll: 5 }],
  ['longestPollMs', 'theirs', 'payout', { longestPollMs: -1 }],
])('a wrong %s is refused by name: %o', (option, client, ...more) => {
  const args = [client === 'theirs' ? setUp().client : client, ...more]
  expect(() => Reflect.apply(paymentJob, undefined, args)).toThrow(
    expect.objectContaining({ code: 'configuration', option }),
  )
})
