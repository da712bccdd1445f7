import { describe, expect, test } from 'vitest'
import { until } from '../support/turns.js'
import {
  type AtStage,
  bringTo,
  handles,
  type Stage,
  type StageOptions,
  stages,
  untilNoMoreThan,
} from './stages.js'
import { failure, type TransportName } from './support.js'

describe.each(['undici', 'fetch'] as const)('over %s, a limit ends a payout that waits for', (transport) => {
  test.each(stages)('$name', async (stage) => {
    const before = handles()
    const { at, limits } = await bringWithin(stage, transport)
    const error = await failure(at.call)
    expect({ ...error, name: error.name, outcome: error.outcome }).toMatchObject({
      name: stage.limited ?? 'TimeoutError',
      code: stage.limited === undefined ? 'timeout' : 'wait_timeout',
      idPayout: 'order-1',
      outcome: stage.outcome,
    })
    // The sentence names the limit by its option and says how long it was.
    const [limit, ms] = Object.entries(limits).find(([name]) => name !== 'retries') ?? []
    if (Object.keys(limits).length === 1) expect(error.message).toContain(`${limit} (${ms} ms)`)
    await until(() => (handles().Timeout ?? 0) <= (before.Timeout ?? 0))
    await at.client.close()
    await at.end()
    await untilNoMoreThan(before)
  })
})

/** Brings a call to its stage; on a machine that was too slow for the limit, again with one twice as long. */
async function bringWithin(
  stage: Stage,
  transport: TransportName,
  times = 1,
): Promise<{ readonly at: AtStage; readonly limits: StageOptions }> {
  const { deadlineMs, timeoutMs, maxWaitMs, retries } = stage.limit
  const limits = {
    ...(deadlineMs !== undefined && { deadlineMs: deadlineMs * times }),
    ...(timeoutMs !== undefined && { timeoutMs: timeoutMs * times }),
    ...(maxWaitMs !== undefined && { maxWaitMs: maxWaitMs * times }),
    ...(retries !== undefined && { retries }),
  }
  const at = await bringTo(stage, transport, limits)
  if (at.isReached) return { at, limits }
  await at.client.close()
  await at.end()
  return bringWithin(stage, transport, 2 * times)
}
