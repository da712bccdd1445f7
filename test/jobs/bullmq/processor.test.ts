import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { GatewayClient, idOf, type Payout, statusOf } from '../../../src/index.js'
import { jobOptions, paymentData, paymentProcessor } from '../../../src/jobs/bullmq/index.js'
import { gatewayAndClient, HandMadeJob, jobOf, payin, payout } from './hand-made.js'

const create = 'POST /payouts/{idPayout}'
const unrecoverable = (message: RegExp) =>
  expect.objectContaining({ name: 'UnrecoverableError', message: expect.stringMatching(message) })
const paid = { status: 'SUCCESS', final: true }

test('a payout is created by the first run, delayed, and completed by a run that finds it final', async () => {
  await using at = gatewayAndClient()
  const job = jobOf(at.client)
  const process = paymentProcessor(at.client, 'payout')
  expect(await job.start(process)).toBe('again')
  expect(job.delayMs).toBeGreaterThan(3_000)
  expect(await job.start(process)).toBe('again')
  at.sandbox.payouts.get('payout-1').pay()
  expect(await job.start(process)).toEqual(paid)
  expect(at.sandbox.requests.filter(({ method, idPayout }) => method === 'POST' && idPayout)).toHaveLength(1)
})

test.each(['updateData', 'moveToDelayed'] as const)(
  'a worker that is killed before %s makes no second payout',
  async (moment) => {
    await using at = gatewayAndClient({ payAfterMs: 0 })
    const job = jobOf(at.client)
    const process = paymentProcessor(at.client, 'payout')
    job.dies = moment
    for (let kills = 0; kills < 3; kills++) expect(await job.start(process)).toBeInstanceOf(Error)
    job.dies = undefined
    expect(await job.run(process)).toEqual(paid)
    expect(at.sandbox.payouts.size).toBe(1)
  },
)

test('a payout whose response was lost is asked for again before those that were not begun', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  at.sandbox.fault({ route: create, action: { kind: 'drop-after' } })
  const job = jobOf(at.client)
  const process = paymentProcessor(at.client, 'payout')
  expect(await job.start(process)).toBe('again')
  expect(job.priority).toBeLessThan(jobOptions({ idPayout: 'a' }).priority)
  expect(await job.run(process)).toEqual(paid)
  expect(at.sandbox.payouts.size).toBe(1)
})

test('what the gateway refuses fails with its reason, which names no account and no customer', async () => {
  await using at = gatewayAndClient()
  const message = 'operator unknown'
  at.sandbox.fault({
    route: create,
    action: { kind: 'status', status: 422, body: { message, detail: 'Canary Name 1, CANARY1000001' } },
  })
  const job = jobOf(at.client)
  const error = await job.run(paymentProcessor(at.client, 'payout'))
  expect(error).toEqual(unrecoverable(/^refused: .*operator unknown/))
  expect(String(error)).not.toMatch(/canary/i)
  expect(Object(error).cause).toMatchObject({ code: 'invalid_request', outcome: 'not-accepted' })
})

test('a refusal after a killed run needs a review: that run may have sent the payout', async () => {
  await using at = gatewayAndClient()
  at.sandbox.fault({ route: create, action: { kind: 'status', status: 422 }, times: 2 })
  const job = jobOf(at.client)
  job.attemptsStarted = 1
  expect(await job.run(paymentProcessor(at.client, 'payout'))).toEqual(unrecoverable(/^(look|review): /))
})

test('a payout that the gateway had before fails, and is taken for the right one once a person runs it again', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  await at.client.payouts.create(payout(1))
  const job = jobOf(at.client)
  const process = paymentProcessor(at.client, 'payout')
  expect(await job.run(process)).toEqual(
    unrecoverable(/^(look|review): .*before any run|^(look|review): the gateway has had/),
  )
  expect(await job.run(process)).toEqual(paid)
  expect(at.sandbox.payouts.size).toBe(1)
})

test('nothing is sent of a job that was not sealed for this very payment', async () => {
  await using at = gatewayAndClient()
  const { sandbox, client } = at
  await using other = new GatewayClient({ ...sandbox.clientOptions(), merchantCode: 'ANOTHER' })
  await using elsewhere = new GatewayClient({
    ...sandbox.clientOptions(),
    baseUrl: 'https://staging.example',
  })
  const mine = paymentData(client, payout(1))
  const one = jobOptions(payout(1))
  const place = mine.sealed.length - 20
  const sign = mine.sealed[place] === 'A' ? 'B' : 'A'
  const changed = mine.sealed.slice(0, place) + sign + mine.sealed.slice(place + 1)
  const encrypted = /^foreign: its data was encrypted by another/
  const cases: readonly [object, object, RegExp][] = [
    [{ ...mine, sealed: paymentData(client, payout(2)).sealed }, one, encrypted],
    [mine, jobOptions(payout(2)), /^foreign: its jobId is not its payment's/],
    [mine, { ...one, jobId: '17' }, /jobOptions\(payment\)/],
    [{ ...mine, sealed: changed }, one, encrypted],
    [paymentData(other, payout(1)), one, encrypted],
    [paymentData(elsewhere, payout(1)), one, encrypted],
    [paymentData(client, payout(1), { encryptionKeys: [randomBytes(32)] }), one, encrypted],
    [paymentData(client, payin('payout-1')), one, /^foreign: its data is not of a payout/],
    [{ ...paymentData(client, payin('payout-1')), kind: 'payout' }, one, encrypted],
    [{ kind: 'payout', id: 'payout-1', request: payout(1) }, one, /^foreign: its data is not of paymentData/],
  ]
  for (const [data, options, message] of cases) {
    const job = new HandMadeJob<'payout'>(Object(data), Object(options))
    expect(await job.run(paymentProcessor(client, 'payout'))).toEqual(unrecoverable(message))
  }
  expect(sandbox.requests).toEqual([])
})

test('an old seal that is put back has nobody paid twice, and reports what the gateway says now', async () => {
  await using at = gatewayAndClient()
  const statuses: (string | undefined)[] = []
  const process = paymentProcessor(at.client, 'payout', {
    onChange: (payout) => {
      statuses.push(statusOf(payout))
    },
  })
  const job = jobOf(at.client)
  const first = job.data
  await job.start(process)
  await job.start(process)
  const waiting = job.data
  at.sandbox.payouts.get('payout-1').pay()
  expect(await job.start(process)).toEqual(paid)
  at.sandbox.payouts.get('payout-1').setStatus('RETURNED')
  job.data = waiting
  await job.start(process)
  expect(statuses.slice(-2)).toEqual(['SUCCESS', 'RETURNED'])

  const again = new HandMadeJob(first)
  expect(await again.run(process)).toEqual(unrecoverable(/^(look|review): /))
  expect(at.sandbox.payouts.size).toBe(1)
})

test('a job without the settings of jobOptions is refused before anything is sent', async () => {
  await using at = gatewayAndClient()
  for (const wrong of [
    { attempts: 3 },
    { attempts: undefined },
    { removeOnFail: true },
    { removeOnFail: undefined },
  ]) {
    const job = jobOf(at.client)
    job.opts = { ...job.opts, ...wrong }
    const [name = ''] = Object.keys(wrong)
    expect(await job.run(paymentProcessor(at.client, 'payout'))).toEqual(
      unrecoverable(new RegExp(`^settings: ${name} must be .*jobOptions\\(payment\\)`)),
    )
  }
  expect(at.sandbox.requests).toEqual([])
})

test('with load the job holds an id only, and nothing else is taken from it', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  const load = (id: string) => payout(Number(id.slice(7)))
  const process = paymentProcessor(at.client, 'payout', { load })
  expect(await new HandMadeJob(paymentData(at.client, { idPayout: 'payout-1' })).run(process)).toEqual(paid)
  const richer = { ...payout(2), paymentRequested: { money: { amount: 9_999, currencyCode: 'EUR' } } }
  expect(await new HandMadeJob(paymentData(at.client, richer)).run(process)).toEqual(paid)
  expect(at.sandbox.payouts.list().map(({ money }) => money.amount)).toEqual([1001, 1002])
})

test('a load that fails or is missing says so, hides what it threw from the store, and counts as no start', async () => {
  await using at = gatewayAndClient()
  at.sandbox.fault({ route: create, action: { kind: 'status', status: 422 } })
  const job = new HandMadeJob(paymentData(at.client, { idPayout: 'payout-1' }))
  const thrown = new RangeError('no row of Canary Name')
  const load = () => Promise.reject(thrown)
  const error = await job.start(paymentProcessor(at.client, 'payout', { load }))
  expect(error).toMatchObject({
    name: 'Error',
    message: expect.stringMatching(/^load failed \(RangeError\)/),
    cause: thrown,
  })
  expect(await job.start(paymentProcessor(at.client, 'payout'))).toMatchObject({
    message: expect.stringMatching(/^load failed/),
    cause: { code: 'configuration', option: 'load' },
  })
  expect(await job.start(paymentProcessor(at.client, 'payout', { load: () => payout(1) }))).toEqual(
    unrecoverable(/^refused: /),
  )
})

test('onChange gets each status at least once and in order, and the newest one while it rejects', async () => {
  await using at = gatewayAndClient()
  const changes: (readonly [string | undefined, string | undefined])[] = []
  let isAway = false
  const onChange = (payout: Payout) => {
    if (isAway) throw new Error('the database of Canary Name is away')
    changes.push([idOf(payout), statusOf(payout)])
  }
  const process = paymentProcessor(at.client, 'payout', { onChange })
  const job = jobOf(at.client)
  for (let runs = 0; runs < 3; runs++) expect(await job.start(process)).toBe('again')
  const [[, waiting] = []] = changes
  expect(changes).toEqual([['payout-1', waiting]])
  isAway = true
  at.sandbox.payouts.get('payout-1').pay()
  expect(await job.start(process)).toMatchObject({
    message: expect.stringMatching(/^onChange failed \(Error\)/),
  })
  at.sandbox.payouts.get('payout-1').setStatus('RETURNED')
  isAway = false
  await job.start(process)
  expect(changes.map(([, status]) => status)).toEqual([waiting, 'RETURNED'])
})

test('a payin tells how the customer pays, again where the first run was killed over that', async () => {
  await using at = gatewayAndClient()
  const references: unknown[] = []
  let isAway = true
  const process = paymentProcessor(at.client, 'payin', {
    onCreated: ({ idPayin, paymentMethodResponse }) => {
      expect(idPayin).toBe('order-1')
      if (isAway) throw new Error('away')
      references.push(paymentMethodResponse?.reference)
    },
  })
  const job = new HandMadeJob(paymentData(at.client, payin('order-1')))
  expect(await job.start(process)).toMatchObject({ message: expect.stringMatching(/^onCreated failed/) })
  isAway = false
  expect(await job.start(process)).toBe('again')
  expect(references).toEqual([expect.stringMatching(/^\d+$/)])
  expect(at.sandbox.payins.size).toBe(1)
})

test('a run whose signal fires ends, and the job is run again at once', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  const job = jobOf(at.client)
  const process = paymentProcessor(at.client, 'payout')
  expect(process).toHaveLength(3)
  expect(await job.start(process, AbortSignal.abort())).toBe('again')
  expect(job.delayMs).toBeLessThanOrEqual(0)
  expect(at.sandbox.payouts.size).toBe(0)
  expect(await job.run(process)).toEqual(paid)
})

test('a payout that was woken is looked up before other work of the client, and then waits as others do', async () => {
  await using at = gatewayAndClient()
  const job = jobOf(at.client)
  const priorities: (string | undefined)[] = []
  const { create, retrieve } = at.client.payouts
  const client = {
    account: at.client.account,
    deriveKey: (purpose: string) => at.client.deriveKey(purpose),
    payouts: {
      create: create.bind(at.client.payouts),
      retrieve: (...[id, options]: Parameters<typeof retrieve>) => {
        priorities.push(options?.priority)
        return at.client.payouts.retrieve(id, options)
      },
    },
  }
  const process = paymentProcessor(client, 'payout')
  await job.start(process)
  await job.start(process)
  job.priority = 1
  await job.start(process)
  expect(priorities).toEqual(['background', 'customer'])
  expect(job.priority).toBe(jobOptions(payout(1)).priority)
})

test('a payout that is done keeps no request, and a run after a callback reports what has come since', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  const statuses: (string | undefined)[] = []
  const process = paymentProcessor(at.client, 'payout', {
    onChange: (payout) => {
      statuses.push(statusOf(payout))
    },
  })
  const job = jobOf(at.client)
  const { length } = job.data.sealed
  await job.run(process)
  expect(job.data.sealed.length).toBeLessThan(length)
  at.sandbox.payouts.get('payout-1').setStatus('RETURNED')
  await job.start(process)
  expect(statuses.slice(-2)).toEqual(['SUCCESS', 'RETURNED'])
})

test('keys are replaced without a stop: the first encrypts, all decrypt, and the derived one besides', async () => {
  await using at = gatewayAndClient({ payAfterMs: 0 })
  const [old, next] = [randomBytes(32), randomBytes(32)]
  const process = paymentProcessor(at.client, 'payout', { encryptionKeys: [next, old] })
  for (const [number, options] of [
    {},
    { encryptionKeys: [old] },
    { encryptionKeys: [next, old] },
  ].entries()) {
    const job = new HandMadeJob(paymentData(at.client, payout(number), options))
    expect(await job.run(process)).toEqual(paid)
  }
  const { account } = at.client
  expect(() => paymentData({ account, deriveKey: () => undefined }, payout(1))).toThrow(
    /^encryptionKeys is missing/,
  )
})

test('options that are unknown or wrong are refused by name', async () => {
  await using at = gatewayAndClient()
  const wrong: readonly [object, string][] = [
    [{ onchange: () => undefined }, 'onchange is not an option of paymentProcessor'],
    [{ onChange: 'x' }, 'onChange must be a function'],
    [{ firstPollMs: -1 }, 'firstPollMs must be'],
    [{ encryptionKeys: ['short'] }, 'encryptionKeys must be a list of keys of 32 random bytes'],
  ]
  for (const [options, message] of wrong) {
    expect(() => paymentProcessor(at.client, 'payout', options)).toThrow(message)
  }
  expect(() => paymentProcessor(at.client, Object('refund'))).toThrow('kind must be')
  expect(() => paymentProcessor(Object({}), 'payout')).toThrow('client must be')
  expect(() => paymentData(at.client, Object({}))).toThrow(
    'payment must be an object with idPayin or idPayout',
  )
  expect(() => paymentData(at.client, payout(1, '../payins'))).toThrow('idPayout must not contain')
})
