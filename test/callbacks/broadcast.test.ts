import { describe, expect, test, vi } from 'vitest'
import type { CallbackBroadcast, CalledBack } from '../../src/callbacks/index.js'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { GatewayClient, statusOf } from '../../src/index.js'
import {
  createPayin,
  FakeClient,
  lookUpsAt,
  publicUrl,
  receiverOver,
  secret,
  settled,
  shop,
  straightTo,
  succeeded,
} from './support.js'

/** What each process has of one channel. */
function channel() {
  const processes: ((payment: CalledBack) => void)[] = []
  return (): CallbackBroadcast => {
    const own: ((payment: CalledBack) => void)[] = []
    const hear = (payment: CalledBack) => {
      for (const listener of own) listener(payment)
    }
    processes.push(hear)
    return {
      publish: (payment) => {
        for (const other of processes) if (other !== hear) other(payment)
      },
      subscribe: (listener) => {
        own.push(listener)
        return () => own.splice(own.indexOf(listener), 1)
      },
    }
  }
}

describe('a callback that reaches one process', () => {
  test('ends the wait in another at once, by a look-up of its own', async () => {
    const broadcastOf = channel()
    const first = shop({
      sandbox: { deliver: straightTo(() => first.receiver) },
      receiver: { broadcast: broadcastOf() },
    })
    await using _ = first
    await using client = new GatewayClient({ ...first.sandbox.clientOptions(), rateLimit: false })
    new CallbackReceiver({ client, publicUrl, secrets: [secret], broadcast: broadcastOf() })
    await createPayin(first, 'order-1')
    const paid = client.payins.waitFor('order-1', { maxWaitMs: 60_000 })
    await vi.waitFor(() => expect(lookUpsAt(first.sandbox)).toBe(2))
    await settled()
    first.sandbox.payins.get('order-1').settle('SUCCESS')
    expect(statusOf(await paid)).toBe('SUCCESS')
    expect(lookUpsAt(first.sandbox)).toBe(4)
  })

  test('is told to the others when it brought news, and not otherwise', async () => {
    const publish = vi.fn()
    const { call } = receiverOver(new FakeClient(() => succeeded), {
      broadcast: { publish, subscribe: () => () => {} },
    })
    for (let n = 0; n < 3; n++) expect(await call()).toBe(204)
    expect(publish.mock.calls).toEqual([[{ kind: 'payin', id: 'order-1' }]])
  })

  test('is answered the same when the others can not be told', async () => {
    const publish = async () => {
      throw new Error('no connection')
    }
    const { call, failures } = receiverOver(new FakeClient(() => succeeded), {
      broadcast: { publish, subscribe: () => () => {} },
    })
    expect(await call()).toBe(204)
    expect(failures).toEqual(['payin order-1 broadcast: no connection'])
  })
})

describe('a process that hears of callbacks elsewhere', () => {
  test('polls less from then on, as if they had reached it', () => {
    const client = new FakeClient()
    let tell = (_payment: CalledBack): void => undefined
    const subscribe = (listener: typeof tell) => {
      tell = listener
      return () => {}
    }
    receiverOver(client, { broadcast: { publish: () => {}, subscribe } })
    expect(client.receiving?.arrive()).toBe(false)
    tell({ kind: 'payin', id: 'order-1' })
    expect(client.receiving?.arrive()).toBe(true)
  })

  test('hears no more when it is drained', async () => {
    const end = vi.fn()
    const { receiver } = receiverOver(new FakeClient(), {
      broadcast: { publish: () => {}, subscribe: () => end },
    })
    await receiver.drain()
    expect(end).toHaveBeenCalledTimes(1)
  })
})
