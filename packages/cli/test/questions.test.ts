import { createServer } from 'node:http'
import { connect } from 'node:net'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyToken, handMadeGateway, json, stall, text } from '../../../test/faults/servers.js'
import { closedAddress, listen } from '../../../test/support/listening.js'
import { environmentOf } from '../../../test/support/merchant-environment.js'
import { until } from '../../../test/support/turns.js'
import { privatePem } from '../../../test/support/vectors.js'
import { lineOfPayment, shownOf } from '../src/questions.js'
import { runHere } from './here.js'
import { ctrlC, type Environment, inTerminal, run, secrets } from './support.js'

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
    expect(stderr).toMatch(
      /^error: GET \/payouts\/\{idPayout\}: not found \(404\).*\n {7}This says nothing .*\n$/,
    )
  })

  test('end with 2 for an id that no payment can have', async () => {
    const { code, stderr } = await runHere(['payin', 'get', '../balances'], env)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: .*\n {7}Nothing was sent\.\n$/)
  })

  test('end with 3 where nobody listens', async () => {
    const { code, stderr } = await runHere(['payin', 'get', 'order-1'], {
      ...env,
      GATEWAY_BASE_URL: await closedAddress(),
    })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^error: .*no connection could be made.*\n {7}Nobody listens there: check .*\n$/)
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

/** A gateway that shows this in response to every question. */
function gatewayThatShows(body: string) {
  const shown = text(200, body, { 'content-type': 'application/json' })
  return handMadeGateway({ token: [json(200, { token: anyToken })], lookUp: [shown], create: [shown] })
}

const environmentAt = (url: string) => ({
  GATEWAY_BASE_URL: url,
  GATEWAY_MERCHANT_CODE: 'M-1',
  GATEWAY_PRIVATE_KEY: privatePem,
})

describe('what a gateway writes in place of an amount', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test.each([
    ['10.5', '10.50 EUR'],
    ['"10.5"', '10.50 EUR'],
    ['-0', '0.00 EUR'],
    ['1e21', '1000000000000000000000.00 EUR'],
    ['1e400', 'Infinity EUR'],
    ['"1e999999999"', '1e999999999 EUR'],
    ['"10,50"', '10,50 EUR'],
    ['null', 'null EUR'],
    ['{"toString":1}', '(unreadable) EUR'],
    [nested(1000), '(unreadable) EUR'],
  ])('is shown by balances, and does not end it (%#)', async (amount, shown) => {
    await using gateway = await gatewayThatShows(`[{"amount":${amount},"currencyCode":"EUR"}]`)
    const env = environmentAt(gateway.url)
    expect(await runHere(['balances'], env)).toEqual({ code: 0, stdout: `${shown}\n`, stderr: '' })
    expect(await runHere(['balances', '--json'], env)).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['10.5', '"10.5"', '1e400', 'null', 'true', '[1]', '{"toString":1}', nested(1000)])(
    'does not end payin get, wherever it stands (%#)',
    async (odd) => {
      for (const body of [
        `{"paymentRequested":${odd},"process":${odd},"paymentMethodResponse":${odd},"fee":${odd}}`,
        `{"paymentRequested":{"money":{"amount":${odd},"currencyCode":${odd}}},"process":{"status":${odd}}}`,
      ]) {
        await using gateway = await gatewayThatShows(body)
        for (const kind of ['payin', 'payout']) {
          const { code, stderr } = await runHere([kind, 'get', 'order-1'], environmentAt(gateway.url))
          // The client may take the response for none.
          expect([0, 1]).toContain(code)
          expect(stderr).not.toContain('defect')
        }
      }
    },
  )

  test('a response that is nested too deep to be printed is said to be', async () => {
    await using gateway = await gatewayThatShows(nested(100_000))
    const { code, stderr } = await runHere(['balances'], environmentAt(gateway.url))
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: the response is nested too deep to be printed.\n',
    })
  })
})

describe('what a program can set, the command takes from the environment', () => {
  test('how long to wait, and how often to try', async () => {
    await using gateway = await handMadeGateway({ lookUp: [stall] })
    const env = { ...environmentAt(gateway.url), GATEWAY_TIMEOUT_MS: '1234', GATEWAY_RETRIES: '0' }
    const { code, stderr } = await runHere(['balances'], env)
    expect(code).toBe(3)
    expect(stderr).toContain('timeoutMs (1234 ms)')
    expect(gateway.requests.filter(({ path }) => path.startsWith('/balances')).length).toBeLessThanOrEqual(1)
  })

  test('what statuses mean', async () => {
    await using gateway = await gatewayThatShows('{"state":"COMPLETED","paymentMethodResponse":{}}')
    const statuses = { field: 'state', paid: ['COMPLETED'] }
    const env = { ...environmentAt(gateway.url), GATEWAY_STATUSES: JSON.stringify(statuses) }
    const { stdout } = await runHere(['payin', 'get', 'order-1'], env)
    expect(stdout).toBe('payin order-1, COMPLETED\n')
  })

  test('a proxy, and plain http to another machine where that is allowed', async () => {
    await using gateway = await gatewayThatShows('[{"amount":1,"currencyCode":"EUR"}]')
    const asked: string[] = []
    const proxy = createServer().on('connect', ({ url = '' }, socket, head) => {
      asked.push(url)
      const through = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        through.write(head)
        through.pipe(socket).pipe(through)
      })
      for (const end of [socket, through]) end.on('error', () => {})
    })
    const port = await listen(proxy)
    const env = {
      ...environmentAt('http://gateway.example'),
      GATEWAY_ALLOW_INSECURE_HTTP: 'true',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    }
    const { stdout } = await run(['balances'], { env })
    const refused = await run(['balances'], { env: { ...env, GATEWAY_ALLOW_INSECURE_HTTP: '' } })
    const doctor = await run(['doctor'], { env })
    proxy.close()
    expect(doctor.stdout).toMatch(/^warn +base URL +plain http, which GATEWAY_ALLOW_INSECURE_HTTP allows/m)
    expect(doctor.stdout).toMatch(/^ok +connection/m)
    expect(stdout).toBe('1.00 EUR\n')
    expect(asked[0]).toBe('gateway.example:80')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is plain http') })
  })

  test('a value that is none is refused by the name of its variable', async () => {
    const { code, stderr } = await runHere(['balances'], { ...env, GATEWAY_RETRIES: 'canary' })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: GATEWAY_RETRIES must be a whole number, 0 or more.\n',
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
