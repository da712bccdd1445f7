import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.js'
import { ended, start } from './children.js'

/**
 * Three workers with the limiter of examples/one-rate-limit-by-cluster.mjs. The first dies with permits that it has not used
 * and asks that nobody will wait for; the second gives up an ask; the third just asks.
 */
const story = `
const grants = []
if (cluster.isPrimary) {
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), args: [] })
  sharePermits(4)
  cluster.on('message', (_, { isSent }) => isSent && grants.push(performance.now()))
  await Promise.all(['dies', 'gives up', 'asks'].map((ROLE) => once(cluster.fork({ ROLE }), 'exit')))
  const fifths = grants.slice(4).map((at, index) => at - grants[index])
  console.log(JSON.stringify({ sent: grants.length, leastMsForFive: Math.min(...fifths) }))
} else {
  const limiter = new SharedLimiter()
  const never = new AbortController().signal
  if (process.env.ROLE === 'dies') {
    await Promise.any([1, 2, 3, 4, 5, 6].map(() => limiter.acquire(never)))
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.env.ROLE === 'gives up') {
    const stop = new AbortController()
    const given = limiter.acquire(stop.signal).then(() => limiter.sent(), (reason) => reason)
    stop.abort('enough')
    if ((await given) !== 'enough') throw new Error('it went on')
  }
  for (let n = 0; n < 5; n++) {
    await limiter.acquire(never)
    limiter.sent()
  }
  cluster.worker.disconnect()
}
`

test('the limiter of examples/one-rate-limit-by-cluster.mjs outlives workers that die and asks that are given up', {
  timeout: 60_000,
}, async () => {
  const example = readFileSync(join(root, 'examples/one-rate-limit-by-cluster.mjs'), 'utf8')
  // Its imports and the limiter, without the program that uses it.
  const limiter = example.slice(0, example.indexOf('async function primary()'))
  mkdirSync(join(root, 'coverage'), { recursive: true })
  const folder = mkdtempSync(join(root, 'coverage', 'limiter-'))
  const file = join(folder, 'story.mjs')
  writeFileSync(file, limiter + story)
  try {
    const { code, stdout, stderr } = await ended(start(process.execPath, [file]))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { sent, leastMsForFive }: { sent: number; leastMsForFive: number } = JSON.parse(stdout)
    // Five of each worker that lived; and a permit that crossed its cancellation came back as sent.
    expect(sent).toBeGreaterThanOrEqual(10)
    expect(sent).toBeLessThanOrEqual(11)
    // Of four a second, five take longer than a second. Messages reach both listeners in the same turn.
    expect(leastMsForFive).toBeGreaterThan(1000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
