import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { isGatewayError } from '../../src/index.js'
import { customerAccountPath, methods, waits } from '../support/methods.js'
import { until } from '../support/turns.js'
import { handMadeGateway, json } from './servers.js'
import {
  type AtStage,
  bringTo,
  handles,
  type Stage,
  type StageOptions,
  stages,
  untilNoMoreThan,
} from './stages.js'
import { clientOf, create, failure, type TransportName } from './support.js'

/** Nobody waits for anything any more: no timer may, either, nor a socket. */
async function expectNothingLeft(at: AtStage, before: Record<string, number>): Promise<void> {
  await until(() => (handles().Timeout ?? 0) <= (before.Timeout ?? 0))
  await at.client.close()
  await at.end()
  await untilNoMoreThan(before)
}

/** Brings a call to its stage; on a machine that was too slow for the limit, again with one twice as long. */
async function bringWithin(
  stage: Stage,
  transport: TransportName,
  times = 1,
): Promise<[AtStage, StageOptions]> {
  const longer = Object.entries(stage.limit).map(([name, ms]) => [name, name === 'retries' ? ms : ms * times])
  const limits: StageOptions = Object.fromEntries(longer)
  const at = await bringTo(stage, transport, limits)
  if (at.isReached) return [at, limits]
  await at.client.close()
  await at.end()
  return bringWithin(stage, transport, 2 * times)
}

describe.each(['undici', 'fetch'] as const)('over %s, a payout that waits for', (transport) => {
  test.each(stages)('$name is ended by a signal', async (stage) => {
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
    if (transport === 'undici')
      await until(() => handles().TCPConnectWrap === undefined || stage.deaf === true)
    await expectNothingLeft(at, before)
  })

  test.each(stages)('$name is ended by a limit', async (stage) => {
    const before = handles()
    const [at, limits] = await bringWithin(stage, transport)
    const error = await failure(at.call)
    expect({ ...error, name: error.name, outcome: error.outcome }).toMatchObject({
      name: stage.limited ?? 'TimeoutError',
      code: stage.limited === undefined ? 'timeout' : 'wait_timeout',
      idPayout: 'order-1',
      outcome: stage.outcome,
    })
    // The sentence names the limit by its option and says how long it was.
    const [[limit, ms] = []] = Object.entries(limits)
    if (Object.keys(limits).length === 1) expect(error.message).toContain(`${limit} (${ms} ms)`)
    await expectNothingLeft(at, before)
  })

  test.each(stages)('$name is settled when the client is closed', async (stage) => {
    const before = handles()
    const limits = stage.finishes === true ? { timeoutMs: 200, deadlineMs: 400 } : {}
    const at = await bringTo(stage, transport, {}, limits)
    const closing = at.client.close()
    const error = await failure(at.call)
    await closing
    // What is on the wire comes to its own end; what only waits is refused.
    const names = stage.finishes === true ? ['TimeoutError', 'ClientClosedError'] : ['ClientClosedError']
    expect(names).toContain(error.name)
    expect(error.outcome).toBe(stage.outcome)
    if (transport === 'undici' && stage.name !== 'a connection') await until(() => at.openSockets() === 0)
    await expectNothingLeft(at, before)
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

describe('a closed client', () => {
  test('refuses every method with its own error, sends nothing, and closes again without harm', async () => {
    await using gateway = await handMadeGateway({})
    const client = clientOf(gateway.url, 'undici', { customerAccountPath })
    await client.close()
    const calls = Object.values({ ...methods, ...waits }).map((call) => call(client, 'a'))
    for (const error of await Promise.all(calls.map(failure))) expect(error.code).toBe('client_closed')
    expect(gateway.requests).toEqual([])
    await client.close()
    await client[Symbol.asyncDispose]()
  })

  test('never opens a connection when it was never used', async () => {
    await using gateway = await handMadeGateway({})
    const client = clientOf(gateway.url, 'undici')
    await client.close()
    expect(gateway.sockets.size).toBe(0)
  })

  test('closes as often as it is asked to, at the same time', async () => {
    await using gateway = await handMadeGateway({ create: [json(500, {})] })
    const client = clientOf(gateway.url, 'undici')
    const calls = Array.from({ length: 20 }, (_, n) => create(client, 'payout', { id: `o-${n}` }))
    const settled = Promise.allSettled(calls)
    await until(() => gateway.requests.length > 5)
    await Promise.all([client.close(), client.close(), client.close()])
    for (const one of await settled) {
      expect(one.status === 'rejected' && isGatewayError(one.reason)).toBe(true)
    }
    await until(() => gateway.sockets.size === 0)
  })
})
