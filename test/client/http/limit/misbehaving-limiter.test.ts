import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Failure, isFailure } from '../../../../src/client/http/failure.js'
import type { Limiter } from '../../../../src/client/http/limit/limiter.js'
import type { Granted } from '../../../../src/client/http/limit/queue.js'
import { PermitQueue } from '../../../../src/client/http/limit/queue.js'
import { turns } from '../../../support/turns.js'

const patient = { signal: undefined, remainingMs: 60_000 }

function fall(): never {
  throw new Error('redis is down')
}

class Thenable extends Promise<void> {
  constructor() {
    super((_resolve, reject) => reject(new Error('redis is down')))
  }
  static override get [Symbol.species]() {
    return Promise
  }
}

/** The failure that a call for a permit ends with. */
async function failureOf(take: () => Promise<Granted | Failure>): Promise<Failure> {
  const came = await take()
  if (!isFailure(came)) throw new Error('the permit was granted')
  return came
}

describe('a limiter that misbehaves harms nobody', () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  beforeEach(() => {
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    expect(rejections.splice(0)).toEqual([])
  })

  it('gives a permit that throws when it is read', async () => {
    const permit = {
      get useBefore(): number {
        throw new Error('no')
      },
    }
    for (const acquire of [() => permit, async () => permit]) {
      const queue = new PermitQueue({ limiter: { acquire }, maxQueued: 10 })
      expect(await failureOf(() => queue.take('create', patient))).toMatchObject({ kind: 'limiter' })
    }
  })

  it.each<readonly [string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('redis is down'))],
    [
      'throws',
      () => {
        throw new Error('redis is down')
      },
    ],
    ['gives a promise of another kind that rejects', () => new Thenable()],
    ['gives what can not even be looked at', () => new Proxy({}, { has: () => fall(), get: () => fall() })],
  ])('when its sent() %s', async (_how, sent) => {
    const limiter = { acquire: () => undefined, sent }
    const budget = new PermitQueue({ limiter, maxQueued: 10 })
    await budget.take('create', patient)
    expect(() => budget.sent()).not.toThrow()
    await turns()
  })

  it.each<readonly [string, unknown]>([
    ['a number', 5],
    ['null', null],
    ['an object', {}],
    ['a promise of something', Promise.resolve('yes')],
  ])('when its acquire() gives %s, which is a permit', async (_what, given) => {
    const limiter: Limiter = { acquire: () => undefined }
    Object.assign(limiter, { acquire: () => given })
    await new PermitQueue({ limiter, maxQueued: 10 }).take('create', patient)
  })

  it('when its acquire() rejects after everybody has gone', async () => {
    let reject: (cause: Error) => void = () => {}
    const acquire = () => new Promise<void>((_, no) => (reject = no))
    const budget = new PermitQueue({ limiter: { acquire }, maxQueued: 10 })
    const controller = new AbortController()
    const failed = failureOf(() => budget.take('create', { ...patient, signal: controller.signal }))
    controller.abort()
    reject(new Error('too late'))
    expect((await failed).kind).toBe('aborted')
    await turns()
  })

  it('when its acquire() never comes back: the call ends with its own time', async () => {
    const budget = new PermitQueue({ limiter: { acquire: () => new Promise(() => {}) }, maxQueued: 10 })
    const failed = failureOf(() => budget.take('create', { ...patient, remainingMs: 1 }))
    expect((await failed).kind).toBe('deadline')
  })
})
