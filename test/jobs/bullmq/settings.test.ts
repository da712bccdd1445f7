import { describe, expect, test } from 'vitest'
import { checkWorker, jobOptions, workerOptions } from '../../../src/jobs/bullmq/index.js'

describe('the id of a job', () => {
  test.each([
    ['order-1', 'order-1'],
    ['5b0e8c6e-54f6-4ce8-a8a0-1c6a2f8d6d6e', '5b0e8c6e-54f6-4ce8-a8a0-1c6a2f8d6d6e'],
    ['Größe 1', 'Größe 1'],
    ['12345', '%312345'],
    ['-7', '%2D7'],
    ['NaN', '%4EaN'],
    ['wait', '%77ait'],
    ['a:b', 'a%3Ab'],
    ['%3125', '%253125'],
  ])('of the payment %s is %s', (id, jobId) => {
    expect(jobOptions({ idPayout: id }).jobId).toBe(jobId)
    expect(jobOptions({ idPayin: id }).jobId).toBe(jobId)
    expect(decodeURIComponent(jobId)).toBe(id)
  })
})

describe("a worker's settings", () => {
  test('are right with workerOptions', () => {
    expect(() => checkWorker({ opts: workerOptions })).not.toThrow()
  })

  test.each([
    ['maxStalledCount', 1],
    ['maxStalledCount', undefined],
    ['maxStartedAttempts', 5],
    ['lockDuration', 600_000],
    ['lockRenewTime', 4_000],
    ['stalledInterval', 600_000],
    ['skipStalledCheck', true],
    ['skipLockRenewal', true],
  ])('are wrong with %s %s, and the error names it', (name, value) => {
    expect(() => checkWorker({ opts: { ...workerOptions, [name]: value } })).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringMatching(`^${name} must be`) }),
    )
  })

  test('are all named where several are wrong', () => {
    expect(() => checkWorker({ opts: { skipStalledCheck: true } })).toThrow(
      /maxStalledCount.*; skipStalledCheck/,
    )
  })
})
