import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GatewayClient } from '../../../src/client.js'
import { redisBudget } from '../../../src/redis/index.js'
import { createSandbox } from '../../../src/sandbox/index.js'
import { databaseUrl, describeWith, redisUrl } from '../../support/engines.js'
import { ctrlC, environmentOf, inTerminal, root, run, start, temporaryFolders } from '../support.js'
import { csvOf, expectEachOnce, expectNoCustomer, fileOf, killedRun, payoutsOf, reportOf } from './support.js'

// Every test starts programs that send ten requests a second, and a killed one is taken over after 16 s.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 30_000 })

const newFolder = temporaryFolders()
const own = `test_${randomBytes(6).toString('hex')}`
let queues = 0
let gateways = 0

async function gateway() {
  // A budget goes by the merchant code: one for each test.
  const merchantCode = `${own}_${++gateways}`
  const sandbox = createSandbox({ merchantCode, settleAfterMs: 0, rateLimit: false })
  await sandbox.listen()
  const env = { ...environmentOf(sandbox), STORE: redisUrl }
  return { sandbox, env, merchantCode, folder: newFolder(), [Symbol.asyncDispose]: () => sandbox.close() }
}

/** A queue that no other test has. */
const inRedis = () => ['--redis', 'STORE', '--queue', `${own}-${++queues}`]

describeWith('redis', 'payouts in a queue over Redis', () => {
  afterAll(async () => {
    const redis = new Redis(redisUrl)
    const keys = await redis.keys(`merchant-gateway:*${own}*`)
    if (keys.length > 0) await redis.del(...keys)
    redis.disconnect()
  })

  test.concurrent('are added, sent, followed and reported in the order of the file', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(8)
    const file = fileOf(at.folder, csvOf(payouts))
    const store = inRedis()
    const { code, stdout, stderr } = await run(['payouts', 'send', file, '--yes', ...store], at)
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^8 payouts: 8 final, 0 to look at/),
    })
    expectEachOnce(at.sandbox, payouts)
    expect([...reportOf(file)].map(([id, { line, amount, state }]) => [id, line, amount, state])).toEqual(
      payouts.map(({ idPayout, amount }, index) => [idPayout, index + 2, amount, 'paid']),
    )
    expectNoCustomer(file, stdout, stderr)
    const again = await run(['payouts', 'send', file, '--yes', ...store], at)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('0 added to the queue, 8 were in it already'),
    })
    expect(at.sandbox.payouts.size).toBe(8)
  })

  test.concurrent('can be added here and sent elsewhere, by as many as there are', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(20)
    const file = fileOf(at.folder, csvOf(payouts))
    const store = inRedis()
    const added = await run(['payouts', 'send', file, '--yes', '--no-wait', '--json', ...store], at)
    expect(JSON.parse(added.stdout)).toMatchObject({ added: 20, waiting: 20, exitCode: 0 })
    expect(at.sandbox.payouts.size).toBe(0)
    const status = await run(['payouts', 'status', ...store], at)
    expect(status.stdout).toBe('20 payouts: 0 final, 0 to look at, 0 followed, 0 under way, 20 waiting.\n')
    const both = [start(['payouts', 'resume', ...store], at), start(['payouts', 'resume', ...store], at)]
    for (const { finished } of both) expect((await finished).code).toBe(0)
    expectEachOnce(at.sandbox, payouts)
    const report = await run(['payouts', 'report', '--out', `${file}.report`, ...store], at)
    expect(report.code).toBe(0)
    expect(reportOf(file).size).toBe(20)
  })

  test.concurrent('spend the budget that all processes of the merchant share', async () => {
    await using at = await gateway()
    const name = `${own}-budget`
    const redis = new Redis(redisUrl)
    const web = new GatewayClient({
      ...at.sandbox.clientOptions(),
      rateLimit: redisBudget({ connection: redis, name }),
    })
    await web.currencies.list()
    const slots = async () => JSON.parse((await redis.get(`merchant-gateway:budget:{${name}}`)) ?? '{}').count
    const before: number = await slots()
    const sentBefore = at.sandbox.requests.length
    const file = fileOf(at.folder, csvOf(payoutsOf(5)))
    const { code } = await run(['payouts', 'send', file, '--yes', '--budget', name, ...inRedis()], at)
    expect(code).toBe(0)
    // Each request has taken a slot of the same line.
    const sent = at.sandbox.requests.length - sentBefore
    expect(sent).toBeGreaterThanOrEqual(10)
    expect((await slots()) - before).toBeGreaterThanOrEqual(sent)
    await web.close()
    await redis.del(`merchant-gateway:budget:{${name}}`)
    redis.disconnect()
  })

  test.concurrent('stop at Ctrl-C, and go on', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(50)
    const file = fileOf(at.folder, csvOf(payouts))
    const store = inRedis()
    const session = inTerminal(['payouts', 'send', file, ...store], { ...at.env })
    await session.until('[y/N] ')
    session.type('yes\r')
    await session.until('0/50')
    session.type(ctrlC)
    const { code, screen } = await session.finished
    expect(code).toBe(130)
    expect(screen).toContain('The queue keeps the rest')
    expect(at.sandbox.payouts.size).toBeLessThan(50)
    expect((await run(['payouts', 'resume', ...store], at)).code).toBe(0)
    expectEachOnce(at.sandbox, payouts)
    expectNoCustomer(file, screen)
  })

  test.concurrent('are exactly once in the gateway when a run is killed', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(20)
    const file = fileOf(at.folder, csvOf(payouts))
    const store = inRedis()
    await killedRun(['payouts', 'send', file, '--yes', ...store], at.env, () => at.sandbox.payouts.size >= 7)
    expect((await run(['payouts', 'send', file, '--yes', ...store], at)).code).toBe(0)
    expectEachOnce(at.sandbox, payouts)
  })

  test.concurrent('that are refused are listed, and end the run with 1', async () => {
    await using at = await gateway()
    at.sandbox.fault({
      route: 'POST /payouts/{idPayout}',
      id: 'w-2',
      action: {
        kind: 'status',
        status: 400,
        body: { message: 'Jana Canary has no account 000123-0000000002' },
      },
    })
    const file = fileOf(at.folder, csvOf(payoutsOf(2)))
    const store = inRedis()
    expect((await run(['payouts', 'send', file, '--yes', ...store], at)).code).toBe(1)
    const { stdout } = await run(['payouts', 'refused', ...store], at)
    expect(stdout).toMatch(/^w-2, 2\.25 EUR: refused, and not sent before/)
    expectNoCustomer(file, stdout)
  })

  test.concurrent('are not added with a wrong key, which would wait in silence', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    const store = inRedis()
    const env = { ...at.env, GATEWAY_MERCHANT_CODE: 'SOMEBODY-ELSE' }
    expect((await run(['payouts', 'send', file, '--yes', ...store], { env })).code).toBe(1)
    expect((await run(['payouts', 'status', ...store], at)).stdout).toMatch(/^0 payouts/)
  })
})

describeWith('postgres', 'payouts in a queue over PostgreSQL', () => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  const ours = new URL(databaseUrl)
  ours.pathname = `/${own}`
  // The command takes an address, and BullMQ's schema in it is always the same.
  beforeAll(async () => void (await pool.query(`CREATE DATABASE ${own}`)))
  afterAll(async () => {
    await pool.query(`DROP DATABASE ${own} WITH (FORCE)`)
    await pool.end()
  })

  test.concurrent('want the tables to be made once, and are sent as over Redis', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(8)
    const file = fileOf(at.folder, csvOf(payouts))
    const store = ['--postgres', String(ours)]
    const without = await run(['payouts', 'send', file, '--yes', ...store], at)
    expect(without).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('run "payouts send" once with --migrate'),
    })
    expect((await run(['payouts', 'send', file, '--yes', '--migrate', ...store], at)).code).toBe(0)
    expectEachOnce(at.sandbox, payouts)
    expect((await run(['payouts', 'status', ...store], at)).stdout).toMatch(/^8 payouts: 8 final/)
    expect(reportOf(file).get('w-8')).toMatchObject({ line: 9, state: 'paid' })
    // By the merchant code, as a web server would name it.
    const shared = new Pool({ connectionString: String(ours), max: 1 })
    const budgets = await shared.query('SELECT name FROM merchant_gateway_budget')
    expect(budgets.rows).toEqual([{ name: at.merchantCode }])
    await shared.query('DROP FUNCTION merchant_gateway_budget_ask')
    await shared.end()
    const more = fileOf(at.folder, csvOf(payoutsOf(1, 'more')), 'more.csv')
    const broken = await run(['payouts', 'send', more, '--yes', ...store], at)
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /shared budget is not in this PostgreSQL, so nothing was sent: run .*--migrate/,
      ),
    })
  })
})

test.concurrent.each([
  ['--redis', 'redis://:canary@127.0.0.1:1', 'bullmq ioredis'],
  ['--postgres', 'postgres://u:canary@127.0.0.1:1/d', 'bullmq pg'],
] as const)('%s says what to install where it is missing', async (option, address, packages) => {
  await using at = await gateway()
  // The package as npm installs it: with undici, and without what is optional.
  const home = join(at.folder, 'node_modules')
  cpSync(join(root, 'dist/'), join(home, 'merchant-gateway/dist'), {
    recursive: true,
    filter: (file) => !/\/maps|\.map$|\.d\.c?ts$/.test(file),
  })
  cpSync(join(root, 'package.json'), join(home, 'merchant-gateway/package.json'))
  symlinkSync(join(root, 'node_modules/undici'), join(home, 'undici'))
  const file = fileOf(at.folder, csvOf(payoutsOf(1)))
  for (const args of [['send', file, '--yes'], ['resume'], ['status']]) {
    const { code, stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(home, 'merchant-gateway/dist/cli/index.js'), 'payouts', ...args, option, address],
      { cwd: at.folder, env: at.env },
    ).then(
      () => ({ code: 0, stdout: '', stderr: '' }),
      (error) => error,
    )
    expect({ code, stdout, stderr }).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `${option} needs ${packages.replace(' ', ' and ')} beside this package, so nothing was sent; run "npm install ${packages}".\n`,
      ),
    })
  }
  expect(at.sandbox.requests).toEqual([])
})

test.concurrent('a store that is not there ends the command with 3, and its password is not shown', async () => {
  const { code, stderr } = await run(['payouts', 'status', '--redis', 'redis://:canary@127.0.0.1:1'])
  expect(code).toBe(3)
  expect(stderr).toMatch(/can't be reached/)
  expect(stderr).not.toContain('canary')
})
