import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { closedAddress } from '../../../test/support/listening.js'
import { environmentOf } from '../../../test/support/merchant-environment.js'
import { until } from '../../../test/support/turns.js'
import { lineOfPayment, shownOf } from '../src/payment-get.js'
import { runHere } from './here.js'
import { ctrlC, type Environment, inTerminal, run, secrets } from './support.js'

// Some start programs, on machines that may have other things to do.
vi.setConfig({ testTimeout: 30_000 })

const sandbox = createSandbox({
  rateLimit: false,
  payAfterMs: false,
  deliver: async () => ({ status: 204 }),
})
let env: Environment
const account = { accountName: 'Jana Canary', accountNumber: '000123-4567' }

beforeAll(async () => {
  await sandbox.listen()
  env = environmentOf(sandbox)
  await using client = new GatewayClient(sandbox.clientOptions())
  const paymentRequested = { money: { amount: 10.5, currencyCode: 'EUR' } }
  const paymentMethod = { account, emailAddress: 'jana@canary.example', paymentOperatorCode: 'HARBOUR' }
  await client.payins.create({
    idPayin: 'order-1',
    paymentRequested,
    paymentMethod: { ...paymentMethod, paymentMethodCode: 'VAPAY' },
  })
  await client.payouts.create({
    idPayout: 'refund-1',
    paymentRequested,
    paymentMethod: { ...paymentMethod, paymentMethodCode: 'BANK_TRANSFER' },
  })
})
afterAll(() => sandbox.close())

function showsNothingSecret(text: string): void {
  for (const secret of secrets) expect(text).not.toMatch(secret)
}

describe('payin get and payout get', () => {
  test('answer with one line that holds nothing of the customer', async () => {
    const payin = await run(['payin', 'get', 'order-1'], { env })
    expect(payin).toMatchObject({ code: 0, stderr: '' })
    expect(payin.stdout).toMatch(
      /^payin order-1, \w+ \(not final\), 10\.50 EUR, reference \S+, created \S+Z, expires \S+Z, test payment\n$/,
    )
    const payout = await runHere(['payout', 'get', 'refund-1'], env)
    expect(payout.stdout).toMatch(
      /^payout refund-1, \w+ \(not final\), 10\.50 EUR, fee 1\.00 EUR, created \S+Z, test payment\n$/,
    )
    showsNothingSecret(payin.stdout + payout.stdout)
  })

  test('answer with JSON that holds nothing of the customer', async () => {
    const payin = await runHere(['payin', 'get', 'order-1', '--json'], env)
    expect(JSON.parse(payin.stdout)).toEqual({
      kind: 'payin',
      id: 'order-1',
      status: expect.any(String),
      final: false,
      money: { amount: 10.5, currencyCode: 'EUR' },
      reference: expect.any(String),
      createdAt: expect.any(String),
      expireAt: expect.any(String),
      isTest: true,
    })
    const payout = await runHere(['payout', 'get', 'refund-1', '--json'], env)
    expect(JSON.parse(payout.stdout)).toMatchObject({
      kind: 'payout',
      fee: { amount: 1, currencyCode: 'EUR' },
    })
    showsNothingSecret(payin.stdout + payout.stdout)
  })

  test('end with 1 and a sentence for a payment that is not there', async () => {
    const { code, stdout, stderr } = await runHere(['payout', 'get', 'nowhere'], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: GET \/payouts\/\{idPayout\}: not found \(404\).*\n$/)
  })

  test('end with 2 for an id that no payment can have', async () => {
    const { code, stderr } = await runHere(['payin', 'get', '../balances'], env)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: .*\n$/)
  })

  test('end with 3 where nobody listens', async () => {
    const { code, stderr } = await runHere(['payin', 'get', 'order-1'], {
      ...env,
      GATEWAY_BASE_URL: await closedAddress(),
    })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^error: .*no connection could be made.*\n$/)
    showsNothingSecret(stderr)
  })

  test('a status that would move the cursor is none, and its text is escaped', async () => {
    const fault = sandbox.fault({
      route: 'GET /payins/{idPayin}',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'mutate', change: () => ({ process: { status: '\u001b[2J\u202egone\n' } }) },
    })
    const { stdout } = await runHere(['payin', 'get', 'order-1'], env)
    const json = await runHere(['payin', 'get', 'order-1', '--json'], env)
    fault.remove()
    expect(stdout).toBe('payin order-1, no status\n')
    expect(json.stdout).not.toMatch(/[\u001b\u202e]/)
  })

  test('Ctrl-C ends a question that is not answered', async () => {
    const asked = nextRequest('order-1')
    const fault = sandbox.fault({
      route: 'GET /payins/{idPayin}',
      times: Number.POSITIVE_INFINITY,
      action: { kind: 'timeout' },
    })
    const session = inTerminal(['payin', 'get', 'order-1'], env)
    await asked()
    session.type(ctrlC)
    expect(await session.finished).toMatchObject({ code: 130 })
    fault.remove()
  })

  test('take the unit of the timestamp from the environment', async () => {
    await using other = createSandbox({ timestampUnit: 'milliseconds' })
    await other.listen()
    const args = ['payout', 'get', 'nowhere']
    const refused = await runHere(args, environmentOf(other))
    expect(refused.stderr).toContain('not authenticated (401)')
    const env = { ...environmentOf(other), GATEWAY_TIMESTAMP_UNIT: 'milliseconds' }
    const found = await runHere(args, env)
    expect(found.stderr).toContain('not found (404)')
  })
})

/** Resolves when one more request than now has come for this payment. */
function nextRequest(id: string): () => Promise<void> {
  const count = () =>
    sandbox.requests.filter(({ path, method }) => method === 'GET' && path.endsWith(id)).length
  const before = count()
  return async () => {
    await until(() => count() !== before)
  }
}

describe('balances', () => {
  test('prints all in one line, or those asked for, and says which did not come', async () => {
    const all = await run(['balances'], { env })
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout).toMatch(/^\d+\.\d\d CZK, \d+\.\d\d EUR, .*\d+\.\d\d USD\n$/)
    const some = await runHere(['balances', 'USD', 'XXX'], env)
    expect(some.stdout).toBe('100000.00 USD, XXX not returned\n')
  })

  test('prints JSON', async () => {
    const { stdout } = await runHere(['balances', 'USD', 'XXX', '--json'], env)
    expect(JSON.parse(stdout)).toEqual({
      balances: { data: [{ money: { amount: 100_000, currencyCode: 'USD' } }] },
      notReturned: ['XXX'],
    })
  })
})

describe('what a gateway writes as null', () => {
  const money = { amount: 25, currencyCode: 'EUR' }

  test('is left out of a payout', () => {
    const process = { status: 'PENDING', createdAt: null, processedAt: null, isTest: null }
    const payout = {
      paymentRequested: { money },
      process,
      fee: null,
      paymentMethodResponse: { idPayout: 'a' },
    }
    expect(lineOfPayment(shownOf('payout', 'a', payout))).toBe('payout a, PENDING (not final), 25.00 EUR')
  })

  test('is left out of a payin', () => {
    const method = { money, reference: null, expireAt: null }
    const payin = { paymentRequested: null, process: null, paymentMethodResponse: method }
    expect(lineOfPayment(shownOf('payin', 'a', payin))).toBe('payin a, no status, 25.00 EUR')
  })
})
