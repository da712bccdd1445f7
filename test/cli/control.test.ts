import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { controls } from '../../sandbox/src/cli/control/controls.js'
import type { Control, ControlGroup } from '../../sandbox/src/cli/control/spec.js'
import { createSandbox, type SandboxOptions } from '../../sandbox/src/index.js'
import { handMadeGateway } from '../faults/servers.js'
import { runHere } from './here.js'

/** All of them by their words, those that only group others too. */
function wordsOf(group: ControlGroup, before: readonly string[] = []): string[][] {
  const path = [...before, group.name]
  return [
    path,
    ...group.controls.flatMap((one: Control | ControlGroup) =>
      'order' in one ? [[...path, one.name]] : wordsOf(one, path),
    ),
  ]
}

async function served(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ rateLimit: false, clock: 'virtual', startAt: 0, ...options })
  const { url } = await sandbox.listen({ page: true })
  const control = (...args: string[]) => runHere(['control', ...args, '--sandbox', url])
  return { sandbox, url, control, [Symbol.asyncDispose]: () => sandbox.close() }
}

describe.each(wordsOf(controls).map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
  test('has a help that fits a screen of 24 lines and 80 columns', async () => {
    const { code, stdout, stderr } = await runHere([...words, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    expect(stdout).not.toMatch(/.{81}/)
    expect(await runHere(['help', ...words])).toEqual({ code, stdout, stderr })
  })
})

const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8')

test.each([
  'control',
  'control fault',
  'control fault status',
  'control callback-fault',
  'control rare',
  'control clock',
  'control requests',
])('the page shows the help of %s', async (words) => {
  const { stdout } = await runHere([...words.split(' '), '--help'])
  expect(page).toContain(`$ merchant-gateway-sandbox ${words} --help\n${stdout.trimEnd()}\n\`\`\``)
})

describe('what is typed wrong ends with 2 and a sentence, and nothing is done', () => {
  test.each<[string[], RegExp]>([
    [['fault', 'drop-aftr'], /unknown command 'drop-aftr' \(Did you mean drop-after\?\)/],
    [['fault', 'drop-after', '--ruote', 'any'], /unknown option '--ruote' \(Did you mean --route\?\)/],
    [['fault', 'drop-after', '--route', 'createPayn'], /must be one of any, .* Did you mean createPayin\?/],
    [
      ['fault', 'hide', '--route', 'createPayin'],
      /must be one of readPayin, readPayout, readCustomerAccount\./,
    ],
    [['fault', 'overtaken'], /required option '--route <NAME>' not specified/],
    [['fault', 'delay', '--ms', 'soon'], /must be a span of time such as 250ms, 90s, 5min, 2h or 1d\./],
    [['fault', 'delay', '--ms', '-1s'], /must be a number of milliseconds, 0 or more/],
    [['fault', 'timeout', '--probability', '2'], /must be a number from 0 to 1/],
    [['fault', 'timeout', '--times', '0'], /must be a whole number from 1 to 1000000/],
    [['fault', 'status', '--headers', 'a'], /must be a name, a colon and a value/],
    [['fault', 'mutate'], /give one of --change, --null-at, --extra-fields and --show-status\./],
    [['fault', 'mutate', '--change', '[1]'], /must be an object of JSON/],
    [['fault', 'timeout', '--route', 'listBalances', '--id', 'a'], /there is no id in GET \/balances/],
    [['rare', 'answer-lost'], /required option '--route <NAME>' not specified/],
    [['clock', 'soon'], /MOVE must be a span of time/],
    [['clock', '+1h', '--right'], /give one of MOVE, --wrong and --right\./],
    [['clock', '--for', '1h'], /--for goes with --wrong\./],
    [['limiter', 'none'], /KIND must be one of sliding-window, /],
    [['balance', 'much', 'EUR'], /give an AMOUNT and a CURRENCY/],
    [['balance', '1'], /give an AMOUNT and a CURRENCY/],
    [['create', 'ten', 'EUR'], /AMOUNT must be a number/],
    [['reset', 'most'], /PART must be one of all, logs\./],
    [['requests', '--payin', 'a', '--payout', 'b'], /give --payin or --payout\./],
  ])('%j', async (args, sentence) => {
    await using at = await served()
    const { code, stdout, stderr } = await at.control(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\n$/)
    expect(stderr).toMatch(sentence)
    const json = await at.control(...args, '--json')
    expect(json).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'usage', exitCode: 2 } })
    expect((await at.control('show')).stdout).toContain('none is armed')
  })
})

describe('what the sandbox refuses ends with 1 and its sentence', () => {
  test.each<[string[], string]>([
    [['settle', 'order-9', 'SUCCESS'], 'The sandbox holds no payment with this id.'],
    [['payments', 'order-9', '--payout'], 'The sandbox holds no payment with this id.'],
    [['requests', '99'], 'The sandbox holds no request with this number.'],
    [['resend', '99'], 'The sandbox no longer has this request.'],
  ])('%j', async (args, sentence) => {
    await using at = await served()
    expect(await at.control(...args)).toEqual({ code: 1, stdout: '', stderr: `error: ${sentence}\n` })
  })

  test('a create that the gateway refuses', async () => {
    await using at = await served()
    const { code, stdout } = await at.control('create', '0', 'EUR', '--id', 'order-1')
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^payin order-1: Answered 400: /),
    })
  })

  test('a callback of a payment without a callbackUrl', async () => {
    await using at = await served()
    await at.control('create', '1', 'EUR', '--id', 'order-1')
    expect(await at.control('callback', 'order-1')).toMatchObject({
      code: 1,
      stderr:
        'error: The payment has no callbackUrl, so no callback was sent: create one that has a callbackUrl.\n',
    })
  })
})

test('tells nothing to what is no sandbox, and says so', async () => {
  await using gateway = await handMadeGateway({})
  const ended = await runHere(['control', 'reset'], { GATEWAY_BASE_URL: gateway.url })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is no sandbox') })
  expect(gateway.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /_sandbox/api/info'])
  expect((await runHere(['control', 'show'])).stderr).toContain('give --sandbox')
})

test('one that has ended is not reached: 3', async () => {
  const at = await served()
  await at.sandbox.close()
  const { code, stderr } = await at.control('show')
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('nobody listens there') })
})

test('prints what the page shows of the sandbox, and the same as JSON', async () => {
  await using at = await served({ balances: { EUR: 5 }, rateLimit: 3 })
  await at.control('clock', '--wrong', '-1h')
  await at.control('fault', 'timeout', '--route', 'createPayin', '--probability', '0.5', '--skip', '1')
  expect((await at.control('show')).stdout.split('\n')).toEqual([
    'clock     virtual, 1969-12-31T23:00:00.000Z, 1 h behind',
    'limiter   sliding-window, 3 requests a second, 3 free now',
    'balances  5 EUR',
    'shop      closed',
    'faults    request-1  timeout at POST /payins/{idPayin}, lets 1 pass first, with a chance of 0.5, hit 0 of 1',
    '',
  ])
  const { stdout } = await at.control('show', '--json')
  expect(stdout.trimEnd()).not.toContain('\n')
  expect(JSON.parse(stdout)).toMatchObject({ clock: { skewMs: -3_600_000 }, faults: [{ key: 'request-1' }] })
  expect((await at.control('clock', '--right')).stdout).toBe('virtual, 1970-01-01T00:00:00.000Z, right\n')
})

test('takes the limit off, and puts it on', async () => {
  await using at = await served({ rateLimit: 3 })
  expect((await at.control('limiter', '--rate-limit', 'off')).stdout).toBe('sliding-window, no limit\n')
  expect((await at.control('limiter', 'token-bucket')).stdout).toBe('token-bucket, no limit\n')
  expect((await at.control('limiter', '--rate-limit', '5')).stdout).toMatch(
    /^token-bucket, 5 requests a second/,
  )
})

test('tells the history of a payment, with what forced it', async () => {
  await using at = await served({
    settleAfterMs: 1000,
    deliver: async () => ({ status: 503 }),
    callbackTries: 1,
  })
  await at.control('rare', 'answer-lost', '--route', 'createPayin')
  const made = await at.control(
    'create',
    '12.50',
    'EUR',
    '--id',
    'order-1',
    '--callback-url',
    'http://shop.example/h',
  )
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('The answer was lost on its way.') })
  await at.control('clock', '+1s')
  const { stdout } = await at.control('payments', 'order-1')
  expect(stdout.split('\n')).toEqual([
    'payin order-1, SUCCESS, 12.5 EUR, created 1970-01-01T00:00:00.000Z, callbacks failed',
    expect.stringContaining('Paid after 1 s.'),
    '     +0 ms  request   1 POST /auth-tokens, 200 OK',
    '     +0 ms  request   2 POST /payins/order-1, 200 OK, but the connection was reset, fault drop-after by a fault that was armed',
    '     +0 ms  status    CREATED, by gateway',
    '     +0 ms  status    PENDING, by gateway',
    expect.stringMatching(/^ {5}\+0 ms {2}callback {2}for PENDING, try 1, 503, \d+ ms, given up$/),
    '  +1000 ms  status    SUCCESS, by gateway',
    expect.stringMatching(/^ {2}\+1000 ms {2}callback {2}for SUCCESS, try 1, 503, \d+ ms, given up$/),
    '',
  ])
  expect(
    (await at.control('callbacks', '--failed', '--payin', 'order-1')).stdout.trim().split('\n'),
  ).toHaveLength(2)
  await at.control('settle', 'order-1', 'RETURNED')
  expect((await at.control('payments', 'order-1')).stdout).toContain('  status    RETURNED, by hand\n')
  expect((await at.control('callbacks', '--payout', 'order-1')).stdout).toBe('no callbacks\n')
  expect((await at.control('payments', '--search', 'FAILED')).stdout).toBe('no payments\n')
})

test('prints every payment by itself, also the payouts of one run', async () => {
  await using at = await served()
  for (let n = 1; n <= 12; n += 1) await at.control('create', String(n), 'EUR', '--payout', '--id', `w-${n}`)
  const { stdout } = await at.control('payments', '--limit', '11')
  expect(stdout.trimEnd().split('\n')).toEqual([
    '11 of 12 payments; --limit and --offset show others',
    ...Array.from({ length: 11 }, (_, n) => expect.stringMatching(`^payout w-${n + 2}, `)),
  ])
})

test('prints a request in full, how to mend it, and no secret, account or name', async () => {
  const secret = 'a-secret-of-the-merchant'
  await using at = await served({ merchantSecret: secret })
  await at.control('create', '1', 'EUR', '--id', 'order-1')
  await fetch(`${at.url}/auth-tokens`, {
    method: 'POST',
    headers: { accept: 'application/json', 'x-api-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ merchantCode: 'M', secret, operations: [] }),
  })
  const list = await at.control('requests', '--limit', '2')
  expect(list.stdout).toMatch(/^2 of 3 requests; --limit and --offset show others\n/)
  const refused = await at.control('requests', '3')
  expect(refused.stdout).toMatch(/^3 00:00:00\.000 POST \/auth-tokens 401 .*\n-> /)
  expect(refused.stdout).toContain('\n>   "secret": "[redacted]"')
  expect(refused.stdout).toMatch(/\n< content-type: application\/json/)
  const created = await at.control('requests', '2')
  const all = [list, refused, created, await at.control('requests', '2', '--json')]
  for (const { stdout } of all) {
    expect(stdout).not.toMatch(/eyJ|Jana|0123456789|[A-Za-z0-9+/]{100}/)
    expect(stdout).not.toContain(secret)
  }
})

test('waits until callbacks are answered, and not for ever', async () => {
  let answer = (_: { status: number }) => {}
  const answered = new Promise<{ status: number }>((resolve) => {
    answer = resolve
  })
  await using at = await served({ deliver: () => answered, pendingAfterMs: 1_000_000 })
  await at.control('create', '1', 'EUR', '--id', 'order-1', '--callback-url', 'http://shop.example/h')
  await at.control('callback', 'order-1')
  expect(await at.control('idle', '--timeout', '50ms')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('callbacks are still under way'),
  })
  const waiting = at.control('idle')
  answer({ status: 204 })
  expect(await waiting).toMatchObject({ code: 0, stdout: 'no callback is under way\n' })
})
