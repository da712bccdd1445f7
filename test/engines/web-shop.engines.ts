import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/src/index.js'
import { databaseUrl, describeWith, ownName } from '../support/engines.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'

const schema = ownName()
const shop = join(root, 'examples/web-shop.mjs')
const dieAt = join(root, 'test/examples/demo-shop/die-at.mjs')
const folder = mkdtempSync(join(tmpdir(), 'web-shop-'))
/** All points, one after the other, with WEB_SHOP_KILLS=all; in CI those that fit into half a minute. */
const isWhole = process.env.WEB_SHOP_KILLS === 'all'
const atOnce = 4
const startForMs = isWhole ? 1_800_000 : 25_000
/** About how many sends and reads a process has from its start to the refund. */
const points = 220

const environment = (sandbox: Sandbox) => ({
  ...process.env,
  ...environmentOf(sandbox),
  GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
  TOKEN_KEY: randomBytes(32).toString('base64'),
  DATABASE_URL: databaseUrl,
  SHOP_SCHEMA: schema,
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** One cart from the order to the refund, at a shop that dies at this point and is started again. */
async function buyAndReturn(point: number): Promise<string | undefined> {
  await using sandbox = createSandbox({
    merchantCode: ownName(),
    settleAfterMs: 300,
    magicAmounts: [],
    mistakes: 'note',
  })
  await sandbox.listen()
  const port = await freePort()
  const report = join(folder, `${point}-${port}`)
  const env = { ...environment(sandbox), PORT: String(port) }
  let child: ChildProcess | undefined
  const start = (more: Record<string, string>, args: readonly string[]) => {
    child = spawn(process.execPath, [...args, shop], { cwd: root, env: { ...env, ...more }, stdio: 'ignore' })
    child.once('exit', (_, signal) => {
      if (signal === 'SIGKILL' && !isOver) start({}, [])
    })
  }
  let isOver = false
  const until = performance.now() + 90_000
  const ask = async (path: string, method = 'GET') => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/orders/${path}`, { method })
      const body: unknown = response.ok ? await response.json() : undefined
      return Object(body)
    } catch {
      return {}
    }
  }
  /** The customer, who asks again for as long as there is no answer. */
  const again = async (path: string, method: string, isSo: (body: Record<string, unknown>) => boolean) => {
    for (;;) {
      const body = await ask(path, method)
      if (isSo(body)) return body
      if (performance.now() > until) throw new Error(`killed at ${point}: ${method} ${path} has no end`)
      await pause(50)
    }
  }
  start({ DIE_AT: String(point), DIE_REPORT: report }, ['--import', dieAt])
  try {
    const cart = `${sandbox.clientOptions().merchantCode}-cart`
    await again(cart, 'POST', ({ payTo }) => typeof payTo === 'string')
    await again(cart, 'GET', ({ paid }) => paid === true)
    await again(`${cart}/refund`, 'POST', ({ refund }) => refund === 'SUCCESS')
    expect(sandbox.payins.list().map(({ id, status }) => [id, status])).toEqual([[cart, 'SUCCESS']])
    expect(sandbox.payouts.list().map(({ money, status }) => [money.amount, status])).toEqual([
      [10.5, 'SUCCESS'],
    ])
    expect(await shipmentsOf(cart)).toBe(1)
    return readReport(report)
  } finally {
    isOver = true
    child?.kill('SIGKILL')
  }
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

async function shipmentsOf(cart: string): Promise<number> {
  const { rowCount } = await database.query(`SELECT FROM ${schema}.shipments WHERE id = $1`, [cart])
  return rowCount ?? 0
}

let database: Client

describeWith('postgres', 'examples/web-shop.mjs', () => {
  beforeAll(async () => {
    await using sandbox = createSandbox()
    await sandbox.listen()
    execFileSync(process.execPath, [shop, 'migrate'], {
      cwd: root,
      env: environment(sandbox),
      stdio: 'inherit',
    })
    database = new Client({ connectionString: databaseUrl })
    await database.connect()
  }, 60_000)
  afterAll(async () => {
    await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await database.query(`DROP SCHEMA IF EXISTS ${schema}_queue CASCADE`)
    await database.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is killed where it awaits, and there is one payin, one shipment and one refund for each cart', async () => {
    const began = performance.now()
    const died: string[] = []
    let next = 1
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (performance.now() - began < startForMs && next <= points) {
          const point = isWhole ? next++ : randomInt(1, points)
          const at = await buyAndReturn(point)
          if (at !== undefined) died.push(`${point}: ${at}`)
        }
      }),
    )
    process.stderr.write(`The web shop was killed at ${died.length} points.\n`)
    expect(died.length).toBeGreaterThan(2)
  }, 2_000_000)
})
