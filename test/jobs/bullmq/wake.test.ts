import { expect, test } from 'vitest'
import { wake } from '../../../src/jobs/bullmq/index.js'

/** A queue of one job, whose state changes after the first call that would move it. */
function queueOf(state: string, then = state) {
  const calls: string[] = []
  let now = state
  const move = async (name: string) => {
    calls.push(name)
    const isMissed = then !== state
    now = isMissed ? then : 'prioritized'
    if (isMissed) throw new Error('not there any more')
  }
  const job = {
    getState: async () => now,
    changePriority: async ({ priority }: { priority: number }) => {
      calls.push(`priority ${priority}`)
      if (state === 'waiting' || state === 'prioritized') now = then
    },
    promote: () => move('promote'),
    retry: (of: string) => move(`retry ${of}`),
  }
  return { calls, queue: { getJob: async (id: string) => (id === '%313' ? job : undefined) } }
}

test.each([
  ['delayed', 'delayed', true, ['priority 1', 'promote']],
  ['delayed', 'prioritized', true, ['priority 1', 'promote']],
  ['delayed', 'active', false, ['priority 1', 'promote']],
  ['delayed', 'completed', false, ['priority 1', 'promote']],
  ['completed', 'completed', true, ['priority 1', 'retry completed']],
  ['completed', 'prioritized', true, ['priority 1', 'retry completed']],
  ['prioritized', 'prioritized', true, ['priority 1']],
  ['waiting', 'waiting', true, ['priority 1']],
  ['prioritized', 'active', false, ['priority 1']],
  ['active', 'active', false, []],
  ['failed', 'failed', false, []],
  ['unknown', 'unknown', false, []],
])('a payment that is %s, and then %s, is looked up by a worker: %s', async (state, then, woken, calls) => {
  const at = queueOf(state, then)
  expect(await wake(at.queue, '13')).toBe(woken)
  expect(at.calls).toEqual(calls)
})

test('a payment that the queue does not have is looked up by nobody', async () => {
  expect(await wake(queueOf('delayed').queue, 'other')).toBe(false)
})

test('an error of the store is no false', async () => {
  const job = {
    getState: async () => 'delayed',
    changePriority: async () => undefined,
    promote: () => Promise.reject(new Error('away')),
    retry: async () => undefined,
  }
  await expect(wake({ getJob: async () => job }, 'a')).rejects.toThrow('away')
})
