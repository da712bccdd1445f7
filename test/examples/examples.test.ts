import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { databaseUrl, describeWith, redisUrl } from '../support/engines.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { runNode, secrets } from './support.js'

/** What each example prints, line by line. */
const examples: Readonly<Record<string, readonly RegExp[]>> = {
  'take-a-payin.mjs': [
    /^Please pay 10\.5 EUR at Harbour Bank\.$/,
    /^Reference: \d{12}$/,
    /^Status: SUCCESS$/,
  ],
  'send-a-payout-safely.mjs': [
    /^25\.00 EUR: sent$/,
    /^5005 EUR: in doubt \(timeout\): try again with the same id$/,
    /^7 EUR: not sent \(invalid_request\)$/,
    /^Again, with the same ids:$/,
    /^25\.00 EUR: sent by an earlier try$/,
    /^5005 EUR: sent by an earlier try$/,
    /^7 EUR: not sent \(invalid_request\)$/,
    /^Payouts at the gateway: 2$/,
  ],
  'resume-after-a-crash.mjs': [
    /^First process: the response got lost, outcome unknown\. It dies here\.$/,
    /^Second process: same id, found the payout\.$/,
    /^Payouts at the gateway: 1$/,
  ],
  'receive-callbacks.mjs': [
    /^Waited: the payin is SUCCESS\.$/,
    /^A forged callback is answered 404\.$/,
    /^Callbacks: some succeeded, 0 failed, 1 refused\.$/,
  ],
  'wait-for-a-status.mjs': [
    /^Watching: (?:CREATED|PENDING)$/,
    /^Watching: SUCCESS$/,
    /^Final: [\da-f-]{36} is SUCCESS$/,
  ],
  'share-a-status-token.mjs': [
    /^The token allows PAYIN_INFO\.$/,
    /^Its payin: 200$/,
    /^Another payin: 403$/,
    /^The balances: 403$/,
  ],
  'one-rate-limit-by-cluster.mjs': [/^15 payins, 18 requests, none refused$/],
  'kms-like-signer.mjs': [/^Merchant: Sandbox Shop$/, /^Calls: 2, signatures: 1, since the token is kept$/],
  'wire-nestjs.mjs': [/^Please pay 10\.5 EUR\.$/, /^Ended: nothing is under way\.$/],
  'wire-next.mjs': [
    /^First: replayed false$/,
    /^Again: replayed true$/,
    /^Callback: the payin is SUCCESS\.$/,
    /^The callback is answered 204\.$/,
  ],
  'test-your-code-with-msw.mjs': [
    /^ok: an order is paid when its payin has succeeded$/,
    /^ok: an order whose response gets lost has one payin$/,
  ],
}

/** These want a store beside the gateway. */
const withStores = {
  'bulk-payouts-with-workers.mjs': {
    engine: 'redis',
    lines: [
      /^Added: 12 of 12$/,
      /^Failed: withdrawal-3, refused: .*$/,
      /^Paid: 11$/,
      /^Needs a person: withdrawal-3, refused$/,
      /^Payouts at the gateway: 11$/,
    ],
  },
} as const

/** These force what goes wrong, so they never leave the sandbox. */
const sandboxOnly = [
  'send-a-payout-safely.mjs',
  'resume-after-a-crash.mjs',
  'test-your-code-with-msw.mjs',
  'one-rate-limit-by-cluster.mjs',
]

test('every example is run by a test', async () => {
  const files = await readdir(join(root, 'examples'))
  const programs = files.filter((name) => name.endsWith('.mjs') && name !== 'demo.mjs')
  expect(programs.sort()).toEqual(Object.keys({ ...examples, ...withStores }).sort())
})

describe.each(Object.entries(examples).filter(([name]) => !sandboxOnly.includes(name)))(
  '%s',
  (name, lines) => {
    test('runs without a gateway, prints what it does, and shows no secret', async () => {
      const { code, stdout, stderr } = await runNode([`examples/${name}`])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expectLines(stdout, lines)
    })
  },
)

for (const [name, { engine, lines }] of Object.entries(withStores)) {
  describeWith(engine, name, () => {
    test('runs without a gateway, prints what it does, and shows no secret', async () => {
      const { code, stdout, stderr } = await runNode([`examples/${name}`], {
        env: { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl },
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const secret of secrets) expect(stderr).not.toMatch(secret)
      expectLines(stdout, lines)
    })
  })
}

describeWith('redis', 'what an example leaves in Redis', () => {
  test('is cleared away', async () => {
    const redis = new Redis(redisUrl)
    const patterns = ['merchant-gateway:example-*', 'merchant-gateway:*:{example-*']
    const keys = (await Promise.all(patterns.map((pattern) => redis.keys(pattern)))).flat()
    if (keys.length > 0) await redis.del(...keys)
    redis.disconnect()
  })
})

describe('with a gateway in the environment', () => {
  const sandbox = createSandbox({ payAfterMs: 0 })
  beforeAll(async () => {
    await sandbox.listen()
  })
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-examples-'))
  afterAll(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })

  /** As "merchant-gateway-sandbox" prints it: the key in a file. */
  const environment = () => {
    const { GATEWAY_PRIVATE_KEY = '', ...others } = environmentOf(sandbox)
    const file = join(folder, 'private-key.pem')
    writeFileSync(file, GATEWAY_PRIVATE_KEY, { mode: 0o600 })
    return { ...others, GATEWAY_PRIVATE_KEY_FILE: file }
  }

  test.each(Object.keys(examples))('%s uses that one, unless it forces what goes wrong', async (name) => {
    const before = sandbox.requests.length
    const { code, stdout, stderr } = await runNode([`examples/${name}`], { env: environment() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const secret of secrets) expect(stdout).not.toMatch(secret)
    if (sandboxOnly.includes(name)) {
      expect(sandbox.requests).toHaveLength(before)
      // So it does the same as without a gateway.
      expectLines(stdout, examples[name] ?? [])
    } else expect(sandbox.requests.length).toBeGreaterThan(before)
  })

  for (const [name, { engine, lines }] of Object.entries(withStores)) {
    describeWith(engine, name, () => {
      test('prints the same as without', async () => {
        const stores = { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl }
        const env = { ...environment(), ...stores }
        const { code, stdout, stderr } = await runNode([`examples/${name}`], { env })
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expectLines(stdout, lines)
      })
    })
  }
})

function expectLines(stdout: string, patterns: readonly RegExp[]): void {
  for (const secret of secrets) expect(stdout).not.toMatch(secret)
  const lines = stdout.trimEnd().split('\n')
  // A watch may see one status more or less, so each line has to come, in this order.
  let next = 0
  for (const pattern of patterns) {
    const found = lines.findIndex((line, index) => index >= next && pattern.test(line))
    expect(found, `no line like ${pattern} in:\n${stdout}`).toBeGreaterThanOrEqual(0)
    next = found + 1
  }
}
