import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Counter, stateOf, stepOf } from '../../src/payouts/counts.js'
import { recordOf } from '../../src/payouts/line-record.js'
import { linesOfTotals, planOf } from '../../src/payouts/plan.js'
import { type Entry, entryOf, type Outcome, Results } from '../../src/payouts/results.js'
import { ResultsFile, readResults } from '../../src/payouts/results-file.js'
import { writeIds } from '../../src/payouts/write-ids.js'

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
const started = (idPayout = 'w-1', method = 'abcdef012345'): Entry => ({
  event: 'started',
  idPayout,
  line: 2,
  amount: '1.50',
  currencyCode: 'EUR',
  method,
  at,
})
const outcome = (state: Outcome['state']): Entry => ({ event: 'outcome', idPayout: 'w-1', state, at })
const run = (pid: number, host = hostname()): Entry => ({
  event: 'run',
  run: `${pid}@${host}`,
  pid,
  host,
  at,
})
/** No process has this number. */
const nobody = 2 ** 22 + 1

describe('what the results say of a payout', () => {
  test.each<[string, Entry[], string]>([
    ['nothing', [], 'waiting'],
    ['a start', [started()], 'unknown'],
    ['a start that sent nothing', [started(), outcome('unsent')], 'waiting'],
    ['the next start after one that sent nothing', [started(), outcome('unsent'), started()], 'unknown'],
    ['an acceptance', [started(), outcome('accepted')], 'accepted'],
    ['an end', [started(), outcome('accepted'), outcome('refused')], 'refused'],
    ['a start after a refusal', [started(), outcome('refused'), started()], 'unknown'],
  ])('after %s', (_, entries, wanted) => {
    const results = new Results('salt')
    for (const entry of entries) results.add(entry)
    expect(stateOf(results.get('w-1'))).toBe(wanted)
  })

  test.each([
    '',
    '{',
    '{"event":"outcome"}',
    '{"event":"started","idPayout":"a"}',
    '[]',
    '{"event":"begun","version":3}',
    '{"event":"outcome","idPayout":"a","at":"b","state":"good"}',
  ])('is nothing where a line is not ours: %s', (line) => {
    expect(entryOf(line)).toBeUndefined()
  })
})

describe('the results file', () => {
  const path = () => join(folder, 'payouts.csv.results.ndjson')
  const write = (...entries: Entry[]) =>
    writeFileSync(
      path(),
      [{ event: 'begun', version: 2, salt: '00', at }, ...entries]
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )

  test("is found again as it was written, whatever came at once, and is nobody else's to read", async () => {
    const file = await ResultsFile.open(path())
    await Promise.all(Array.from({ length: 300 }, (_, index) => file.append(started(`w-${index}`))))
    await file.close()
    const again = await readResults(path())
    expect(again?.all.size).toBe(300)
    expect(again?.salt).toBe(file.results.salt)
    expect(again?.runs).toEqual([])
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test("is nobody else's to read any more where it was", async () => {
    write(started())
    chmodSync(path(), 0o644)
    await (await ResultsFile.open(path())).close()
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('loses nothing but a line that was torn', async () => {
    write(started())
    appendFileSync(path(), JSON.stringify(started('w-2')).slice(0, 40))
    expect((await readResults(path()))?.all.size).toBe(1)
    const next = await ResultsFile.open(path())
    await next.append(started('w-3'))
    await next.close()
    expect([...((await readResults(path()))?.all.keys() ?? [])]).toEqual(['w-1', 'w-3'])
  })

  test('is refused when a line before its end is not ours', async () => {
    write(started())
    appendFileSync(path(), 'Jana\n')
    await expect(ResultsFile.open(path())).rejects.toThrow(
      /line 3 of \S+ is not what this program has written/,
    )
  })

  test.each([
    ['1', ''],
    ['1, of which the run goes on', '{"event":"run","run":"a","pid":1,"host":"b","at":"c"}\n'],
    ['3', ''],
  ])('of form %s is refused by a sentence that says what to do', async (form, next) => {
    writeFileSync(path(), `{"event":"begun","version":${form[0]},"salt":"00","at":"a"}\n${next}`)
    await expect(ResultsFile.open(path())).rejects.toThrow(
      /was written by another version of this program, so nothing was sent; finish this file/,
    )
  })

  test('begins anew when its very first line was torn', async () => {
    writeFileSync(path(), '{"event":"beg')
    expect(await readResults(path())).toBeUndefined()
    await (await ResultsFile.open(path())).close()
    expect((await readResults(path()))?.salt).toMatch(/^[0-9a-f]{32}$/)
  })

  test('takes nothing more once the disk has refused a line', async () => {
    const file = await ResultsFile.open(path())
    await file.close()
    await expect(file.append(started())).rejects.toThrow(
      /so no further payout was sent; correct that and run this again/,
    )
    await expect(file.append(started('w-2'))).rejects.toThrow()
  })

  test('can be read and gone on with after a full disk took a part of a line, and had room for the next', async () => {
    const file = await ResultsFile.open(path())
    await file.append(started())
    const handle = await open(path())
    const full = vi.spyOn(Object.getPrototypeOf(handle), 'appendFile').mockImplementationOnce(async () => {
      appendFileSync(path(), JSON.stringify(started('w-2')).slice(0, 40))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    })
    await handle.close()
    try {
      await expect(file.append(started('w-2'))).rejects.toThrow(/does not fit on the disk/)
    } finally {
      full.mockRestore()
    }
    await file.close()
    expect([...((await readResults(path()))?.all.keys() ?? [])]).toEqual(['w-1'])
    await (await ResultsFile.open(path())).close()
  })

  test('is not written through a link that somebody has put there', async () => {
    const target = join(folder, 'target')
    writeFileSync(target, '')
    symlinkSync(target, path())
    await expect(ResultsFile.open(path())).rejects.toThrow(/is a link/)
    expect(readFileSync(target, 'utf8')).toBe('')
  })

  test.each([
    ['alive', process.ppid, hostname()],
    ['on another machine', 1, 'another.example'],
  ])('is left to a run that is %s, unless somebody says that there is none', async (_, pid, host) => {
    write(run(pid, host))
    await expect(ResultsFile.open(path())).rejects.toThrow(`process ${pid} on ${host} is sending this file`)
    const file = await ResultsFile.open(path(), true)
    await file.close()
  })

  test('is free after a run that has left, and after one that was killed', async () => {
    write(run(process.ppid), { event: 'left', run: `${process.ppid}@${hostname()}` }, run(nobody))
    await (await ResultsFile.open(path())).close()
  })
})

describe('a plan', () => {
  const line = (number: number, idPayout: string, accountNumber = `12345678-${number}`, amount = '10') => ({
    line: number,
    request: {
      idPayout,
      paymentRequested: { money: { amount, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'Jana', accountNumber } },
    },
  })
  const sent = (...lines: ReturnType<typeof line>[]) => {
    const results = new Results('salt')
    for (const { line, request } of lines) {
      const { idPayout } = request
      results.add({ event: 'started', idPayout, at, ...recordOf(line, request, 'salt') })
      results.add({ event: 'outcome', idPayout, at, state: 'paid' })
    }
    return results
  }

  test('stops lines that were sent under ids that are in the file no more, wherever they stand now', () => {
    const results = sent(line(2, 'a'), line(3, 'b'))
    const back = [line(7, 'x', '12345678-3'), line(8, 'y', '12345678-2'), line(9, 'z')]
    expect(() => planOf(back, results, {})).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('2 lines of the file would be paid a second time'),
        problems: [
          { line: 7, reason: expect.stringContaining('under the idPayout b,') },
          { line: 8, reason: expect.stringContaining('under the idPayout a,') },
        ],
      }),
    )
    const plan = planOf(back, results, { payAgain: true })
    expect(plan.tasks).toHaveLength(3)
    results.add({ event: 'agreed', lines: plan.lines, again: true, at })
    expect(planOf(back, results, {}).tasks).toHaveLength(3)
    expect(() => planOf(back.slice(1), results, {})).toThrow(/second time/)
  })

  test('names twins, and stops none of them', () => {
    const twin = line(5, 'b', '12345678-2', '10.00')
    expect(planOf([line(2, 'a'), line(3, 'c'), twin], new Results('salt'), {})).toMatchObject({
      twins: [{ line: 5, first: 2 }],
      tasks: [{}, {}, {}],
    })
  })

  test('counts and follows what was sent and is in the file no more', () => {
    const results = sent(line(2, 'a'), line(3, 'b'), line(4, 'c'))
    results.add({ event: 'outcome', idPayout: 'b', at, state: 'accepted' })
    results.add({ event: 'outcome', idPayout: 'c', at, state: 'refused' })
    const plan = planOf([line(9, 'd')], results, {})
    expect(plan.counter.now).toMatchObject({ paid: 1, accepted: 1, waiting: 1, refused: 0 })
    expect(plan.withoutLine).toBe(2)
    expect(plan.tasks.map(({ idPayout }) => idPayout)).toEqual(['d', 'b'])
  })
})

describe('ids that are written into a file', () => {
  test('leave its empty cells, whatever is between them', async () => {
    const path = join(folder, 'tabs.csv')
    const head =
      'idPayout\tamount\tcurrencyCode\tpaymentMethodCode\taccountNumber\tcallbackUrl\tpaymentOperatorCode'
    const text = `${head}\n\t10\tEUR\tBANK_TRANSFER\t1\t\t\n`
    writeFileSync(path, text)
    await writeIds(path, 'csv', text, async () => {})
    expect(readFileSync(path, 'utf8')).toMatch(/\n[\da-f-]{36}\t10\tEUR\tBANK_TRANSFER\t1\t\t\n$/)
  })

  test('are not written under one of several names, for the other would pay everybody again', async () => {
    const path = join(folder, 'names.csv')
    const text = 'amount,currencyCode,paymentMethodCode,accountNumber\n10,EUR,BANK_TRANSFER,1\n'
    writeFileSync(path, text)
    linkSync(path, join(folder, 'other.csv'))
    await expect(writeIds(path, 'csv', text, async () => {})).rejects.toThrow(
      /names\.csv has 2 names \(hard links\)/,
    )
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
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
    expect(recordOf(2, turned, 'salt')).toEqual(recordOf(2, request('1'), 'salt'))
    expect(recordOf(2, request('2'), 'salt').method).not.toBe(recordOf(2, request('1'), 'salt').method)
    expect(recordOf(2, request('1'), 'other').method).not.toBe(recordOf(2, request('1'), 'salt').method)
    expect(recordOf(2, request('1'), 'salt')).toEqual({
      line: 2,
      amount: '1.5',
      currencyCode: 'EUR',
      method: expect.stringMatching(/^[0-9a-f]{12}$/),
      payee: 'J.',
    })
  })
})

test('a balance stands beside its sum, and whatever a gateway writes there moves no cursor', () => {
  const totals = [{ currencyCode: 'EUR', payouts: 2, amount: '35.00' }]
  expect(linesOfTotals(totals, new Map([['EUR', '100.5']]))).toEqual([
    '  2 payouts, 35.00 EUR (balance: 100.5 EUR)',
  ])
  const [line = ''] = linesOfTotals(totals, new Map([['EUR', `9\r\u001b[2J${'9'.repeat(1000)}`]]))
  expect(line).toMatch(/^ {2}2 payouts, 35\.00 EUR \(balance: 9\\u000d\\u001b\[2J9+ EUR\)$/)
  expect(line.length).toBeLessThan(100)
})

test.each([
  [
    'what is refused stands beside what still waits',
    { waiting: 118, paid: 1, refused: 1 },
    { doing: 'sending', done: 2, total: 120, besides: '1 refused' },
  ],
  [
    'without an answer is not done',
    { unknown: 3, accepted: 2 },
    { doing: 'sending', done: 2, total: 5, besides: '' },
  ],
  [
    'when all are accepted, those that are final count',
    { accepted: 4, paid: 2, failed: 1 },
    { doing: 'following', done: 3, total: 7, besides: '1 failed' },
  ],
])('of the progress: %s', (_, some, wanted) => {
  expect(stepOf({ ...new Counter().now, ...some }, true)).toEqual(wanted)
})

test('where nothing is followed, all that is accepted is done', () => {
  expect(stepOf({ ...new Counter().now, accepted: 4 }, false)).toMatchObject({ doing: 'sending', done: 4 })
})
