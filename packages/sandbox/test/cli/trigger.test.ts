import { expect, test } from 'vitest'
import { handMadeGateway } from '../../../../test/faults/servers.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { triggerCases } from '../../src/cli/trigger/cases.js'
import { createSandbox, magicAmounts } from '../../src/index.js'
import { run, secrets } from './here.js'

async function served(options = {}) {
  const sandbox = createSandbox({
    rateLimit: false,
    payAfterMs: 0,
    deliver: async () => ({ status: 204 }),
    ...options,
  })
  await sandbox.listen({ page: true })
  return { sandbox, env: environmentOf(sandbox), [Symbol.asyncDispose]: () => sandbox.close() }
}

test('there is a case for each magic amount, and the help names all', async () => {
  expect(triggerCases.map(({ amount }) => amount)).toEqual([10, ...magicAmounts.map(({ amount }) => amount)])
  expect(new Set(triggerCases.map(({ name }) => name)).size).toBe(triggerCases.length)
  const { stdout } = await run(['trigger', '--help'])
  const named = triggerCases.map(({ name }) => name).join(', ')
  expect(stdout.replace(/\s+/g, ' ')).toContain(`Cases: ${named}.`)
})

test.each([
  ['paid', 'SUCCESS', 10],
  ['failed', 'FAILED', 4001],
  ['expired', 'EXPIRED', 4002],
  ['pending', 'PENDING (not final)', 4003],
  ['answer-lost', 'SUCCESS', 5001],
])('%s makes a payin that becomes %s', async (name, status, amount) => {
  await using at = await served()
  const { code, stdout, stderr } = await run(['trigger', name, '--id', 'order-1'], at.env)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`payin order-1, ${status}, ${amount} EUR`),
  })
  expect(stderr).toMatch(new RegExp(`^${name}: .*\\.\n$`))
  expect(at.sandbox.payins.size).toBe(1)
  for (const secret of secrets) expect(stdout + stderr).not.toMatch(secret)
})

test('makes payouts, in another currency, with a callbackUrl, and says so as JSON', async () => {
  await using at = await served()
  const url = 'https://shop.example/callbacks'
  const { code, stdout } = await run(
    ['trigger', 'at-once', '--payout', '--currency', 'czk', '--callback-url', url, '--json'],
    at.env,
  )
  expect(code).toBe(0)
  const { id, ...made } = JSON.parse(stdout)
  expect(made).toEqual({
    case: 'at-once',
    kind: 'payout',
    status: 'SUCCESS',
    final: true,
    money: { amount: 4005, currencyCode: 'CZK' },
  })
  expect(at.sandbox.payouts.get(id).callbackUrl).toBe(url)
})

test('sends again what was lost or put off, with the same id', async () => {
  await using at = await served()
  for (const name of ['request-lost', 'rate-limit']) {
    const { code, stdout } = await run(['trigger', name, '--id', name], at.env)
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`payin ${name}, SUCCESS`),
    })
  }
})

test('waits for nothing where the clock stands still', async () => {
  await using at = await served({ clock: 'virtual', startAt: Date.now() })
  const { code, stdout } = await run(['trigger', 'paid'], at.env)
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('CREATED (not final)') })
})

test('asks a gateway that is no sandbox for nothing but whether it is one', async () => {
  await using gateway = await handMadeGateway({})
  const env = { ...environmentOfStranger, GATEWAY_BASE_URL: gateway.url }
  for (const args of [['paid'], ['failed', '--payout'], ['paid', '--sandbox', gateway.url]]) {
    const { code, stderr } = await run(['trigger', ...args], env)
    expect(code).toBe(1)
    expect(stderr).toContain('is no sandbox')
  }
  expect(new Set(gateway.requests.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(['GET /_sandbox/api/info']),
  )
})

const environmentOfStranger = { GATEWAY_MERCHANT_CODE: 'M', GATEWAY_MERCHANT_SECRET: 'canary' }

test('a sandbox with magic amounts of its own makes no other payment than the one that is asked for', async () => {
  await using at = await served({ magicAmounts: [{ amount: 13, outcome: 'FAILED', meaning: 'Bad luck.' }] })
  const { code, stderr } = await run(['trigger', 'failed'], at.env)
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/magic amounts of its own.*start it without the option magicAmounts/),
  })
  expect(at.sandbox.payins.size).toBe(0)
})

test('says where to find the cases, and where a sandbox is wanted', async () => {
  expect((await run(['trigger', 'nonsense'])).stderr).toContain('"trigger --help" lists all')
  expect(await run(['trigger', 'paid'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--sandbox'),
  })
})
