import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox, type SandboxOptions } from 'merchant-gateway-sandbox'
import { describe, expect, test, vi } from 'vitest'
import { closedAddress } from '../../../../test/support/listening.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { runHere } from '../here.js'
import { ctrlC, inTerminal, run, start, temporaryFolders } from '../support.js'
import {
  csvOf,
  expectEachOnce,
  expectNoCustomer,
  fileOf,
  header,
  killedRun,
  payoutsOf,
  reportOf,
} from './support.js'

const newFolder = temporaryFolders()
const createRoute = 'POST /payouts/{idPayout}'

async function gateway(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ payAfterMs: 0, rateLimit: false, ...options })
  await sandbox.listen()
  const env = environmentOf(sandbox)
  const send = (file: string, ...more: readonly string[]) =>
    runHere(['payouts', 'send', file, '--yes', ...more], env)
  return { sandbox, env, send, folder: newFolder(), [Symbol.asyncDispose]: () => sandbox.close() }
}

const says = (code: number, text: string) => ({ code, stdout: expect.stringContaining(text) })

describe.concurrent('a file of payouts', () => {
  test('is sent, followed to the end and reported, and says nothing of the customers', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(6)
    const file = fileOf(at.folder, csvOf(payouts))
    const { code, stdout, stderr } = await run(['payouts', 'send', file, '--yes'], at)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `6 payouts: 6 paid.\nReport: ${file}.report.csv, ${file}.report.json\n`,
    })
    expect(stderr).toContain('6 payouts, 22.50 EUR')
    expectEachOnce(at.sandbox, payouts)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(reportOf(file).get('w-2')).toEqual({
      line: 3,
      idPayout: 'w-2',
      amount: '2.25',
      currencyCode: 'EUR',
      state: 'paid',
      status: 'SUCCESS',
      fee: '1.00',
      feeCurrencyCode: 'EUR',
      payee: 'J. C. \u20260002',
      createdAt: time,
      processedAt: time,
      run: time,
      file: 'payouts.csv',
    })
    expectNoCustomer(file, stdout, stderr)
  })

  test('is sent once, however often', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(3)))
    await at.send(file)
    const asked = at.sandbox.requests.length
    expect(await runHere(['payouts', 'send', file], at.env)).toMatchObject(says(0, '3 payouts: 3 paid.'))
    expect(at.sandbox.requests).toHaveLength(asked)
  })

  test('is exactly once in the gateway when every run is killed, and answers get lost', async () => {
    await using at = await gateway()
    const { sandbox, env } = at
    const payouts = payoutsOf(24)
    const file = fileOf(at.folder, csvOf(payouts))
    sandbox.fault({ route: createRoute, action: { kind: 'drop-after' }, probability: 0.15, times: Infinity })
    sandbox.fault({
      route: createRoute,
      action: { kind: 'status', status: 503 },
      probability: 0.1,
      times: Infinity,
    })
    const outputs: string[] = []
    // When the first request comes, at four points on the way, and when all are accepted.
    for (const held of [0, 1, 6, 12, 18, 24]) {
      const seen = sandbox.requests.length
      const until = () => sandbox.payouts.size >= held && sandbox.requests.length > seen
      outputs.push(await killedRun(['payouts', 'send', file, '--yes'], env, until))
    }
    sandbox.clearFaults()
    const last = await run(['payouts', 'send', file, '--yes', '--json'], { env })
    expect(last.code).toBe(0)
    expect(JSON.parse(last.stdout)).toMatchObject({ payouts: 24, paid: 24, unknown: 0, waiting: 0 })
    expectEachOnce(sandbox, payouts)
    expect([...reportOf(file).values()].map(({ state }) => state)).toEqual(payouts.map(() => 'paid'))
    expectNoCustomer(file, last.stdout, last.stderr, ...outputs)
  }, 300_000)

  test('ends when all are accepted, when it is told not to wait, and goes on later', async () => {
    await using at = await gateway({ payAfterMs: false })
    const { sandbox, env } = at
    const file = fileOf(at.folder, csvOf(payoutsOf(2)))
    expect(await runHere(['payouts', 'send', file, '--yes', '--no-wait'], env)).toMatchObject(
      says(0, '2 accepted and not final'),
    )
    sandbox.payouts.get('w-1').pay()
    sandbox.payouts.get('w-2').setStatus('FAILED')
    expect(await runHere(['payouts', 'send', file, '--yes'], env)).toMatchObject(
      says(1, '2 payouts: 1 failed, 1 paid.'),
    )
    expect(reportOf(file).get('w-2')).toMatchObject({ state: 'failed', status: 'FAILED' })
    const status = await runHere(['payouts', 'status', file], env)
    expect(status).toEqual({ code: 0, stdout: '2 payouts: 1 failed, 1 paid.\n', stderr: '' })
  })
})

describe.concurrent('a payout that is refused', () => {
  test('is in the report with the reason, may be mended under its id, and ends the run with 1', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(2)).replace('w-2,2.25,EUR', 'w-2,2.25,ZZZ'))
    at.sandbox.fault({
      route: createRoute,
      id: 'w-2',
      action: {
        kind: 'status',
        status: 400,
        body: { message: 'Jana Canary has no account 000123-0000000002' },
      },
      times: 1,
    })
    const { code, stdout, stderr } = await at.send(file)
    expect({ code, stdout }).toMatchObject(says(1, '1 refused, 1 paid'))
    expect(reportOf(file).get('w-2')).toMatchObject({
      line: 3,
      state: 'refused',
      reason: expect.stringMatching(/400/),
    })
    const refused = await runHere(['payouts', 'refused', file], at.env)
    expect(refused.stdout).toMatch(/^line 3, w-2, 2\.25 ZZZ: refused, and not sent before: correct the line/)
    expectNoCustomer(file, stdout, stderr, refused.stdout)

    expect((await at.send(file)).code).toBe(1)
    expect(at.sandbox.payouts.size).toBe(1)
    writeFileSync(file, csvOf(payoutsOf(2)))
    expect((await at.send(file)).code).toBe(0)
    expect(at.sandbox.payouts.size).toBe(2)
    const none = { code: 0, stdout: '', stderr: `No payout of ${file} needs a person.\n` }
    expect(await runHere(['payouts', 'refused', file], at.env)).toEqual(none)
    expect(await runHere(['payouts', 'refused', file, '--json'], at.env)).toEqual({ ...none, stderr: '' })
  })

  test('is asked again as it is with --retry', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    at.sandbox.fault({ route: createRoute, action: { kind: 'status', status: 422 }, times: 1 })
    expect((await at.send(file)).code).toBe(1)
    expect((await at.send(file, '--retry')).code).toBe(0)
    expectEachOnce(at.sandbox, payoutsOf(1))
  })

  test('is one to review when an earlier run may have sent it', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    at.sandbox.fault({ route: createRoute, action: { kind: 'timeout' }, times: 1 })
    await killedRun(['payouts', 'send', file, '--yes'], at.env, () =>
      at.sandbox.requests.some(({ route }) => route === createRoute),
    )
    at.sandbox.fault({ route: createRoute, action: { kind: 'status', status: 400 }, times: 1 })
    expect(await at.send(file)).toMatchObject(says(1, '1 to review'))
  })
})

describe.concurrent('nothing is sent', () => {
  test.each([
    [
      'a column that is misspelt',
      `${header.replace('amount', 'ammount')}\n`,
      /^line 1: column 2 has a name that is not known; the first line must name the columns: idPayout, amount,/m,
    ],
    ['one id twice', csvOf([...payoutsOf(1), ...payoutsOf(1)]), /^line 3: idPayout is that of line 2/m],
    [
      'a payout without an id',
      csvOf(payoutsOf(2)).replace('w-2', ''),
      /^error: 1 payout of \S+ has no idPayout, .*\n {7}Nothing was sent\. Give --write-ids/m,
    ],
  ])('of a file with %s, which ends with 2', async (_, content, sentence) => {
    await using at = await gateway()
    const file = fileOf(at.folder, content)
    const { code, stdout, stderr } = await at.send(file)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expectNoCustomer(file, stderr)
    expect(at.sandbox.requests).toHaveLength(0)
    const json = await at.send(file, '--json')
    expect(json).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'usage', exitCode: 2 })
  })

  test('of a payout without an id, and payouts status says so in a whole sentence', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(2)).replace('w-2', ''))
    expect((await at.send(file)).code).toBe(2)
    expect(await runHere(['payouts', 'status', file], at.env)).toMatchObject({
      code: 0,
      stdout: `The gateway has accepted no payout of ${file}.\n`,
    })
  })

  test.each([
    ['a missing file', ['nowhere.csv', '--yes'], /nowhere\.csv does not exist\.\n {7}Nothing was sent/],
    ['a device', ['/dev/zero', '--yes'], /is a pipe or a device and not a file\.\n {7}Nothing was sent/],
    ['nobody to ask', ['payouts.csv'], /nobody can be asked here .*\n {7}Give --yes/],
  ])('with %s', async (_, args, sentence) => {
    await using at = await gateway()
    fileOf(at.folder, csvOf(payoutsOf(1)))
    const [name = '', ...options] = args
    const file = resolve(at.folder, name)
    const { code, stderr } = await runHere(['payouts', 'send', file, ...options], at.env)
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(at.sandbox.requests).toHaveLength(0)
  })

  test.each([
    ['amount', (csv: string) => csv.replace('w-1,1.25', 'w-1,9.25'), 'amount'],
    ['account', (csv: string) => csv.replace('000123-0000000001', '000123-0000000009'), 'account or method'],
  ])('when the %s of a payout that was sent has changed', async (_, change, named) => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(2)))
    expect((await at.send(file)).code).toBe(0)
    const asked = at.sandbox.requests.length
    writeFileSync(file, change(csvOf(payoutsOf(2))))
    const { code, stderr } = await at.send(file)
    expect(code).toBe(2)
    expect(stderr).toContain(
      `line 2: its payout was sent before with another ${named} under the same idPayout`,
    )
    expectNoCustomer(file, stderr)
    expect(at.sandbox.requests).toHaveLength(asked)
  })

  test('with a wrong key, and no payout is thought to be sent', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(3)))
    const env = { ...at.env, GATEWAY_MERCHANT_CODE: 'SOMEBODY-ELSE' }
    expect(await runHere(['payouts', 'send', file, '--yes'], env)).toMatchObject(
      says(1, '3 payouts: 3 not sent.'),
    )
    expect((await at.send(file)).code).toBe(0)
    expectEachOnce(at.sandbox, payoutsOf(3))
  })
})

describe.concurrent('a results file', () => {
  test('is only for the one run that is under way, by whatever name the file is called', async () => {
    await using at = await gateway({ payAfterMs: false })
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    const link = join(at.folder, 'link.csv')
    symlinkSync(file, link)
    const first = start(['payouts', 'send', file, '--yes'], at)
    await vi.waitUntil(() => at.sandbox.payouts.size === 1, { timeout: 20_000 })
    for (const name of [file, link]) {
      const { code, stderr } = await at.send(name)
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is sending this file'),
      })
    }
    at.sandbox.payouts.get('w-1').pay()
    expect((await first.finished).code).toBe(0)
    expect((await at.send(link)).code).toBe(0)
    const { stdout } = await runHere(['payouts', 'status', file, '--json'], at.env)
    expect(JSON.parse(stdout)).toMatchObject({ paid: 1 })
    expect(existsSync(`${link}.results.ndjson`)).toBe(false)
  })
})

/** A results file with a run of this file in it that is over. */
async function sentOnce() {
  const at = await gateway()
  const file = fileOf(at.folder, csvOf(payoutsOf(2)))
  expect((await at.send(file)).code).toBe(0)
  const results = `${file}.results.ndjson`
  return { at, file, results, lines: readFileSync(results, 'utf8').split('\n') }
}

describe.concurrent('a line of the results file', () => {
  test('that was torn is passed over wherever it is, and the run goes on', async () => {
    const { at, file, results, lines } = await sentOnce()
    await using _ = at
    const torn = '{"event":"outcome","idPayo'
    writeFileSync(results, [torn, lines[0], torn, torn, '\0\0\0', ...lines.slice(1), torn, torn].join('\n'))
    const asked = at.sandbox.requests.length
    expect(await at.send(file)).toMatchObject(says(0, '2 payouts: 2 paid.'))
    expect(at.sandbox.requests).toHaveLength(asked)
    for (const command of ['status', 'refused', 'report'])
      expect((await runHere(['payouts', command, file], at.env)).code).toBe(0)
  })

  test('that was torn so that a payout is not known leaves it for review, and pays nobody twice', async () => {
    const { at, file, results, lines } = await sentOnce()
    await using _ = at
    const before = lines.findIndex((line) => line.includes('"started"') && line.includes('w-2'))
    const left = lines.slice(0, before).filter((line) => !line.includes('w-2'))
    writeFileSync(results, [...left, lines[before]?.slice(0, 40)].join('\n'))
    expect(await at.send(file)).toMatchObject(says(1, '2 payouts: 1 to review, 1 paid.'))
    expect(at.sandbox.payouts.size).toBe(2)
  })

  test.each([
    ['that is other JSON', '{"event":"paid"}', /line 2 of \S+ is not what this program has written/],
    [
      'of another version of this program',
      '{"event":"begun","version":2,"salt":"s","at":"now"}',
      /was written by another version/,
    ],
  ])('%s is refused, and nothing is sent', async (_, line, sentence) => {
    const { at, file, results, lines } = await sentOnce()
    await using __ = at
    writeFileSync(results, [lines[0], line, ...lines.slice(1)].join('\n'))
    const asked = at.sandbox.requests.length
    const { code, stderr } = await at.send(file)
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(at.sandbox.requests).toHaveLength(asked)
  })

  test('is not written through a link that somebody has put there', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    const other = fileOf(at.folder, 'mine', 'other.txt')
    symlinkSync(other, `${file}.results.ndjson`)
    expect((await at.send(file)).code).toBe(2)
    expect(readFileSync(other, 'utf8')).toBe('mine')
    expect(at.sandbox.payouts.size).toBe(0)
  })
})

describe.concurrent('a payout that this file did not make', () => {
  test('is one to review, with its date, and counted as paid only when somebody says so', async () => {
    await using at = await gateway()
    const november = fileOf(at.folder, csvOf(payoutsOf(2)), 'november.csv')
    expect((await at.send(november)).code).toBe(0)
    const december = fileOf(at.folder, csvOf(payoutsOf(3)).replaceAll('000123-', '000999-'), 'december.csv')
    expect(await at.send(december)).toMatchObject(says(1, '3 payouts: 2 to review, 1 paid.'))
    const reason = /^the gateway has had a payout under this id since \d{4}-\d\d-\d\dT/
    expect(reportOf(december).get('w-1')).toMatchObject({
      state: 'review',
      reason: expect.stringMatching(reason),
    })
    expect((await at.send(december, '--retry')).code).toBe(1)
    expect((await at.send(december, '--adopt-existing')).code).toBe(0)
    expect(at.sandbox.payouts.size).toBe(3)
  })

  test('is not called paid where live refuses it, and no other is sent after the first', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(40)))
    const env = { ...at.env, GATEWAY_LIVE: 'true' }
    const { code, stdout, stderr } = await runHere(['payouts', 'send', file, '--yes'], env)
    expect({ code, stdout }).toMatchObject(says(1, '40 payouts: 1 to review, 39 not sent.'))
    expect(stderr).toContain('this payout is a test payment')
    expect(at.sandbox.payouts.size).toBe(1)
  })
})

describe.concurrent('lines that ask for the same money to the same account', () => {
  test('are named before the question, five of them, and are sent', async () => {
    await using at = await gateway()
    const duplicates = payoutsOf(8).map(({ idPayout }) => ({ idPayout, amount: '1.25', account: '000123-4' }))
    const { code, stderr } = await runHere(
      ['payouts', 'send', fileOf(at.folder, csvOf(duplicates)), '--yes'],
      at.env,
    )
    expect(code).toBe(0)
    const named = stderr.split('\n').filter((line) => /is like|So are/.test(line))
    expect(named).toEqual([
      ...[3, 4, 5, 6, 7].map((line) => `line ${line} is like line 2: the same money to the same account.`),
      'So are 2 more lines.',
    ])
    expect(at.sandbox.payouts.size).toBe(8)
  })
})

describe.concurrent('a line that was sent and then deleted', () => {
  test('is counted, followed and reported, and is no reason to end well while nobody knows of it', async () => {
    await using at = await gateway({ payAfterMs: false })
    const file = fileOf(at.folder, csvOf(payoutsOf(2)))
    await at.send(file, '--no-wait')
    for (const id of ['w-1', 'w-2']) at.sandbox.payouts.get(id).setStatus(id === 'w-2' ? 'FAILED' : 'SUCCESS')
    writeFileSync(file, csvOf(payoutsOf(1)))
    const { code, stdout, stderr } = await at.send(file)
    expect({ code, stdout }).toMatchObject(says(1, '2 payouts: 1 failed, 1 paid.'))
    expect(stderr).toContain('1 payout of these may have been sent, and the file has the line no more.')
    expect(reportOf(file).get('w-2')).toMatchObject({
      state: 'failed',
      amount: '2.25',
      payee: 'J. C. \u20260002',
    })
  })
})

describe.concurrent('a report', () => {
  test('has the totals by which the balance has changed, also of a file with decimal commas', async () => {
    await using at = await gateway()
    const client = new GatewayClient(at.sandbox.clientOptions())
    const balance = async () => {
      const { balances } = await client.balances.list({ currencies: ['EUR'] })
      return Number(/"amount":"?([\d.]+)/.exec(JSON.stringify(balances))?.[1])
    }
    const before = await balance()
    const csv = csvOf(payoutsOf(3))
      .replaceAll(',', ';')
      .replaceAll(/(?<=;\d+)\.(?=\d\d;)/g, ',')
    const file = fileOf(at.folder, csv)
    expect((await at.send(file, '--decimal-comma')).code).toBe(0)
    const lines = readFileSync(`${file}.report.csv`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','))
    expect(lines[1]?.slice(0, 5)).toEqual(['2', 'w-1', '1.25', 'EUR', 'paid'])
    expect(lines.at(-1)?.slice(2, 10)).toEqual(['6.75', 'EUR', 'total', '', '', '3.00', 'EUR', '9.75'])
    expect(before - (await balance())).toBe(9.75)
    await client.close()
  })

  test('that can not be written ends a run that has sent its payouts with 1, for 2 says that nothing was sent', async () => {
    await using at = await gateway()
    const file = fileOf(at.folder, csvOf(payoutsOf(1)))
    mkdirSync(`${file}.report.csv`)
    const { code, stderr } = await at.send(file)
    expect(code).toBe(1)
    expect(stderr).toContain('so there is no report.\n       The results are kept')
    expect(at.sandbox.payouts.size).toBe(1)
  })
})

describe.concurrent('--write-ids', () => {
  test('puts an id into each line that has none, once, and leaves the rest as it is', async () => {
    await using at = await gateway()
    const [head = '', ...rows] = csvOf(payoutsOf(3)).replace('Jana Canary', '"Canary, ""Jana"""').split('\n')
    const without = [head, ...rows].map((line) => line.slice(line.indexOf(',') + 1)).join('\r\n')
    const real = fileOf(at.folder, `\ufeff${without}`, 'real.csv')
    const link = join(at.folder, 'link.csv')
    symlinkSync(real, link)
    expect((await at.send(link, '--write-ids')).code).toBe(0)
    const written = readFileSync(real, 'utf8')
    expect(written.startsWith('\ufeffidPayout,amount,')).toBe(true)
    const ids = written.split('\r\n').map((line) => line.slice(0, line.indexOf(',')))
    expect(new Set(ids.slice(1, 4)).size).toBe(3)
    expect(written.replace(/^[0-9a-f-]{36},/gm, '').replace('idPayout,', '')).toBe(`\ufeff${without}`)
    expect((await at.send(link, '--write-ids')).code).toBe(0)
    expect(readFileSync(real, 'utf8')).toBe(written)
    expect(at.sandbox.payouts.size).toBe(3)

    // Put back as it was, and with its lines in another order.
    const [first = '', ...others] = without.split('\r\n')
    for (const content of [without, [first, ...others.reverse()].join('\r\n')]) {
      writeFileSync(real, content)
      const again = await at.send(link, '--write-ids')
      expect(again).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('or give --allow-second-payout'),
      })
      expect(readFileSync(real, 'utf8')).toBe(content)
      expect(at.sandbox.payouts.size).toBe(3)
    }
    const meant = await at.send(link, '--write-ids', '--allow-second-payout')
    expect(meant.code).toBe(0)
    expect(at.sandbox.payouts.size).toBe(6)
  })

  test('fills the empty cells of a column, and the requests of NDJSON', async () => {
    await using at = await gateway()
    const csv = fileOf(at.folder, csvOf(payoutsOf(2)).replace('w-2,', ','))
    expect((await at.send(csv, '--write-ids')).code).toBe(0)
    expect(readFileSync(csv, 'utf8')).toMatch(/^w-1,1\.25.*\n[0-9a-f-]{36},2\.25,EUR/m)
    const request =
      '{ "paymentRequested": {"money": {"amount": 10.50, "currencyCode": "EUR"}}, "paymentMethod": {"paymentMethodCode": "BANK_TRANSFER", "paymentOperatorCode": "HARBOUR", "account": {"accountName": "J", "accountNumber": "1"}}}'
    const ndjson = fileOf(at.folder, `${request}\n${request}\n`, 'payouts.ndjson')
    expect((await at.send(ndjson, '--write-ids')).code).toBe(0)
    expect(readFileSync(ndjson, 'utf8')).toMatch(/^\{"idPayout":"[0-9a-f-]{36}", "paymentRequested".*10\.50/)
    expect(at.sandbox.payouts.size).toBe(4)
  })
})

describe.concurrent('in a terminal', () => {
  test('asks, shows how far it is, and Ctrl-C ends it with what was sent in the results', async () => {
    await using at = await gateway()
    const payouts = payoutsOf(60)
    const file = fileOf(at.folder, csvOf(payouts))
    const session = inTerminal(['payouts', 'send', file], { ...at.env })
    await session.until('(balance: 100000.00 EUR)')
    await session.until('Send 60 payouts? [y/N] ')
    expect(at.sandbox.requests.some(({ route }) => route === createRoute)).toBe(false)
    session.type('y\r')
    await session.until('/60, ')
    session.type(ctrlC)
    const { code, screen } = await session.finished
    expect(code).toBe(130)
    expect(screen).toMatch(/Stopped: nothing is under way any more\./)
    expect(screen.replace(/\s+/g, ' ')).toContain(
      `not done; go on with: merchant-gateway payouts send ${file}`,
    )
    expect(screen).toContain('\u001b[?25h')
    const held = at.sandbox.payouts.size
    expect(held).toBeLessThan(60)
    expect([...reportOf(file).values()].filter(({ state }) => state === 'waiting')).toHaveLength(60 - held)

    expect((await at.send(file)).code).toBe(0)
    expectEachOnce(at.sandbox, payouts)
    expectNoCustomer(file, screen)
  })

  test('shows that all are sent, and then that all are followed', async () => {
    await using at = await gateway()
    const session = inTerminal(['payouts', 'send', fileOf(at.folder, csvOf(payoutsOf(3))), '--yes'], at.env)
    const { code, screen } = await session.finished
    expect(code).toBe(0)
    expect(screen).toMatch(/sending \S+ 3\/3\b[^/]*following/)
    expect(screen).toMatch(/following \S+ 3\/3/)
    expect(screen).not.toContain(', 0 ms left')
  })

  test.each([
    ['is too much', { balances: { EUR: 1.2 } }, '1 payout, 1.25 EUR (more than the balance: 1.20 EUR)'],
    ['can not be compared', { balances: {} }, '1 payout, 1.25 EUR (balance not known)'],
  ])('says that the sum %s, and asks all the same', async (_, options, sentence) => {
    await using at = await gateway(options)
    const session = inTerminal(['payouts', 'send', fileOf(at.folder, csvOf(payoutsOf(1)))], { ...at.env })
    await session.until(sentence)
    await session.until('Send 1 payout? [y/N] ')
    session.type('n\r')
    expect((await session.finished).code).toBe(2)
  })

  test.each([
    ['n\r', 2],
    ['\r', 2],
    [' \r', 2],
    ['maybe\r', 2],
    ['\u0004', 2],
    ['\u0003', 130],
  ])('sends nothing for the response %j, and says so', async (answer, exitCode) => {
    await using at = await gateway()
    const session = inTerminal(['payouts', 'send', fileOf(at.folder, csvOf(payoutsOf(1)))], { ...at.env })
    await session.until('[y/N] ')
    session.type(answer)
    const { code, screen } = await session.finished
    expect(code).toBe(exitCode)
    expect(screen).toContain('nothing was sent.')
    expect(at.sandbox.requests.some(({ route }) => route === createRoute)).toBe(false)
  })
})

test.concurrent('a gateway that is not there ends the run with 3, and it can be gone on with', async () => {
  await using at = await gateway()
  const file = fileOf(at.folder, csvOf(payoutsOf(1)))
  const env = { ...at.env, GATEWAY_BASE_URL: await closedAddress() }
  const { code, stdout, stderr } = await runHere(['payouts', 'send', file, '--yes'], env)
  expect({ code, stdout }).toMatchObject(says(3, '1 not sent'))
  expect(stderr).toContain('payouts send')
  expect((await at.send(file)).code).toBe(0)
})

test.concurrent('what is still to be sent is asked about, however much was sent before', async () => {
  await using at = await gateway()
  const file = fileOf(at.folder, csvOf(payoutsOf(1)))
  await at.send(file)
  appendFileSync(file, csvOf(payoutsOf(1, 'x')).split('\n').slice(1).join('\n'))
  const running = start(['payouts', 'send', file], at)
  expect(await running.finished).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nobody can be asked'),
  })
})
