import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { askedOf } from '../../../src/cli/payouts/asked.js'
import { Counter } from '../../../src/cli/payouts/counts.js'
import { ResultsFile } from '../../../src/cli/payouts/results-file.js'
import { sendAll, type Task } from '../../../src/cli/payouts/send-all.js'
import type { PayoutJob, PayoutJobState } from '../../../src/payouts/job/index.js'

const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-send-all-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function taskOf(idPayout: string, sentBefore?: string): Task {
  const request = {
    idPayout,
    paymentRequested: { money: { amount: '10', currencyCode: 'EUR' } },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1' } },
  }
  const line = { line: 2, request }
  const starts = sentBefore === undefined ? 0 : 1
  const asked = askedOf(2, request, 'salt')
  return {
    idPayout,
    line,
    asked,
    sentBefore,
    starts,
    state: undefined,
    isNoted: starts > 0,
    dueMs: 0,
    isOpen: true,
  }
}

async function outcomes(name: string, tasks: readonly Task[], job: PayoutJob, stop = new AbortController()) {
  const file = await ResultsFile.open(join(folder, name))
  const counter = new Counter()
  for (const { idPayout, asked, isNoted } of tasks) {
    counter.add(isNoted ? 'unknown' : 'waiting')
    if (isNoted && asked !== undefined)
      await file.append({ event: 'started', idPayout, at: 'before', ...asked })
  }
  const limits = { concurrency: 2, firstAnswerMs: 0, nextAnswerMs: 0 }
  const { signal: abort } = new AbortController()
  await sendAll(tasks, { job, file, counter, follow: true, stop: stop.signal, abort, limits })
  await file.close()
  return { counts: counter.now, of: (id: string) => file.results.get(id)?.outcome }
}

const done = (idPayout: string, createdAt: string) =>
  ({
    then: 'done',
    payout: {
      paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
      process: { status: 'SUCCESS', createdAt, processedAt: createdAt },
      fee: { amount: 0.25, currencyCode: 'EUR' },
      paymentMethodResponse: { idPayout },
    },
  }) as const

test('a payout that is much older than the run that was killed before it is not that of the run', async () => {
  const job: PayoutJob = async ({ idPayout }) => done(idPayout, '2026-11-03T10:00:00.000Z')
  const tasks = [
    taskOf('old', '2026-12-03T10:00:00.000Z'),
    taskOf('own', '2026-11-03T09:59:00.000Z'),
    taskOf('new'),
  ]
  const { of } = await outcomes('old', tasks, job)
  expect(of('old')).toMatchObject({
    state: 'look',
    reason: expect.stringContaining('since 2026-11-03T10:00:00.000Z'),
  })
  expect(of('own')).toMatchObject({ state: 'paid', fee: '0.25', feeCurrencyCode: 'EUR' })
  expect(of('new')?.state).toBe('paid')
})

test('creates go before looks, so many at once, and each is announced before it is sent', async () => {
  const order: string[] = []
  let underWay = 0
  const job: PayoutJob = async ({ idPayout }, { starts, state }) => {
    expect(++underWay).toBeLessThanOrEqual(2)
    await Promise.resolve()
    underWay--
    order.push(`${idPayout}${starts}`)
    if (state !== undefined) return done(idPayout, '2026-11-03T10:00:00.000Z')
    const next: PayoutJobState = { v: 1, step: 'follow', sent: 'accepted', starts, tries: 0 }
    return { then: 'again', afterMs: 0, because: 'following', state: next }
  }
  const { counts } = await outcomes('order', [taskOf('a'), taskOf('b'), taskOf('c')], job)
  expect(order.slice(0, 3)).toEqual(['a1', 'b1', 'c1'])
  expect(order.slice(3).sort()).toEqual(['a2', 'b2', 'c2'])
  expect(counts).toMatchObject({ paid: 3, waiting: 0, unknown: 0 })
})

test('what certainly was not sent is noted when the run is stopped, and what may have been is not', async () => {
  const stop = new AbortController()
  const job: PayoutJob = async ({ idPayout }, { starts }) => {
    if (idPayout === 'maybe') stop.abort()
    const sent = idPayout === 'maybe' ? 'maybe' : 'no'
    return {
      then: 'again',
      afterMs: 0,
      because: 'unavailable',
      state: { v: 1, step: 'create', sent, starts, tries: 1 },
    }
  }
  const { counts, of } = await outcomes('stopped', [taskOf('no'), taskOf('maybe')], job, stop)
  expect(of('no')?.state).toBe('unsent')
  expect(of('maybe')).toBeUndefined()
  expect(counts).toMatchObject({ waiting: 1, unknown: 1 })
})
