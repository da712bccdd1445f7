import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { askedOf } from '../../../src/cli/payouts/asked.js'
import { stateOf } from '../../../src/cli/payouts/counts.js'
import { DueQueue } from '../../../src/cli/payouts/due-queue.js'
import { lock } from '../../../src/cli/payouts/lock-file.js'
import { Pace } from '../../../src/cli/payouts/progress.js'
import { type Entry, entryOf, Results } from '../../../src/cli/payouts/results.js'
import { ResultsFile, readResults } from '../../../src/cli/payouts/results-file.js'
import { writeIds } from '../../../src/cli/payouts/write-ids.js'
import type { PayoutJobState } from '../../../src/jobs/index.js'

const made: string[] = []
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-parts-'))
  made.push(folder)
})
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true })
})

const at = '2026-11-22T00:00:00.000Z'
const started = (starts: number, idPayout = 'w-1'): Entry => ({
  event: 'started',
  idPayout,
  line: 2,
  amount: '1.50',
  currencyCode: 'EUR',
  method: 'abcdef',
  starts,
  at,
})
const state = (sent: PayoutJobState['sent'], starts: number): PayoutJobState => ({
  v: 1,
  step: sent === 'accepted' ? 'follow' : 'create',
  sent,
  starts,
  tries: 0,
})

describe('what is due', () => {
  test('comes out the earliest first, and of one time as it came in', () => {
    const queue = new DueQueue<string>()
    const all = Array.from({ length: 500 }, (_, index) => ({ dueMs: (index * 7919) % 50, name: `${index}` }))
    for (const { dueMs, name } of all) queue.add(name, dueMs)
    const wanted = all.toSorted((a, b) => a.dueMs - b.dueMs).map(({ name }) => name)
    expect(Array.from({ length: 500 }, () => queue.take(50))).toEqual(wanted)
    expect(queue.take(50)).toBeUndefined()
  })

  test('waits until it is', () => {
    const queue = new DueQueue<string>()
    queue.add('later', 10)
    expect(queue.take(9)).toBeUndefined()
    expect(queue.nextMs).toBe(10)
    expect(queue.take(10)).toBe('later')
    expect(queue.nextMs).toBeUndefined()
  })
})

describe('what the results say of a payout', () => {
  function knownAfter(...entries: Entry[]) {
    const results = new Results('salt')
    for (const entry of entries) results.add(entry)
    return results.get('w-1')
  }
  const noted = (of: PayoutJobState): Entry => ({ event: 'state', idPayout: 'w-1', state: of, at })
  const refused: Entry = { event: 'ended', idPayout: 'w-1', result: 'refused', reason: 'no', at }

  test.each<[string, Entry[], string]>([
    ['nothing', [], 'waiting'],
    ['a start', [started(1)], 'unknown'],
    ['a start that sent nothing', [started(1), noted(state('no', 1))], 'waiting'],
    [
      'the next start after one that sent nothing',
      [started(1), noted(state('no', 1)), started(2)],
      'unknown',
    ],
    ['an acceptance', [started(1), noted(state('accepted', 1))], 'accepted'],
    ['a start after an acceptance', [started(1), noted(state('accepted', 1)), started(2)], 'accepted'],
    ['an end', [started(1), refused], 'refused'],
    ['a start after a refusal', [started(1), refused, started(1)], 'unknown'],
  ])('after %s', (_, entries, wanted) => {
    expect(stateOf(knownAfter(...entries))).toBe(wanted)
  })

  test('tells a start that was lost by its number', () => {
    expect(knownAfter(started(1), noted(state('no', 1)), started(2))).toMatchObject({
      starts: 2,
      state: { starts: 1 },
    })
  })

  test.each([
    '',
    '{',
    '{"event":"ended"}',
    '{"event":"started","idPayout":"a"}',
    '[]',
    '{"event":"begun","version":2}',
  ])('is nothing where a line is not ours: %s', (line) => {
    expect(entryOf(line)).toBeUndefined()
  })
})

describe('the results file', () => {
  const path = () => join(folder, 'payouts.csv.results.ndjson')

  test('is found again as it was written, whatever came at once', async () => {
    const file = await ResultsFile.open(path())
    await Promise.all(Array.from({ length: 300 }, (_, index) => file.append(started(1, `w-${index}`))))
    await file.close()
    const again = await readResults(path())
    expect([...(again?.results.ids() ?? [])]).toHaveLength(300)
    expect(again?.results.salt).toBe(file.results.salt)
  })

  test('loses nothing but a line that was torn', async () => {
    const file = await ResultsFile.open(path())
    await file.append(started(1))
    await file.close()
    const whole = readFileSync(path(), 'utf8')
    appendFileSync(path(), JSON.stringify(started(1, 'w-2')).slice(0, 40))
    expect((await readResults(path()))?.results.get('w-2')).toBeUndefined()
    const next = await ResultsFile.open(path())
    await next.append(started(2))
    await next.close()
    expect(readFileSync(path(), 'utf8')).toBe(`${whole}${JSON.stringify(started(2))}\n`)
  })

  test('begins anew when its very first line was torn', async () => {
    writeFileSync(path(), '{"event":"beg')
    expect(await readResults(path())).toBeUndefined()
    await (await ResultsFile.open(path())).close()
    expect((await readResults(path()))?.results.salt).toMatch(/^[0-9a-f]{32}$/)
  })

  test('takes nothing more once the disk has refused a line', async () => {
    const file = await ResultsFile.open(path())
    await file.close()
    await expect(file.append(started(1))).rejects.toThrow(
      /so no further payout was sent; mend that and run this again/,
    )
    await expect(file.append(started(2))).rejects.toThrow()
  })
})

describe('ids that are written into a file', () => {
  test('leave its empty cells, whatever is between them', async () => {
    const path = join(folder, 'tabs.csv')
    const head =
      'idPayout\tamount\tcurrencyCode\tpaymentMethodCode\taccountNumber\tcallbackUrl\tpaymentOperatorCode'
    const text = `${head}\n\t10\tEUR\tBANK_TRANSFER\t1\t\t\n`
    writeFileSync(path, text)
    await writeIds(path, 'csv', text)
    expect(readFileSync(path, 'utf8')).toMatch(/\n[\da-f-]{36}\t10\tEUR\tBANK_TRANSFER\t1\t\t\n$/)
  })

  test('are not written under one of several names, for the other would pay everybody again', async () => {
    const path = join(folder, 'names.csv')
    const text = 'amount,currencyCode,paymentMethodCode,accountNumber\n10,EUR,BANK_TRANSFER,1\n'
    writeFileSync(path, text)
    linkSync(path, join(folder, 'other.csv'))
    await expect(writeIds(path, 'csv', text)).rejects.toThrow(/names\.csv has 2 names \(hard links\)/)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

describe('the lock', () => {
  const path = () => join(folder, 'payouts.csv.lock')

  test('is given back', () => {
    const unlock = lock(path())
    expect(existsSync(path())).toBe(true)
    unlock()
    expect(existsSync(path())).toBe(false)
  })

  test.each([
    ['alive', { pid: process.ppid, host: hostname() }],
    ['on another machine', { pid: 1, host: 'another.example' }],
  ])('of a process that is %s is respected', (_, holder) => {
    writeFileSync(path(), JSON.stringify(holder))
    expect(() => lock(path())).toThrow(/is sending this file/)
  })

  test('that nobody has written into yet is respected, while it is new', () => {
    writeFileSync(path(), '')
    expect(() => lock(path())).toThrow(/another process is sending this file/)
  })

  test('is taken over by one at a time', () => {
    writeFileSync(path(), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }))
    writeFileSync(`${path()}.takeover`, JSON.stringify({ pid: process.ppid, host: hostname() }))
    expect(() => lock(path())).toThrow(/takeover/)
  })

  test.each([JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), '', 'torn'])(
    'of a process that is gone is taken over: %s',
    (content) => {
      writeFileSync(path(), content)
      utimesSync(path(), 0, 0)
      lock(path())()
      expect(existsSync(path())).toBe(false)
    },
  )
})

describe('what is kept of a line', () => {
  const request = (accountNumber: string) => ({
    idPayout: 'w-1',
    paymentRequested: { money: { amount: 1.5, currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'Jana', accountNumber } },
  })

  test('changes with the account, and not with the order of its fields', () => {
    const { paymentMethod, ...rest } = request('1')
    const { account, ...others } = paymentMethod
    const turned = {
      ...rest,
      paymentMethod: { account: { accountNumber: '1', accountName: 'Jana' }, ...others },
    }
    expect(account.accountName).toBe('Jana')
    expect(askedOf(2, turned, 'salt')).toEqual(askedOf(2, request('1'), 'salt'))
    expect(askedOf(2, request('2'), 'salt').method).not.toBe(askedOf(2, request('1'), 'salt').method)
    expect(askedOf(2, request('1'), 'other').method).not.toBe(askedOf(2, request('1'), 'salt').method)
    expect(askedOf(2, request('1'), 'salt')).toEqual({
      line: 2,
      amount: '1.5',
      currencyCode: 'EUR',
      method: expect.stringMatching(/^[0-9a-f]{6}$/),
    })
  })
})

test('the pace is that of the last seconds, once there are some', () => {
  const pace = new Pace()
  const at = (seconds: number, done: number) => pace.text({ done, total: 1000 }, seconds * 1000)
  expect(at(0, 0)).toBe('')
  expect(at(0.5, 5)).toBe('')
  expect(at(10, 100)).toBe(', 10.0/s, 1 min 30 s left')
  for (let second = 11; second <= 40; second++) at(second, 100 + (second - 10) * 5)
  expect(at(41, 255)).toMatch(/^, 5\.0\/s/)
})
