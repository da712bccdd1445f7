import { spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { GatewayClient } from '../../../../src/index.js'
import { caught } from '../../../../test/support/caught.js'
import { root } from '../../../../test/support/root.js'
import { runHere } from '../../../cli/test/here.js'
import { run, start } from '../../../cli/test/support.js'
import { createSandbox } from '../../../sandbox/src/index.js'
import { createSigner, policySigner, readPolicy, SignerRefusal } from '../../src/index.js'

// Every test starts programs, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

const sandbox = createSandbox({ rateLimit: false, settleAfterMs: 0 })
const { privateKey, merchantCode } = sandbox.clientOptions()
const limits = { mostInOne: '500', mostInHour: '1000', mostInDay: '1000', countInHour: 10 }
const policy = {
  policyVersion: 1,
  merchantCode,
  payins: true,
  operations: ['GET /balances'],
  payouts: { EUR: limits },
}
let folder = ''
const at = (name: string) => join(folder, name)
const env = { GATEWAY_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-cli-'))
  chmodSync(folder, 0o755)
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A policy in a file of its own. */
function written(name: string, more: object = {}): string {
  writeFileSync(at(name), JSON.stringify({ ...policy, ...more }), { mode: 0o644 })
  return at(name)
}

const clientAt = (socket: string) => {
  const { privateKey: _, ...options } = sandbox.clientOptions()
  return new GatewayClient({ ...options, signer: policySigner({ socket }) })
}
const payout = (idPayout: string, amount: number) => ({
  idPayout,
  paymentRequested: { money: { amount, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'A', accountNumber: '1' } },
})

test('a client pays through a signer and has no key, and a refusal names the rule', async () => {
  const file = written('pay.json')
  const socket = at('pay.sock')
  const signer = start(['signer', '--policy', file, '--socket', socket], { env })
  await signer.until('signs at')
  await using client = clientAt(socket)
  await client.payouts.create(payout('p-1', 400))
  await client.payouts.create(payout('p-2', 500))
  // Creates have tokens of their own, and so have look-ups.
  expect((await client.payouts.retrieve('p-1')).process.status).toBe('SUCCESS')
  await client.payins.create({
    idPayin: 'in-1',
    paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  const sent = sandbox.requests.length
  const error = await caught(() => client.payouts.create(payout('p-3', 101)))
  expect(error).toMatchObject({ code: 'signing', outcome: 'not-accepted', idPayout: 'p-3' })
  expect(error.message).toContain(
    'the signer refused it by its rule "most-in-day": the policy allows 1000 EUR in a day, so nothing was sent',
  )
  expect(error.cause).toBeInstanceOf(SignerRefusal)
  expect(sandbox.requests.length).toBe(sent)
  signer.signal('SIGTERM')
  expect((await signer.finished).code).toBe(143)
  expect(existsSync(socket)).toBe(false)
  const { stdout, code } = await run(['signer', 'verify', at('pay.log')])
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^6 lines, none changed before the last one, whose hash is [0-9a-f]{64}\n$/,
    ),
  })
  writeFileSync(at('pay.log'), readFileSync(at('pay.log'), 'utf8').replace('"amount":"400"', '"amount":"4"'))
  const changed = await run(['signer', 'verify', at('pay.log'), '--json'])
  expect(changed.code).toBe(1)
  expect(JSON.parse(changed.stdout)).toMatchObject({ ok: false, line: 3 })
})

test('a process that has asked a signer ends when its work is done', async () => {
  const socket = at('ends.sock')
  const signer = start(['signer', '--policy', written('ends.json'), '--socket', socket], { env })
  await signer.until('signs at')
  const script = `
    import { policySigner } from 'merchant-gateway/signer'
    const signer = policySigner({ socket: process.argv[1] })
    for (const n of [1, 2]) await signer.sign(Buffer.from('{}')).catch(({ rule }) => console.log(n, rule))`
  const asking = spawn(process.execPath, ['--input-type=module', '-e', script, socket], { cwd: root })
  let said = ''
  asking.stdout.on('data', (chunk) => (said += chunk))
  asking.stderr.on('data', (chunk) => (said += chunk))
  const endedAt = new Promise<number>((resolve) => asking.once('close', () => resolve(performance.now())))
  const answeredAt = new Promise<number>((resolve) =>
    asking.stdout.on('data', () => said.includes('2') && resolve(performance.now())),
  )
  // The connection that it keeps for its next question would keep it for ten seconds.
  expect((await endedAt) - (await answeredAt)).toBeLessThan(5000)
  expect(said).toBe('1 unreadable\n2 unreadable\n')
  signer.signal('SIGTERM')
  expect((await signer.finished).code).toBe(143)
})

test('what was counted survives kill -9 at any moment', async () => {
  const file = written('kill.json')
  const before = sandbox.payouts.size
  for (let round = 0; round < 4; round++) {
    const socket = at(`kill-${round}.sock`)
    const signer = start(['signer', '--policy', file, '--socket', socket], { env })
    await signer.until('signs at')
    await using client = clientAt(socket)
    const asked = Array.from({ length: 5 }, (_, n) =>
      client.payouts.create(payout(`kill-${round}-${n}`, 300)).catch(() => undefined),
    )
    // Each time after another number of answers.
    await Promise.race([Promise.all(asked.slice(0, round)), Promise.all(asked)])
    signer.signal('SIGKILL')
    await Promise.all(asked)
    await signer.finished
  }
  expect(sandbox.payouts.size - before).toBeLessThanOrEqual(3)
  expect((await run(['signer', 'verify', at('kill.log')])).code).toBe(0)
})

test('a full disk refuses, and what was counted stays counted', async () => {
  const file = written('full.json', {
    payouts: { EUR: { ...limits, mostInDay: '100000', mostInHour: '100000', countInHour: 1000 } },
  })
  const socket = at('full.sock')
  // No file of this process may be longer than 2 KiB (ulimit counts blocks of 512 bytes).
  const command = `ulimit -f 4 && exec "$0" dist/cli/index.js signer --policy "$1" --socket "$2"`
  const child = spawn('sh', ['-c', command, process.execPath, file, socket], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
  })
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await using client = clientAt(socket)
    const paid: string[] = []
    const rules: unknown[] = []
    for (let n = 0; n < 12; n++) {
      await client.payouts.create(payout(`full-${n}`, 1)).then(
        () => paid.push(`full-${n}`),
        (error: Error) => rules.push(Reflect.get(Object(error.cause), 'rule')),
      )
    }
    expect(paid.length).toBeGreaterThan(0)
    expect(rules.length).toBeGreaterThan(0)
    expect([...new Set(rules)]).toEqual(['log'])
    const log = readFileSync(at('full.log'), 'utf8')
    expect(log.split('\n').filter((line) => line.includes('"until"'))).toHaveLength(paid.length)
    expect((await run(['signer', 'verify', at('full.log')])).code).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})

describe('a signer does not start', () => {
  test.each<readonly [string, () => string[], RegExp]>([
    [
      'with a limit that is spelled wrong',
      () => ['--policy', written('a.json', { payouts: { EUR: { ...limits, mostInWeek: '1' } } })],
      /payouts\.EUR has fields that are not known: mostInWeek/,
    ],
    [
      'with a wildcard among its operations',
      () => ['--policy', written('b.json', { operations: ['POST /payouts/.*'] })],
      /operations\.0 must be "GET/,
    ],
    [
      'by a policy that others may write',
      () => {
        const file = written('c.json')
        chmodSync(file, 0o666)
        return ['--policy', file]
      },
      /may be written by others/,
    ],
    [
      'for a gateway that does not keep a token to its money, unless told',
      () => {
        writeFileSync(
          at('profile.json'),
          JSON.stringify({ profileVersion: 1, tokens: { moneyLimit: 'ignored' } }),
        )
        return ['--policy', written('d.json'), '--profile', at('profile.json')]
      },
      /does not keep a token to its money/,
    ],
  ])('%s', async (_, args, why) => {
    const { code, stderr } = await run(['signer', ...args(), '--socket', at('never.sock')], { env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(why) })
    expect(existsSync(at('never.sock'))).toBe(false)
  })

  test('twice over one log', async () => {
    const file = written('twice.json')
    const signer = start(['signer', '--policy', file, '--socket', at('one.sock')], { env })
    await signer.until('signs at')
    const { code, stderr } = await run(['signer', '--policy', file, '--socket', at('two.sock')], { env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('another signer writes to') })
    signer.signal('SIGKILL')
    await signer.finished
  })
})

test('an approval whose log can not be read says that the money can be named', async () => {
  const file = written('unread.json', { approvals: { file: 'approvals', uid: process.getuid?.() } })
  const { code, stderr } = await runHere(['signer', 'approve', 'p-1', '--policy', file])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('unread.log does not exist; give --money'),
  })
})

test('a log that ends in half a line is verified up to there', async () => {
  await (await createSigner(readPolicy(policy), { key: privateKey, log: at('half.log') })).close()
  appendFileSync(at('half.log'), '{"n":2,')
  const { code, stdout, stderr } = await runHere(['signer', 'verify', at('half.log')])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 line, none changed') })
  expect(stderr).toContain('behind it is a piece of a line')
})

// Only root can be two users.
describe.runIf(process.getuid?.() === 0)('a payout that needs an approval', () => {
  const approver = 64_123
  const asApprover = (args: readonly string[]) =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const child = spawn(process.execPath, ['dist/cli/index.js', ...args], {
        cwd: root,
        uid: approver,
        env: {},
      })
      let said = ''
      child.stdout.on('data', (chunk) => (said += chunk))
      child.stderr.on('data', (chunk) => (said += chunk))
      child.on('close', (code) => resolve({ code, said }))
    })

  test('is made when another user has approved it, and when nobody else has', async () => {
    mkdirSync(at('theirs'))
    chownSync(at('theirs'), approver, approver)
    const file = written('approve.json', {
      payouts: { EUR: { ...limits, approvalAbove: '100' } },
      approvals: { file: 'theirs/approvals', uid: approver },
    })
    const socket = at('approve.sock')
    const signer = start(['signer', '--policy', file, '--socket', socket], { env })
    await signer.until('signs at')
    chmodSync(at('approve.log'), 0o644)
    await using client = clientAt(socket)
    const ruleOf = async (id: string, amount: number) => {
      const { cause } = await caught(() => client.payouts.create(payout(id, amount)))
      return Reflect.get(Object(cause), 'rule')
    }
    // Nobody has made the file yet.
    expect(await ruleOf('big', 300)).toBe('file')
    // Forged by the user who was broken into: it belongs to somebody else.
    writeFileSync(at('theirs/approvals'), `big\t300\tEUR\t${new Date().toISOString()}\n`)
    expect(await ruleOf('big', 300)).toBe('file')
    rmSync(at('theirs/approvals'))
    expect(
      (await run(['signer', 'approve', 'big', '--policy', file, '--money', '300 EUR', '--yes'])).code,
    ).toBe(2)
    expect(
      await asApprover(['signer', 'approve', 'other', '--policy', file, '--money', '300 EUR', '--yes']),
    ).toMatchObject({ code: 0 })
    expect(await ruleOf('big', 300)).toBe('approval')
    const approve = ['signer', 'approve', 'big', '--policy', file]
    const shown = "payout big of 300 EUR: give --money '300 EUR' --yes to approve it; nothing was approved.\n"
    expect(await asApprover(approve)).toEqual({ code: 2, said: `error: ${shown}` })
    // What was asked for last may be another amount by now.
    expect((await asApprover([...approve, '--yes'])).code).toBe(2)
    const approved = await asApprover([...approve, '--money', '300 EUR', '--yes'])
    expect(approved).toEqual({ code: 0, said: 'approved for a day: payout big of 300 EUR\n' })
    expect(await ruleOf('big', 400)).toBe('approval')
    await client.payouts.create(payout('big', 300))
    await client.payouts.create(payout('small', 100))
    expect(sandbox.payouts.get('big').money.amount).toBe(300)
    signer.signal('SIGTERM')
    await signer.finished
  })
})

test('a signer says which file of its policy is not there, and a client whose signer is not there what to look at', async () => {
  const file = written('lacking.json', { ids: 'no-such.tsv' })
  const socket = at('lacking.sock')
  const refused = async () => {
    await using client = clientAt(socket)
    return await caught(() => client.balances.list())
  }
  expect(await refused()).toMatchObject({
    code: 'signing',
    message: expect.stringContaining(
      "so nothing was sent; the signer can't be reached (ENOENT): nothing is there: check that the signer runs, at this socket",
    ),
    cause: { name: 'SignerUnreachableError' },
  })
  const signer = start(['signer', '--policy', file, '--socket', socket], { env })
  await signer.until('signs at')
  await signer.untilNote('the log is new: payouts that were signed for before do not count')
  await signer.untilNote('no-such.tsv is not there: payouts that need it are refused until it is.')
  signer.signal('SIGTERM')
  await signer.finished
})
