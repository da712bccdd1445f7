import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { until } from '../support/turns.js'
import { handMadeGateway } from './servers.js'
import { bringTo, handles, stages, untilNoMoreThan } from './stages.js'
import { clientOf, create, failure } from './support.js'

describe.each(['undici', 'fetch'] as const)('over %s, a signal ends a payout that waits for', (transport) => {
  test.each(stages)('$name', async (stage) => {
    const before = handles()
    const controller = new AbortController()
    const at = await bringTo(stage, transport, { signal: controller.signal })
    const reason = new Error('the shop is closing')
    controller.abort(reason)
    const error = await failure(at.call)
    expect({ ...error, name: error.name, outcome: error.outcome }).toMatchObject({
      name: 'AbortedError',
      code: 'aborted',
      idPayout: 'order-1',
      outcome: stage.outcome,
    })
    expect(error.cause).toBe(reason)
    if (stage.outcome !== 'not-accepted') expect(error.message).not.toMatch(/before anything was sent/)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    // Nobody waits for anything any more: no timer may, either.
    await until(() => (handles().Timeout ?? 0) <= (before.Timeout ?? 0))
    if (transport === 'undici')
      await until(() => handles().TCPConnectWrap === undefined || stage.deaf === true)
    await at.client.close()
    await at.end()
    await untilNoMoreThan(before)
  })
})

describe('a signal', () => {
  test('shared by many calls leaves no listener behind, and raises no warning', async () => {
    const warnings: string[] = []
    const onWarning = (warning: Error) => warnings.push(warning.name)
    process.on('warning', onWarning)
    const controller = new AbortController()
    await using gateway = await handMadeGateway({ create: [(response) => response.end('{}')] })
    await using client = clientOf(gateway.url, 'undici', { rateLimit: 10 })
    const { signal } = controller
    const calls = Array.from({ length: 60 }, (_, n) =>
      failure(create(client, 'payin', { id: `o-${n}` }, { signal })),
    )
    await until(() => gateway.requests.length > 3)
    controller.abort()
    const codes = (await Promise.all(calls)).map(({ code }) => code)
    expect(codes.filter((code) => code === 'aborted').length).toBeGreaterThan(45)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  test('shared by eleven waits, or eleven runs of reconcile, raises no warning either', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    await using gateway = await handMadeGateway({ lookUp: [(response) => response.destroy()] })
    await using client = clientOf(gateway.url, 'undici', { rateLimit: false })
    const receiver = new CallbackReceiver({
      client,
      secrets: ['current-secret-of-32-bytes-or-more'],
      publicUrl: 'https://shop.example/callbacks',
      onPayin: () => {},
    })
    const eleven = Array.from({ length: 11 }, (_, n) => `order-${n}`)
    const ways: Record<string, (id: string, signal: AbortSignal) => Promise<unknown>> = {
      waitFor: (id, signal) => client.payins.waitFor(id, { maxWaitMs: 60_000, signal }),
      watch: (id, signal) => client.payouts.watch(id, { maxWaitMs: 60_000, signal }).next(),
      reconcile: (id, signal) => receiver.catchUp([{ idPayin: id }], { deliver: true, signal }).next(),
    }
    for (const [name, way] of Object.entries(ways)) {
      const controller = new AbortController()
      const running = eleven.map((id) => way(id, controller.signal).catch((error: unknown) => error))
      expect(getEventListeners(controller.signal, 'abort').length, name).toBeGreaterThan(10)
      controller.abort()
      await Promise.all(running)
      expect(getEventListeners(controller.signal, 'abort'), name).toEqual([])
    }
    expect(warn.mock.calls).toEqual([])
  })

  test('that fires together with the response never loses it twice: the same id shows it', async () => {
    const controller = new AbortController()
    await using gateway = await handMadeGateway({
      create: [
        (response) => {
          response.end('{}')
          controller.abort()
        },
      ],
    })
    await using client = clientOf(gateway.url, 'undici')
    const error = await failure(create(client, 'payout', {}, { signal: controller.signal }))
    expect(['unknown', 'accepted']).toContain(error.outcome)
  })
})
