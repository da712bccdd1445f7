import { describe, expect, test } from 'vitest'
import { until } from '../support/turns.js'
import { bringTo, handles, stages } from './stages.js'
import { failure } from './support.js'

describe.each(['undici', 'fetch'] as const)('over %s, a limit ends a payout that waits for', (transport) => {
  test.each(stages)('$name', async (stage) => {
    const before = handles()
    const at = await bringTo(stage, transport, stage.limit)
    const error = await failure(at.call)
    expect({ ...error, name: error.name, outcome: error.outcome }).toMatchObject({
      name: stage.limited,
      code: stage.limited === 'TimeoutError' ? 'timeout' : 'wait_timeout',
      idPayout: 'order-1',
      outcome: stage.outcome,
    })
    // The sentence names the limit by its option and says how long it was.
    const [limit, ms] = Object.entries(stage.limit).find(([name]) => name !== 'retries') ?? []
    if (Object.keys(stage.limit).length === 1) expect(error.message).toContain(`${limit} (${ms} ms)`)
    await until(() => (handles().Timeout ?? 0) <= (before.Timeout ?? 0))
    await at.client.close()
    await at.end()
    await until(() => Object.entries(handles()).every(([kind, count]) => count <= (before[kind] ?? 0)))
  })
})
