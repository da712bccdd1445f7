import { expect, test } from 'vitest'
import { collectGarbage } from '../../../../test/support/garbage.js'
import { Asker, usualPace } from '../../src/learn/asker.js'

test('the time of all questions together ends after a garbage collection too', async () => {
  const { signal } = new AbortController()
  const asker = new Asker(new URL('http://127.0.0.1:9'), { ...usualPace, wholeMs: 50 }, signal)
  const waited = asker.wait(5000).catch((error: unknown) => error)
  // The old way lost its timer at the second one.
  await collectGarbage(3)
  expect(await waited).toMatchObject({ message: 'it has taken too long altogether' })
  await asker.close()
})
