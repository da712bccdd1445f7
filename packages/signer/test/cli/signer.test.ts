import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayClient, isGatewayError } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { policySigner, SignerRefusal } from 'merchant-gateway-signer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandFromSources, Running } from './program.js'

const sandbox = createSandbox({ rateLimit: false, payAfterMs: 0 })
const { privateKey, merchantCode } = sandbox.clientOptions()
const limits = { mostInOne: '500', mostInHour: '1000', mostInDay: '1000', countInHour: 10 }
const policy = { policyVersion: 1, merchantCode, payins: true, payouts: { EUR: limits } }
const env = { GATEWAY_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }

let command: Awaited<ReturnType<typeof commandFromSources>>
const at = (name: string) => join(command.folder, name)
beforeAll(async () => {
  command = await commandFromSources()
  chmodSync(command.folder, 0o755)
})
afterAll(async () => {
  await sandbox.close()
  command.remove()
})

/** A policy in a file of its own. */
function written(name: string, more: object = {}): string {
  writeFileSync(at(name), JSON.stringify({ ...policy, ...more }), { mode: 0o644 })
  return at(name)
}

const run = (...args: string[]) => new Running(command.file, args, { env }).finished()
const serve = (file: string, socket: string) =>
  new Running(command.file, ['serve', '--policy', file, '--socket', socket], { env }).listening()

const clientAt = (socket: string) => {
  const { privateKey: _, ...options } = sandbox.clientOptions()
  return new GatewayClient({ ...options, signer: policySigner({ socket }) })
}
const payout = (idPayout: string, amount: number) => ({
  idPayout,
  paymentRequested: { money: { amount, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'A', accountNumber: '1' } },
})
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (isGatewayError(error) ? error : undefined),
  )

test('a client pays through a signer and has no key, and a refusal names the rule', async () => {
  const socket = at('pay.sock')
  const signer = await serve(written('pay.json'), socket)
  await using client = clientAt(socket)
  await client.payouts.create(payout('p-1', 400))
  await client.payouts.create(payout('p-2', 500))
  expect((await client.payouts.retrieve('p-1')).process.status).toBe('SUCCESS')
  const sent = sandbox.requests.length
  const error = await caught(client.payouts.create(payout('p-3', 101)))
  expect(error).toMatchObject({ code: 'signing', outcome: 'not-accepted', idPayout: 'p-3' })
  expect(error?.message).toContain(
    'the signer refused it by its rule "most-in-day": the policy allows 1000.00 EUR in a day, so nothing was sent',
  )
  expect(error?.cause).toBeInstanceOf(SignerRefusal)
  expect(sandbox.requests.length).toBe(sent)
  expect(await signer.end('SIGTERM')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the log is new: payouts that were signed for before do not count'),
  })
  expect(existsSync(socket)).toBe(false)
  expect(await run('verify', at('pay.log'))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^5 lines, none changed before the last one, whose hash is [0-9a-f]{64}\n$/,
    ),
  })
  writeFileSync(at('pay.log'), readFileSync(at('pay.log'), 'utf8').replace('"amount":"400"', '"amount":"4"'))
  const changed = await run('verify', at('pay.log'), '--json')
  expect(changed.code).toBe(1)
  expect(JSON.parse(changed.stdout)).toMatchObject({ ok: false, line: 3 })
})

test('no command prints the help, and ends well', async () => {
  const help = await run('--help')
  expect(await run()).toEqual({ ...help, code: 0, stderr: '' })
  expect(help.stdout).toContain('help [COMMAND]          Print how a command is used.')
})

test('what was counted survives kill -9 at any moment', async () => {
  const file = written('kill.json')
  const before = sandbox.payouts.size
  for (let round = 0; round < 4; round++) {
    // The socket of a signer that was killed is there, and the next one takes its place.
    const signer = await serve(file, at('kill.sock'))
    await using client = clientAt(at('kill.sock'))
    const asked = Array.from({ length: 5 }, (_, n) =>
      client.payouts.create(payout(`kill-${round}-${n}`, 300)).catch(() => undefined),
    )
    // Each time after another number of responses.
    await Promise.race([Promise.all(asked.slice(0, round)), Promise.all(asked)])
    await signer.end('SIGKILL')
    await Promise.all(asked)
  }
  expect(sandbox.payouts.size - before).toBeLessThanOrEqual(3)
  expect((await run('verify', at('kill.log'))).code).toBe(0)
})

test('a full disk refuses, and what was counted stays counted', async () => {
  const file = written('full.json', { payouts: { EUR: { ...limits, countInHour: 1000 } } })
  const socket = at('full.sock')
  // No file of this process may be longer than 2 KiB (ulimit counts blocks of 512 bytes).
  const line = `ulimit -f 4 && exec "$0" "$1" serve --policy "$2" --socket "$3"`
  const args = ['-c', line, process.execPath, command.file, file, socket]
  const signer = await new Running('sh', args, { env }).listening()
  await using client = clientAt(socket)
  let paid = 0
  const rules = new Set<unknown>()
  for (let n = 0; n < 12; n++) {
    const error = await caught(client.payouts.create(payout(`full-${n}`, 1)))
    if (error === undefined) paid += 1
    else rules.add(Reflect.get(Object(error.cause), 'rule'))
  }
  await signer.end('SIGKILL')
  expect(paid).toBeGreaterThan(0)
  expect([...rules]).toEqual(['log'])
  const lines = readFileSync(at('full.log'), 'utf8').split('\n')
  expect(lines.filter((text) => text.includes('"until"'))).toHaveLength(paid)
  expect((await run('verify', at('full.log'))).code).toBe(0)
})

describe('it ends with one sentence and the code 2', () => {
  const secret = '-----BEGIN PRIVATE KEY-----canary'
  test.each<readonly [string, () => string[], RegExp]>([
    [
      'for a limit that is misspelt',
      () => ['serve', '--policy', written('a.json', { payouts: { EUR: { ...limits, mostInWeek: '1' } } })],
      /payouts\.EUR has fields that are not known: mostInWeek; nothing is signed/,
    ],
    [
      'for an operation with a bar',
      () => ['serve', '--policy', written('b.json', { operations: ['GET /balances|/payouts/.*'] })],
      /operations\.0 must be "GET/,
    ],
    [
      'for a policy that others may write to',
      () => {
        chmodSync(written('c.json'), 0o666)
        return ['serve', '--policy', at('c.json')]
      },
      /others than its owner may write to it/,
    ],
    ['for a policy that is a device', () => ['serve', '--policy', '/dev/zero'], /it is no file/],
    ['for a key in place of a path', () => ['serve', '--policy', secret], /holds a key or a token itself/],
    ['for an unknown command', () => ['srve'], /unknown command 'srve'/],
    ['for a log that is not there', () => ['verify', at('no.log')], /no\.log can't be used: ENOENT/],
    [
      'for an approval of who is not the one who approves',
      () => {
        const approvals = { file: 'approvals', uid: (process.getuid?.() ?? 0) + 1 }
        return ['approve', 'p-1', '--money', '1 EUR', '--policy', written('d.json', { approvals })]
      },
      /approves: run it as that user; nothing was approved/,
    ],
  ])('%s', async (_, args, why) => {
    const [name = '', ...rest] = args()
    const more = name === 'serve' ? ['--socket', at('never.sock')] : []
    const { code, stderr } = await run(name, ...rest, ...more)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(why) })
    expect(stderr).not.toContain('canary')
    expect(existsSync(at('never.sock'))).toBe(false)
  })

  test('for a second signer over one log', async () => {
    const file = written('twice.json')
    const signer = await serve(file, at('one.sock'))
    const second = await run('serve', '--policy', file, '--socket', at('two.sock'))
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another signer writes to') })
    await signer.end('SIGKILL')
  })
})

// Only root can be two users.
test.runIf(process.getuid?.() === 0)(
  'a payout that needs an approval is made when another user has approved it, and when nobody else has',
  async () => {
    const approver = 64_123
    mkdirSync(at('theirs'))
    chownSync(at('theirs'), approver, approver)
    const file = written('approve.json', {
      payouts: { EUR: { ...limits, approvalAbove: '100' } },
      approvals: { file: 'theirs/approvals', uid: approver },
    })
    const socket = at('approve.sock')
    const signer = await serve(file, socket)
    await using client = clientAt(socket)
    const ruleOf = async (id: string, amount: number) => {
      const error = await caught(client.payouts.create(payout(id, amount)))
      return Reflect.get(Object(error?.cause), 'rule')
    }
    const approve = (id: string, uid: number) => {
      const args = [command.file, 'approve', id, '--policy', file, '--money', '300 EUR']
      return new Running(process.execPath, args, { uid }).finished()
    }
    // Nobody has made the file yet.
    expect(await ruleOf('big', 300)).toBe('file')
    // Forged by the user who was broken into: it belongs to somebody else.
    writeFileSync(at('theirs/approvals'), `big\t300\tEUR\t${new Date().toISOString()}\n`)
    expect(await ruleOf('big', 300)).toBe('file')
    rmSync(at('theirs/approvals'))
    expect((await approve('other', approver)).code).toBe(0)
    expect(await ruleOf('big', 300)).toBe('approval')
    expect((await approve('a\tb', approver)).stderr).toContain('no payout can have that id')
    expect(await approve('big', approver)).toMatchObject({
      code: 0,
      stdout: 'approved for a day: payout big of 300.00 EUR\n',
    })
    expect(await ruleOf('big', 400)).toBe('approval')
    await client.payouts.create(payout('big', 300))
    await client.payouts.create(payout('small', 100))
    expect(sandbox.payouts.get('big').money.amount).toBe(300)
    await signer.end('SIGTERM')
  },
)
