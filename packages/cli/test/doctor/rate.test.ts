import { expect, onTestFinished, test, vi } from 'vitest'
import { anyToken } from '../../../../test/faults/servers.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { type Ended, runHere } from '../here.js'

const env = {
  GATEWAY_BASE_URL: 'https://gateway.invalid',
  GATEWAY_MERCHANT_CODE: 'M-1',
  GATEWAY_PRIVATE_KEY: privatePem,
}

/** The doctor at a gateway that gives these statuses to requests without a token; 0 is no response. */
async function examined(statuses: readonly number[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const left = [...statuses]
  const sentAt: number[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) => {
    sentAt.push(performance.now())
    if (String(input).endsWith('/auth-tokens')) return Response.json({ token: anyToken })
    if (new Headers(init?.headers).has('authorization')) return Response.json({})
    const status = left.shift() ?? 500
    if (status === 0) throw new TypeError('no response')
    return new Response(null, { status })
  })
  let ended: Ended | undefined
  void runHere(['doctor', '--json'], env).then((found) => {
    ended = found
  })
  while (ended === undefined) {
    await vi.advanceTimersByTimeAsync(5)
    // What a client does in between needs no time, and real turns.
    await new Promise(setImmediate)
  }
  const { checks }: { checks: { check: string; verdict: string; message: string }[] } = JSON.parse(
    ended.stdout,
  )
  const gaps = sentAt.slice(1).map((at, before) => at - (sentAt[before] ?? 0))
  return { rate: checks.find(({ check }) => check === 'rate limit'), gaps, sentAt, left }
}

test('the doctor sends eight requests a second, and last two at once that make no more than ten with those before', async () => {
  const { gaps, sentAt } = await examined([401, 401, 401])
  expect(gaps.length).toBeGreaterThan(8)
  expect(Math.min(...gaps.slice(0, -1))).toBeGreaterThanOrEqual(125)
  expect(gaps.at(-1)).toBe(0)
  const inLastSecond = sentAt.filter((at) => at > (sentAt.at(-1) ?? 0) - 1000)
  expect(inLastSecond.length).toBeLessThanOrEqual(10)
})

test.each<[statuses: number[], verdict: string, message: RegExp]>([
  [[401, 401, 429], 'warn', /this gateway spaces them evenly$/],
  [[401, 429, 401], 'warn', /this gateway spaces them evenly$/],
  [[401, 401, 401], 'ok', /at no more than 8 a second and two at once, none refused$/],
  [[401, 429, 429], 'warn', /^2 of \d+ requests refused/],
  [[401, 401, 0], 'ok', /at no more than 8 a second, none refused$/],
  // Others spend the same limit, so two at once would show nothing.
  [[429], 'warn', /^1 of \d+ requests refused/],
])('a gateway that answers %j to requests without a token: %s', async (statuses, verdict, message) => {
  const { rate, left } = await examined(statuses)
  expect(rate).toMatchObject({ verdict, message: expect.stringMatching(message) })
  expect(left).toEqual([])
})
