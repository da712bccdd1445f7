import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient } from '../../src/client/client.js'
import type { GatewayProfile } from '../../src/client/profile/gateway-profile.js'
import { isFinal, isPaid, onGatewayEvent, statusOf } from '../../src/index.js'
import { caught } from '../support/caught.js'
import { bearer, mockGateway } from '../support/gateway.js'
import { privatePem } from '../support/vectors.js'

const gateway = mockGateway()
const profile = (more: Omit<GatewayProfile, 'profileVersion'>) => ({ profileVersion: 1, ...more }) as const
const money = { amount: 25, currencyCode: 'EUR' }
const payout = { paymentRequested: { money }, paymentMethodResponse: { idPayout: 'w-1' } }
const wait = { maxWaitMs: 60_000 }

describe('token requests of a client with a profile', () => {
  test('find the token where it says, and ask as it says', async () => {
    gateway.answerTokens({ data: { bearer: 'opaque-token-of-16', other: 'x' } })
    const tokens = { field: 'data.bearer', timestampUnit: 'milliseconds', longestValiditySecs: 300 } as const
    await gateway.client({ profile: profile({ tokens }) }).currencies.list()
    const [request] = gateway.tokenRequests()
    const { validitySecs, timestamp } = JSON.parse(request?.body ?? '')
    expect(validitySecs).toBeGreaterThan(200)
    expect(validitySecs).toBeLessThanOrEqual(300)
    expect(timestamp).toBeGreaterThan(1_600_000_000_000)
    expect(gateway.business()[0]?.headers.authorization).toBe('Bearer opaque-token-of-16')
  })

  test('are no longer than by default, however long the gateway lets tokens live', async () => {
    const client = gateway.client({ profile: profile({ tokens: { longestValiditySecs: 86_400 } }) })
    await client.currencies.list()
    expect(JSON.parse(gateway.tokenRequests()[0]?.body ?? '').validitySecs).toBeLessThanOrEqual(900)
  })

  test('look everywhere as usual when the profile names the first usual place', async () => {
    gateway.answerTokens({ accessToken: bearer })
    const client = gateway.client({ profile: profile({ tokens: { field: 'token' } }) })
    await expect(client.currencies.list()).resolves.toEqual({})
  })

  test('follow options that are given by hand before it', async () => {
    gateway.answerTokens({ mine: 'opaque-token-of-16', data: { bearer: 'another-token-of-16' } })
    const tokens = { field: 'data.bearer', timestampUnit: 'milliseconds', longestValiditySecs: 300 } as const
    const own = { tokenField: 'mine', timestampUnit: 'seconds', tokenValiditySecs: 60 } as const
    await gateway.client({ profile: profile({ tokens }), ...own }).currencies.list()
    const { validitySecs, timestamp } = JSON.parse(gateway.tokenRequests()[0]?.body ?? '')
    expect(validitySecs).toBeLessThanOrEqual(60)
    expect(timestamp).toBeLessThanOrEqual(1_700_000_000)
    expect(gateway.business()[0]?.headers.authorization).toBe('Bearer opaque-token-of-16')
  })
})

test.each([
  ['percent-encoded', 'POST /payouts/w%3A1%C3%A4'],
  ['decoded', 'POST /payouts/w:1ä'],
] as const)('ids stand %s in operations where the profile says so', async (idsInOperations, entry) => {
  const sandbox = createSandbox({ profile: profile({ tokens: { idsInOperations } }) })
  const client = new GatewayClient({ ...sandbox.clientOptions(), tokens: 'per-payment' })
  const paymentMethod = {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'A', accountNumber: '1' },
  }
  await client.payouts.create({ idPayout: 'w:1ä', paymentRequested: { money }, paymentMethod })
  const minted = sandbox.requests.find(({ path }) => path === '/auth-tokens')
  expect(minted?.bodyText).toContain(entry)
  await client.close()
  await sandbox.close()
})

test('customer account data is where the profile says', async () => {
  const client = gateway.client({ profile: profile({ customerAccountPath: '/payins/{idPayin}/owner' }) })
  await client.payins.customerAccount('p-1')
  expect(gateway.business()[0]?.target).toBe('/payins/p-1/owner')
})

describe('payments of a client with a profile', () => {
  const elsewhere = profile({
    payins: {
      statusField: 'state',
      processedAtField: 'doneAt',
      statuses: { REFUSED: 'final', OPEN: 'passing', ODD: 'unclear' },
    },
    payouts: { statusField: 'info.status', statuses: { REJECTED: 'final' } },
  })

  test.each<[answer: object, status: string | undefined, final: boolean]>([
    [{ state: 'SUCCESS' }, 'SUCCESS', true],
    [{ state: 'REFUSED' }, 'REFUSED', true],
    [{ state: 'OPEN' }, 'OPEN', false],
    [{ state: 'OPEN', doneAt: '2026-11-21T07:00:00Z' }, 'OPEN', false],
    [{ state: 'ODD' }, 'ODD', false],
    [{ state: 'ODD', doneAt: '2026-11-21T07:00:00Z' }, 'ODD', true],
    [{ state: 'ODD', doneAt: 'now' }, 'ODD', false],
    [{ state: 'ODD', doneAt: '2026-11-21T07:00:00Z', createdAt: '2026-11-21T07:00:01Z' }, 'ODD', false],
    [{ state: 'NEVER_SEEN', doneAt: '2026-11-21T07:00:00Z' }, 'NEVER_SEEN', true],
    [{ state: 'Jana Novak' }, undefined, false],
    [{ state: 'toString' }, 'toString', false],
    [{ state: 5 }, undefined, false],
    [{ process: { status: 'SUCCESS', processedAt: 'now' } }, undefined, false],
  ])('%j: the status is %j, final: %j', async (answer, status, final) => {
    gateway.answer(answer)
    const payin = await gateway.client({ profile: elsewhere }).payins.retrieve('p-1')
    expect(statusOf(payin)).toBe(status)
    expect(isFinal(payin)).toBe(final)
    expect(isPaid(payin)).toBe(status === 'SUCCESS')
    expect(payin).toEqual(answer)
  })

  test('are read as their kind is', async () => {
    gateway.answer({ ...payout, state: 'SUCCESS', info: { status: 'REJECTED' } })
    const found = await gateway.client({ profile: elsewhere }).payouts.waitFor('w-1', wait)
    expect(statusOf(found)).toBe('REJECTED')
    expect(isPaid(found)).toBe(false)
  })

  test('lack nothing, and show no drift, where they have no process', async () => {
    const drift = vi.fn()
    const stop = onGatewayEvent('merchant-gateway:drift', drift)
    gateway.answer({ ...payout, info: { status: 'REJECTED' } })
    const client = gateway.client({ profile: elsewhere })
    await client.payouts.retrieve('w-1')
    gateway.answer({ state: 'OPEN' })
    await client.payins.retrieve('p-1')
    stop()
    expect(drift).not.toHaveBeenCalled()
  })

  test('still lack a process without which nobody would know where they stand', async () => {
    gateway.answer(payout)
    const client = gateway.client({ profile: profile({ payouts: { statusField: 'process.status' } }) })
    expect(await caught(() => client.payouts.retrieve('w-1'))).toMatchObject({ code: 'unusable_response' })
  })

  test('are awaited until what the profile calls final', async () => {
    gateway.answer({ state: 'REFUSED' })
    await expect(gateway.client({ profile: elsewhere }).payins.waitFor('p-1', wait)).resolves.toEqual({
      state: 'REFUSED',
    })
  })

  test('found after a 409 are read by it too', async () => {
    gateway.answer(({ method }) =>
      method === 'POST'
        ? new Response('{}', { status: 409 })
        : Response.json({ ...payout, info: { status: 'REJECTED' } }),
    )
    const created = await gateway.client({ profile: elsewhere }).payouts.create({
      idPayout: 'w-1',
      paymentRequested: { money: { amount: '25.00', currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
    })
    if (!created.replayed) expect.fail('it was there')
    expect(isFinal(created)).toBe(true)
  })

  test('follow statusOf and isFinal that are given by hand before it', async () => {
    gateway.answer({ state: 'REFUSED', mine: 'MINE' })
    const client = gateway.client({
      profile: elsewhere,
      statusOf: ({ mine }) => String(mine),
      isFinal: ({ mine }) => mine === 'MINE',
    })
    const seen = await client.payins.waitFor('p-1', wait)
    expect(client.attachCallbacks({ urlFor: () => '', arrive: () => false }).statusOf?.(seen)).toBe('MINE')
  })

  test('that a client without a profile looks up are read as the specification says', async () => {
    gateway.answer({ state: 'REFUSED', process: { status: 'PENDING' } })
    const payin = await gateway.client().payins.retrieve('p-1')
    expect([statusOf(payin), isFinal(payin)]).toEqual(['PENDING', false])
  })

  test('are final for the receiver of callbacks too', async () => {
    gateway.answer({ state: 'REFUSED' })
    const client = gateway.client({ profile: elsewhere })
    const receiver = new CallbackReceiver({
      client,
      publicUrl: 'https://shop.example/callbacks',
      secrets: ['current-secret-of-32-bytes-or-more'],
    })
    const { value } = await receiver.reconcile([{ idPayin: 'p-1' }]).next()
    expect(value).toMatchObject({ final: true })
  })
})

describe('GATEWAY_PROFILE', () => {
  let folder = ''
  const file = (text: string) => {
    const path = join(folder, 'gateway-profile.json')
    writeFileSync(path, text)
    return path
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-profile-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const fromEnv = (GATEWAY_PROFILE: string, given = {}) =>
    GatewayClient.fromEnv(
      { ...given, fetch: globalThis.fetch },
      {
        GATEWAY_BASE_URL: 'https://gateway.example',
        GATEWAY_MERCHANT_CODE: 'M-0001',
        GATEWAY_PRIVATE_KEY: privatePem,
        GATEWAY_PROFILE,
      },
    )

  test('names the file of a profile, unless one is given', async () => {
    const path = file(JSON.stringify(profile({ customerAccountPath: '/payins/{idPayin}/file' })))
    await fromEnv(path).payins.customerAccount('p-1')
    const own = profile({ customerAccountPath: '/payins/{idPayin}/own' })
    await fromEnv(path, { profile: own }).payins.customerAccount('p-1')
    await fromEnv(' ', { profile: own }).payins.customerAccount('p-1')
    const targets = gateway.business().map(({ target }) => target)
    expect(targets).toEqual(['/payins/p-1/file', '/payins/p-1/own', '/payins/p-1/own'])
  })

  test.each([
    ['CANARY', 'the file that GATEWAY_PROFILE names holds no JSON.'],
    ['["CANARY"]', 'profile must be what readProfile gives.'],
    ['null', 'profile must be what readProfile gives.'],
  ])('that holds %j is refused', (text, message) => {
    expect(() => fromEnv(file(text))).toThrow(message)
  })

  test('that names no file is refused without its name', () => {
    expect(() => fromEnv(join(folder, 'CANARY'))).toThrow(
      /^the file that GATEWAY_PROFILE names could not be read; check its permissions and the path, .*\.$/,
    )
  })
})
