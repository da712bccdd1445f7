import { expect, test } from 'vitest'
import { trace } from '../../../src/client/observe/trace.js'

const nothing = () => ({})

test.each<readonly [string, (run: () => Promise<void>) => Promise<void>]>([
  ['runs it in its span', (run) => run()],
  ['throws before it begins', () => Promise.reject(new Error('no storage'))],
  [
    'ends before it does',
    (run) => {
      void run()
      return Promise.resolve()
    },
  ],
])('what is traced runs once, and its end is the end, where the channel %s', async (_what, tracePromise) => {
  let runs = 0
  const run = async () => {
    runs++
    await Promise.resolve()
    await Promise.resolve()
    return 'paid'
  }
  expect(await trace({ tracePromise }, {}, run, nothing)).toBe('paid')
  expect(runs).toBe(1)
})

test('what is traced and fails, fails with its own error', async () => {
  const failed = new Error('refused')
  const tracePromise = (run: () => Promise<void>) => run()
  const traced = trace({ tracePromise }, {}, () => Promise.reject(failed), nothing)
  await expect(traced).rejects.toBe(failed)
})
