import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Asker, usualPace } from '../../../src/cli/learn/asker.js'

test('the time of all questions together ends after a garbage collection too', async () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('no gc')
  const { signal } = new AbortController()
  const asker = new Asker(new URL('http://127.0.0.1:9'), { ...usualPace, wholeMs: 50 }, signal)
  const waited = asker.wait(5000).catch((error: unknown) => error)
  // The old way lost its timer at the second one.
  for (let time = 0; time < 3; time++) {
    await new Promise(setImmediate)
    collect()
  }
  expect(await waited).toMatchObject({ message: 'it has taken too long altogether' })
  await asker.close()
})
