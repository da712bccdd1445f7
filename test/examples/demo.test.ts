import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { closedAddress, listen } from '../support/listening.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { runNode, secrets } from './support.js'

// Each test waits for a whole process, and some for the client's retries.
vi.setConfig({ testTimeout: 60_000 })

const steps = [
  'Generate an auth token',
  'List the payment options',
  'Read the merchant name',
  'Create the payin',
  'Receive the callback',
  'Read the payin status',
  'Read the customer account data',
  'Create the payout',
  'Receive the callback',
  'Read the payout status',
  'Create the same payout again',
  'Read the balances',
  'List the currencies',
  'List the payment operators',
]

const allRoutes = [
  'POST /auth-tokens-by-action',
  'POST /auth-tokens',
  'POST /payins/!availablePaymentOptions',
  'GET /merchant-info',
  'POST /payins/{idPayin}',
  'GET /payins/{idPayin}',
  'GET /payins/{idPayin}/customer-account',
  'POST /payouts/{idPayout}',
  'GET /payouts/{idPayout}',
  'GET /balances',
  'GET /currencies',
  'GET /payment-operators',
]

const merchant = {
  GATEWAY_MERCHANT_CODE: 'M-0001',
  GATEWAY_PRIVATE_KEY_FILE: join(root, 'test/vectors/rsa2048.pkcs8.pem'),
}

/** A gateway that takes connections and says nothing. */
const silent = createServer()
afterAll(() => silent.close())

async function silentAddress(): Promise<string> {
  silent.on('connection', (socket) => socket.on('error', () => {}))
  return `http://127.0.0.1:${await listen(silent)}`
}

/** The demo's own steps, with a gateway that it takes for one on another machine. */
const elsewhere = `
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { Skipped, walk } from './examples/demo/steps.mjs'

const sandbox = createSandbox({ payAfterMs: 0 })
const client = new GatewayClient(sandbox.clientOptions())
const gateway = { client, isLocal: false, hasAccountPath: false, waitMs: 5000 }
const step = (title, run) => run().then(
  () => console.log(title + ': done'),
  (error) => {
    if (!(error instanceof Skipped)) throw error
    console.log(title + ': skipped')
  },
)
const choices = { amount: '10.50', currency: 'EUR', payoutMethod: 'BANK_TRANSFER' }
const { signal } = new AbortController()
await walk({ gateway, callbacks: undefined, choices, signal, heading: () => {}, step })
const bodies = sandbox.requests.map((request) => request.bodyText)
const holding = (text) => bodies.filter((body) => body.includes(text)).length
console.log(
  'payins ' + sandbox.payins.size + ', payouts ' + sandbox.payouts.size +
  ', callback URLs ' + holding('callbackUrl') + ', accounts ' + holding('account'),
)
await client.close()
await sandbox.close()
`

describe('npm run demo', () => {
  test('walks a payin and a payout without an account, and says what each step cost', async () => {
    const { code, stdout, stderr } = await runNode(['examples/demo.mjs'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stepsOf(stdout)).toEqual(steps)
    expect(stdout).toMatch(/Gateway: the sandbox of this package, as a server on http:\/\/127\.0\.0\.1:\d+\./)
    expect(stdout).toMatch(/The payin is SUCCESS/)
    expect(stdout).toMatch(/The payout is SUCCESS/)
    expect(stdout).toMatch(/Same id, replayed: true\./)
    expect(stdout).toMatch(/Not returned: XTS\./)
    expect(stdout).toMatch(/\*\*\*6789/)
    for (const secret of secrets) expect(stdout).not.toMatch(secret)
    expect(stdout).not.toContain('\u001b')
  })

  test('counts what reached the gateway that the environment names, route by route', async () => {
    const sandbox = createSandbox({ payAfterMs: 200 })
    await sandbox.listen()
    try {
      const { code, stdout, stderr } = await runNode(['examples/demo.mjs'], { env: environmentOf(sandbox) })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stepsOf(stdout)).toEqual(steps)
      expect(stdout).toContain(`${sandbox.requests.length} requests in `)
      const counted = allRoutes.map((route) => [
        route,
        sandbox.requests.filter((request) => request.route === route).length,
      ])
      expect(routesOf(stdout)).toEqual(Object.fromEntries(counted))
      expect(sandbox.payouts.size).toBe(1)
      for (const secret of secrets) expect(stdout).not.toMatch(secret)
    } finally {
      await sandbox.close()
    }
  })

  test('a step that fails says why in a sentence, and the exit code is 1', async () => {
    const { code, stdout, stderr } = await runNode(['examples/demo.mjs'], {
      env: { GATEWAY_BASE_URL: await closedAddress(), ...merchant },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ 1 {2}Generate an auth token\s+failed, 0 requests, \d+ ms$/m)
    expect(stderr.trim()).toMatch(
      /^Step 1 failed\. POST \/auth-tokens-by-action: no connection could be made \(attempt 5\) \(ECONNREFUSED\); no payment was touched by it; nobody listens there: check baseUrl, and whether the gateway runs\.$/,
    )
  })

  test('a gateway that is named by half fails with the name of the variable', async () => {
    const { code, stderr } = await runNode(['examples/demo.mjs'], {
      env: { GATEWAY_BASE_URL: 'https://gateway.example' },
    })
    expect(code).toBe(1)
    expect(stderr.trim()).toMatch(/^GATEWAY_MERCHANT_CODE is not set in the environment/)
  })

  test('Ctrl-C ends it at once and closes everything', async () => {
    const { code, stdout, stderr } = await runNode(['examples/demo.mjs'], {
      env: { GATEWAY_BASE_URL: await silentAddress(), ...merchant },
      interruptAt: 'Generate an auth token',
    })
    expect({ code, stderr }).toEqual({ code: 130, stderr: '\nInterrupted, and everything is closed.\n' })
    expect(stdout).toMatch(/^ 1 {2}Generate an auth token\s+interrupted$/m)
  })

  test('a gateway elsewhere gets no payout unless it is told where to, and is not asked to call back', async () => {
    const { code, stdout, stderr } = await runNode(['--input-type=module', '-'], { input: elsewhere })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trim().split('\n')
    expect(lines).toContain('Receive the callback: skipped')
    expect(lines).toContain('Create the payout: skipped')
    expect(lines.at(-1)).toBe('payins 1, payouts 0, callback URLs 0, accounts 0')
  })

  test('a payin that the gateway refuses fails with what the gateway said', async () => {
    const sandbox = createSandbox()
    await sandbox.listen()
    sandbox.fault({ route: 'POST /payins/{idPayin}', action: { kind: 'status', status: 422 } })
    try {
      const { code, stdout, stderr } = await runNode(['examples/demo.mjs'], { env: environmentOf(sandbox) })
      expect(code).toBe(1)
      expect(stepsOf(stdout)).toEqual(steps.slice(0, 4))
      expect(stderr).toMatch(
        /^\nStep 4 failed\. POST \/payins\/\{idPayin\}: the gateway refused the request \(422\)/,
      )
    } finally {
      await sandbox.close()
    }
  })
})

function stepsOf(stdout: string): (string | undefined)[] {
  return [...stdout.matchAll(/^ ?\d+ {2}(\S.*?) {2,}/gm)].map(([, title]) => title)
}

function routesOf(stdout: string): Record<string, number> {
  const rows = stdout.matchAll(/^ {4}((?:GET|POST) \/\S+) +(\d+)$/gm)
  return Object.fromEntries([...rows].map(([, route, count]) => [route, Number(count)]))
}
