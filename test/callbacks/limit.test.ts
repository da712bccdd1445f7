import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { Limit } from '../../src/callbacks/limit.js'
import { root } from '../support/root.js'

beforeEach(() => void vi.useFakeTimers())

test('a limit fires after its time, as one that took too long', async () => {
  const { signal } = new Limit({ ms: 500 })
  await vi.advanceTimersByTimeAsync(499)
  expect(signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('a limit fires with any of its signals, and with the reason of that one', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const { signal } = new Limit({ signals: [first.signal, second.signal], ms: 500 })
  second.abort('enough')
  first.abort('later')
  expect(signal.reason).toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})

test('a limit has fired from the beginning where a signal has', () => {
  expect(new Limit({ signals: [AbortSignal.abort('before')], ms: 500 }).signal.reason).toBe('before')
  expect(vi.getTimerCount()).toBe(0)
})

test('a limit that is released leaves no timer and no listener', () => {
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  new Limit({ signals: [signal], ms: 500 }).release()
  expect(vi.getTimerCount()).toBe(0)
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
})

test.each(['src', 'packages/sandbox/src'])(
  'no source in %s relies on AbortSignal.any or AbortSignal.timeout, which may never fire on Node 20',
  (folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    const using = files.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        // The sandbox's page runs in a browser, where they fire.
        !file.startsWith(join('page', 'ui')) &&
        // Comments may name them.
        /AbortSignal\s*\.\s*(?:any|timeout)\s*\(/.test(readFileSync(join(root, folder, file), 'utf8')),
    )
    expect(using).toEqual([])
  },
)
