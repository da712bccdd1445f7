import { describe, expect, test } from 'vitest'
import { handMadeGateway } from '../../../../test/faults/servers.js'
import { runHere } from '../../../cli/test/here.js'
import { createSandbox, type SandboxOptions } from '../../src/index.js'

async function served(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ rateLimit: false, clock: 'virtual', startAt: 0, ...options })
  const { url } = await sandbox.listen({ page: true })
  const control = (...args: string[]) => runHere(['control', ...args, '--sandbox', url])
  const create = (body: object = {}) =>
    control(
      'POST',
      '/create',
      '--body',
      JSON.stringify({ kind: 'payin', id: 'order-1', amount: 1, currencyCode: 'EUR', ...body }),
    )
  return { sandbox, url, control, create, [Symbol.asyncDispose]: () => sandbox.close() }
}

describe('what is typed wrong ends with 2 and a sentence, and nothing is done', () => {
  test.each<[string[], RegExp]>([
    [['PUT', '/state'], /must be GET, POST or DELETE\./],
    [['GET', '/'], /must be a path such as \/payments\./],
    [['GET', '/../../payins/order-1'], /must be a path such as \/payments\./],
    [['GET', '/%2e%2e/app.js'], /must be a path such as \/payments\./],
    [['POST', '/clock', '--body', 'soon'], /must be JSON such as/],
    [['GET', '/state', '--body', '{}'], /--body goes with POST\./],
    [['GET', '/idle', '--timeout', '0'], /must be a whole number from 1 to 3600/],
    [['GET', '/state', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
    [
      ['POST', '/clock', '--body', '{"advanceMs":-1}'],
      /advanceMs must be a number of milliseconds, ten years at most, and never back\./,
    ],
  ])('%j', async (args, sentence) => {
    await using at = await served()
    const before = (await at.control('GET', '/state')).stdout
    const { code, stdout, stderr } = await at.control(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\n$/)
    expect(stderr).toMatch(sentence)
    const json = await at.control(...args, '--json')
    expect(json).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'usage', exitCode: 2 } })
    expect((await at.control('GET', '/state')).stdout).toBe(before)
  })
})

test('what the sandbox refuses ends with 1 and its sentence', async () => {
  await using at = await served()
  expect(await at.control('GET', '/payments/payout/order-9')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: The sandbox holds no payment with this id.\n',
  })
  expect(await at.control('GET', '/requests/99')).toMatchObject({ code: 1 })
  expect(await at.control('POST', '/requests/99/resend')).toMatchObject({ code: 1 })
})

test('sends nothing to what is no sandbox, and says so', async () => {
  await using gateway = await handMadeGateway({})
  const ended = await runHere(['control', 'POST', '/reset'], { GATEWAY_BASE_URL: gateway.url })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is no sandbox') })
  expect(gateway.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /_sandbox/api/info'])
  expect((await runHere(['control', 'GET', '/state'])).stderr).toContain('give --sandbox')
})

test('one that has ended is not reached: 3', async () => {
  const at = await served()
  await at.sandbox.close()
  const { code, stderr } = await at.control('GET', '/state')
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('nobody listens there') })
})

test('prints JSON over lines, and on one line with --json', async () => {
  await using at = await served({ balances: { EUR: 5 }, rateLimit: 3 })
  const pretty = await at.control('get', 'state')
  expect(pretty.stdout).toMatch(/^\{\n {2}"clock": \{\n {4}"mode": "virtual",\n/)
  const { stdout } = await at.control('GET', '/state', '--json')
  expect(stdout.trimEnd()).not.toContain('\n')
  expect(JSON.parse(stdout)).toEqual(JSON.parse(pretty.stdout))
})

test('prints no control characters of what the sandbox answers', async () => {
  await using at = await served()
  await at.create({ id: 'a\u001b[2J\u009bb' })
  const { stdout } = await at.control('GET', '/payments')
  expect(JSON.parse(stdout).rows).toMatchObject([{ id: 'a\u001b[2J\u009bb' }])
  expect(stdout).not.toMatch(/[\u001b\u009b]/)
})

test('a list has 50 rows where no limit is given', async () => {
  await using at = await served()
  for (let n = 1; n <= 51; n += 1) await at.create({ kind: 'payout', id: `w-${n}` })
  const rowsOf = async (path: string) => JSON.parse((await at.control('GET', path)).stdout).rows
  expect(await rowsOf('/payments')).toHaveLength(50)
  expect(await rowsOf('/payments?limit=51')).toHaveLength(51)
  expect(await rowsOf('/requests')).toHaveLength(50)
})

test('prints a request in full, how to fix it, and no secret', async () => {
  const secret = 'a-secret-of-the-merchant'
  await using at = await served({ merchantSecret: secret })
  await at.create()
  await fetch(`${at.url}/auth-tokens`, {
    method: 'POST',
    headers: { accept: 'application/json', 'x-api-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ merchantCode: 'M', secret, operations: [] }),
  })
  const refused = await at.control('GET', '/requests/3')
  expect(refused.stdout).toContain('[redacted]')
  const created = await at.control('GET', '/requests/2')
  for (const { stdout } of [await at.control('GET', '/requests'), refused, created]) {
    expect(stdout).not.toMatch(/eyJ|[A-Za-z0-9+/]{100}/)
    expect(stdout).not.toContain(secret)
  }
})

test('waits until callbacks are answered, and not for ever', async () => {
  let answer = (_: { status: number }) => {}
  const answered = new Promise<{ status: number }>((resolve) => {
    answer = resolve
  })
  await using at = await served({ deliver: () => answered, pendingAfterMs: 1_000_000 })
  await at.create({ callbackUrl: 'http://shop.example/h' })
  await at.control('POST', '/payments/payin/order-1/callback')
  expect(await at.control('GET', '/idle', '--timeout', '1')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('did not answer within 1 s.'),
  })
  const waiting = at.control('GET', '/idle')
  answer({ status: 204 })
  expect(await waiting).toMatchObject({ code: 0 })
})
