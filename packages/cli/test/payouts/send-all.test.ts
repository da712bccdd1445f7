import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
} from '../../../../src/index.js'
import type { PaymentJob, PaymentJobState, PaymentVerdict } from '../../../../src/jobs/index.js'
import { Counter } from '../../src/payouts/counts.js'
import { recordOf } from '../../src/payouts/line-record.js'
import { now, ResultsFile } from '../../src/payouts/results-file.js'
import { type Outage, sendAll, type Task } from '../../src/payouts/send-all.js'

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
  const record = recordOf(2, request, 'salt')
  return {
    idPayout,
    line,
    record,
    sentBefore,
    starts,
    state: undefined,
    isNoted: starts > 0,
    dueMs: 0,
    isOpen: true,
  }
}

const impatient = { concurrency: 2, firstAnswerMs: 0, nextAnswerMs: 0, outageMs: 0 }

async function outcomes(
  name: string,
  tasks: readonly Task[],
  job: PaymentJob<'payout'>,
  { stop = new AbortController(), limits = impatient, firstAlone = false } = {},
) {
  const file = await ResultsFile.open(join(folder, name))
  const counter = new Counter()
  for (const { idPayout, record, isNoted } of tasks) {
    counter.add(isNoted ? 'unknown' : 'waiting')
    if (isNoted && record !== undefined)
      await file.append({ event: 'started', idPayout, at: 'before', ...record })
  }
  const { signal: abort } = new AbortController()
  const outages: string[] = []
  const onOutage = ({ error }: Outage) => void outages.push(error.code)
  const options = { job, file, counter, follow: true, firstAlone, stop: stop.signal, abort, limits, onOutage }
  const gaveUp = await sendAll(tasks, options)
  await file.close()
  return { outages, gaveUp, counts: counter.now, of: (id: string) => file.results.get(id)?.outcome }
}

test('a payout of a year that gateways write in place of a time is not older than its run', async () => {
  const job: PaymentJob<'payout'> = async ({ idPayout }) => done(idPayout, '0001-01-01T00:00:00Z')
  const { of } = await outcomes('no-year', [taskOf('own', '2026-11-03T09:59:00.000Z')], job)
  expect(of('own')?.state).toBe('paid')
})

const done = (idPayout: string, createdAt: string) =>
  ({
    then: 'done',
    final: true,
    payment: {
      paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
      process: { status: 'SUCCESS', createdAt, processedAt: createdAt },
      fee: { amount: 0.25, currencyCode: 'EUR' },
      paymentMethodResponse: { idPayout },
    },
  }) as const

test('a payout that is much older than the run that was killed before it is not that of the run', async () => {
  const job: PaymentJob<'payout'> = async ({ idPayout }) => done(idPayout, '2026-11-03T10:00:00.000Z')
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

test('what is booked from is kept as the gateway writes it: reference, fee and dates; anything else there is not', async () => {
  const at = '2026-11-03T10:00:00.000Z'
  const job: PaymentJob<'payout'> = async ({ idPayout }) => {
    const { then, payment: payout } = done(idPayout, at)
    const reference = idPayout === 'good' ? 'TX-900001' : { evil: 1 }
    const fee = idPayout === 'good' ? payout.fee : { amount: Number.NaN, currencyCode: 'x'.repeat(1000) }
    return {
      then,
      final: true,
      payment: { ...payout, fee, paymentMethodResponse: { ...payout.paymentMethodResponse, reference } },
    }
  }
  const { of } = await outcomes('booked', [taskOf('good'), taskOf('odd')], job)
  expect(of('good')).toEqual({
    state: 'paid',
    status: 'SUCCESS',
    fee: '0.25',
    feeCurrencyCode: 'EUR',
    createdAt: at,
    processedAt: at,
    reference: 'TX-900001',
  })
  expect(of('odd')).toMatchObject({ state: 'paid', fee: undefined, reference: undefined })
  expect(of('odd')?.feeCurrencyCode).toHaveLength(100)
})

test('creates go before looks, so many at once, and each is announced before it is sent', async () => {
  const order: string[] = []
  let underWay = 0
  const job: PaymentJob<'payout'> = async ({ idPayout }, { starts, state }) => {
    expect(++underWay).toBeLessThanOrEqual(2)
    await Promise.resolve()
    underWay--
    order.push(`${idPayout}${starts}`)
    if (state !== undefined) return done(idPayout, '2026-11-03T10:00:00.000Z')
    const next: PaymentJobState = { v: 1, step: 'follow', sent: 'accepted', starts, tries: 0 }
    return { then: 'again', afterMs: 0, because: 'following', state: next }
  }
  const { counts } = await outcomes('order', [taskOf('a'), taskOf('b'), taskOf('c')], job)
  expect(order.slice(0, 3)).toEqual(['a1', 'b1', 'c1'])
  expect(order.slice(3).sort()).toEqual(['a2', 'b2', 'c2'])
  expect(counts).toMatchObject({ paid: 3, waiting: 0, unknown: 0 })
})

test('what certainly was not sent is noted when the run is stopped, and what may have been is not', async () => {
  const stop = new AbortController()
  const job: PaymentJob<'payout'> = async ({ idPayout }, { starts }) => {
    if (idPayout === 'maybe') stop.abort()
    const sent = idPayout === 'maybe' ? 'maybe' : 'no'
    return {
      then: 'again',
      afterMs: 0,
      because: 'unavailable',
      state: { v: 1, step: 'create', sent, starts, tries: 1 },
    }
  }
  const { counts, of } = await outcomes('stopped', [taskOf('no'), taskOf('maybe')], job, { stop })
  expect(of('no')?.state).toBe('unsent')
  expect(of('maybe')).toBeUndefined()
  expect(counts).toMatchObject({ waiting: 1, unknown: 1 })
})

test('what the settings of this process refuse ends the run at once, though others were answered', async () => {
  const error = new ConfigurationError('the client is for tests.', { option: 'live' })
  const job: PaymentJob<'payout'> = async ({ idPayout }, { starts }) => {
    if (idPayout === 'first') return done(idPayout, now())
    const state: PaymentJobState = { v: 1, step: 'create', sent: 'no', starts, tries: 1 }
    return { then: 'again', afterMs: 0, because: 'setup', state, error }
  }
  const limits = { concurrency: 1, firstAnswerMs: 30_000, nextAnswerMs: 1_800_000, outageMs: 5000 }
  const { counts, gaveUp } = await outcomes('settings', [taskOf('first'), taskOf('next')], job, { limits })
  expect(gaveUp).toEqual({ error })
  expect(counts).toMatchObject({ paid: 1, waiting: 1 })
})

test('each time without an answer is told once, and a single try in vain is not', async () => {
  const error = new ConnectionError('no connection could be made.')
  const job: PaymentJob<'payout'> = async ({ idPayout }, { starts }) => {
    // Two tries of two payouts in vain, an answer to the first, and two more in vain.
    if (idPayout === 'first' ? starts > 2 : starts > 4) return done(idPayout, now())
    const state: PaymentJobState = { v: 1, step: 'create', sent: 'maybe', starts, tries: 1 }
    return { then: 'again', afterMs: 0, because: 'unanswered', state, error }
  }
  const patient = { concurrency: 2, firstAnswerMs: 30_000, nextAnswerMs: 30_000 }
  const tasks = () => [taskOf('first'), taskOf('next')]
  const each = await outcomes('outages', tasks(), job, { limits: { ...patient, outageMs: 0 } })
  expect(each.outages).toEqual(['connection', 'connection'])
  const short = await outcomes('short', tasks(), job, { limits: { ...patient, outageMs: 5000 } })
  expect(short.outages).toEqual([])
})

describe('the first payout alone', () => {
  const started: string[] = []
  const error = new ConfigurationError('a real payment.', { option: 'live' })
  const refusal = new InvalidRequestError('no such bank.', { status: 422 })
  const follow = (starts: number, more = {}): PaymentVerdict<'payout'> => {
    const state: PaymentJobState = { v: 1, step: 'follow', sent: 'accepted', starts, tries: 1 }
    return { then: 'again', afterMs: 0, because: 'following', state, ...more }
  }
  const refused = (starts: number): PaymentVerdict<'payout'> => ({
    ...{ then: 'stop', because: 'refused', error: refusal },
    state: first(starts),
  })
  const run = (name: string, look: (starts: number) => PaymentVerdict<'payout'>, none = refused) => {
    started.splice(0)
    const job: PaymentJob<'payout'> = async ({ idPayout }, { starts, state }) => {
      started.push(idPayout)
      if (state !== undefined) return idPayout === 'a' ? look(starts) : done(idPayout, now())
      // Nothing of this one is there to look at.
      if (idPayout === 'none') return none(starts)
      return follow(starts)
    }
    const tasks = ['none', 'a', 'b', 'c'].map((id) => taskOf(id))
    return outcomes(name, tasks, job, { firstAlone: true })
  }
  const first = (starts: number): PaymentJobState => ({ v: 1, step: 'create', sent: 'no', starts, tries: 0 })

  test('is looked at before another is sent', async () => {
    const { counts } = await run('first', () => done('a', now()))
    expect(started.slice(0, 3)).toEqual(['none', 'a', 'a'])
    expect(counts).toMatchObject({ refused: 1, paid: 3 })
  })

  test('ends the run where its money is not what the client is for', async () => {
    const { counts, gaveUp } = await run('refused', (starts) => ({
      ...{ then: 'stop', because: 'look', error },
      state: { ...first(starts), step: 'follow', sent: 'accepted' },
    }))
    expect(started).toEqual(['none', 'a', 'a'])
    expect(counts).toMatchObject({ look: 1, waiting: 2 })
    expect(gaveUp).toEqual({ error })
  })

  test('is the next one where one gets no answer, which keeps no other back', async () => {
    const unanswered = (starts: number): PaymentVerdict<'payout'> => ({
      ...{ then: 'again', afterMs: 0, because: 'unanswered' },
      state: { ...first(starts), sent: 'maybe' },
    })
    const { counts } = await run('unanswered', () => done('a', now()), unanswered)
    expect(started.slice(0, 4)).toEqual(['none', 'a', 'a', 'none'])
    expect(counts).toMatchObject({ paid: 4 })
  })

  test('is waited for while the gateway does not show it yet, but not for long', async () => {
    const unseen = new NotFoundError('not yet.', { status: 404 })
    await run('unseen', (starts) => (starts < 6 ? follow(starts, { error: unseen }) : done('a', now())))
    expect(started.slice(0, 7)).toEqual(['none', 'a', 'a', 'a', 'a', 'b', 'c'])
  })
})
