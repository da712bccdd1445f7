import { afterEach, expect, test, vi } from 'vitest'
import { processIo } from '../src/io.js'

afterEach(() => {
  vi.restoreAllMocks()
})

test('what is to be done when the process ends is one listener of it, however much that is', () => {
  const on = vi.spyOn(process, 'on').mockReturnThis()
  const { onExit } = processIo()
  const done: number[] = []
  const forget = Array.from({ length: 20 }, (_, number) => onExit(() => void done.push(number)))
  forget.forEach((one, number) => {
    if (number > 2) one()
  })
  const listeners = on.mock.calls.filter(([event]) => event === 'exit')
  expect(listeners).toHaveLength(1)
  for (const [, listener] of listeners) listener()
  expect(done).toEqual([0, 1, 2])
})
