import { type Arrival, fetchGateway } from '../../faults/fetch-gateway.js'
import { clientOf } from '../../faults/support.js'
import type { SomeOptions } from '../../support/client-options.js'

type Answer = (arrival: Arrival, number: number) => Response | Promise<Response>

/** A client over fetch that has its token already, for a clock that stands still. */
export async function readyClient(options: SomeOptions = {}, answer: Answer = goodAnswer) {
  let number = -1
  const { fetch, arrivals } = fetchGateway((arrival) =>
    ++number > 0 ? answer(arrival, number) : goodAnswer(),
  )
  const client = clientOf('https://gateway.example', 'fetch', {
    fetch,
    retries: 0,
    timeoutMs: 60_000,
    deadlineMs: 60_000,
    ...options,
  })
  await client.payins.retrieve('first')
  arrivals.length = 0
  return {
    client,
    arrivals,
    paths: () => arrivals.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
    times: () => arrivals.map(({ atMs }) => atMs),
  }
}

export function goodAnswer(): Response {
  return Response.json({ process: { status: 'PENDING' } })
}

/** A 429 that asks to wait for so many seconds. */
export function tooMany(seconds: number): Response {
  return Response.json({}, { status: 429, headers: { 'retry-after': `${seconds}` } })
}
