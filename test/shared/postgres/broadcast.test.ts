import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CalledBack } from '../../../src/callbacks/index.js'
import { postgresBroadcast } from '../../../src/shared/postgres/index.js'
import { describeWith, ownName, ownPostgres } from '../../support/engines.js'

const payment: CalledBack = { kind: 'payin', id: 'order 1' }

describeWith('postgres', 'postgresBroadcast', () => {
  let own: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    own = await ownPostgres()
    own.pool.on('error', () => {})
  })
  afterAll(() => own[Symbol.asyncDispose]())

  /** Who listens to a channel, as the server sees it. */
  const listenersOf = async (channel: string): Promise<number[]> => {
    const { rows } = await own.pool.query('SELECT pid FROM pg_stat_activity WHERE query = $1', [
      `LISTEN "${channel}"`,
    ])
    return rows.map(({ pid }) => Number(pid))
  }
  const listening = (channel: string, n: number) =>
    vi.waitFor(async () => expect(await listenersOf(channel)).toHaveLength(n), { timeout: 5_000 })

  test('tells the others and not itself, and gives its connection back', async () => {
    const channel = ownName()
    await using other = await ownPostgres()
    const [first, second] = [
      postgresBroadcast({ pool: own.pool, channel }),
      postgresBroadcast({ pool: other.pool, channel }),
    ]
    const heard: CalledBack[][] = [[], []]
    first.subscribe((one) => heard[0]?.push(one))
    const end = second.subscribe((one) => heard[1]?.push(one))
    await listening(channel, 2)
    await first.publish(payment)
    await vi.waitFor(() => expect(heard).toEqual([[], [payment]]))
    await own.pool.query('SELECT pg_notify($1, $2)', [channel, 'anything'])
    end()
    await first.publish(payment)
    await Promise.all([first.close(), second.close(), second.close()])
    await listening(channel, 0)
    expect(heard).toEqual([[], [payment]])
  })

  test('listens for many merchants over one connection of the pool, which has four, and again when it was cut', async () => {
    const channels = Array.from({ length: 50 }, ownName)
    const broadcasts = channels.map((channel) => postgresBroadcast({ pool: own.pool, channel }))
    const heard: string[] = []
    for (const [n, broadcast] of broadcasts.entries()) {
      broadcast.subscribe(({ id }) => heard.push(`${n} ${id}`))
    }
    // Those that come while it connects and those that come later are listened to in the same way.
    const later = postgresBroadcast({ pool: own.pool, channel: ownName() })
    const publish = async (channel = '') => {
      heard.length = 0
      await own.pool.query('SELECT pg_notify($1, $2)', [channel, '1 other payin order 1'])
    }
    const isHeard = (n: number) =>
      vi.waitFor(async () => {
        await publish(channels[n])
        expect(heard).toContain(`${n} order 1`)
      }, 5_000)
    await isHeard(49)
    later.subscribe(() => undefined)
    await later.close()
    expect(own.pool.totalCount - own.pool.idleCount).toBe(1)
    await broadcasts[0]?.close()
    await publish(channels[0])
    await isHeard(1)
    expect(heard).not.toContain('0 order 1')

    const { rows } = await own.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1 AND pid <> pg_backend_pid()',
      [`UNLISTEN "${channels[0]}"`],
    )
    expect(rows).toHaveLength(1)
    await isHeard(49)
    await isHeard(1)
    await Promise.all(broadcasts.map((broadcast) => broadcast.close()))
    expect(own.pool.totalCount).toBe(own.pool.idleCount)
  })

  test('can be begun anew over a pool whose last broadcast was closed', async () => {
    const channel = ownName()
    for (let n = 0; n < 2; n++) {
      const broadcast = postgresBroadcast({ pool: own.pool, channel })
      broadcast.subscribe(() => undefined)
      await listening(channel, 1)
      await broadcast.close()
      await listening(channel, 0)
    }
  })

  test('listens again when its connection was cut', async () => {
    const channel = ownName()
    const [broadcast, other] = [
      postgresBroadcast({ pool: own.pool, channel }),
      postgresBroadcast({ pool: own.pool, channel }),
    ]
    const heard: CalledBack[] = []
    broadcast.subscribe((one) => heard.push(one))
    await listening(channel, 1)
    const [pid] = await listenersOf(channel)
    await own.pool.query('SELECT pg_terminate_backend($1)', [pid])
    await vi.waitFor(
      async () => {
        const pids = await listenersOf(channel)
        expect(pids).toHaveLength(1)
        expect(pids).not.toContain(pid)
      },
      { timeout: 5_000 },
    )
    await other.publish(payment)
    await vi.waitFor(() => expect(heard).toEqual([payment]))
    await broadcast.close()
  })

  test('a close while it connects leaves no connection', async () => {
    const channel = ownName()
    const broadcast = postgresBroadcast({ pool: own.pool, channel })
    broadcast.subscribe(() => {})
    await broadcast.close()
    await listening(channel, 0)
  })
})
