import { expect, test, vi } from 'vitest'
import type { LentPostgresClient, PostgresPool } from '../../../src/shared/postgres/pool.js'
import { PoolListener } from '../../../src/shared/postgres/pool-listener.js'

/** A client whose server answers when the test says so. */
function clientOf(query: (text: string) => Promise<void>) {
  const released: (boolean | undefined)[] = []
  const asked: string[] = []
  const client: LentPostgresClient = {
    async query(text) {
      asked.push(text)
      await query(text)
      return { rows: [] }
    },
    on: () => undefined,
    release: (destroy) => void released.push(destroy),
  }
  return { client, released, asked }
}

function poolOf(connect: () => Promise<LentPostgresClient>): PostgresPool {
  return { connect, query: async () => ({ rows: [] }) }
}

const never = () => new Promise<never>(() => {})
const hear = () => undefined

test('an end waits for no client of a pool that is used up, and one that comes later goes back as it is', async () => {
  const { client, released, asked } = clientOf(async () => {})
  let lend = (_: LentPostgresClient) => {}
  const lent = new Promise<LentPostgresClient>((resolve) => {
    lend = resolve
  })
  const listener = new PoolListener(poolOf(() => lent))
  listener.add('news', hear)
  await listener.remove('news', hear)
  lend(client)
  await vi.waitFor(() => expect(released).toEqual([undefined]))
  expect(asked).toEqual([])
})

test.each([0, 1, 2, 3, 4, 5])(
  'an end %i turns after the pool has lent its client gives that back',
  async (turns) => {
    const { client, released } = clientOf(async () => {})
    const listener = new PoolListener(poolOf(() => Promise.resolve(client)))
    listener.add('news', hear)
    for (let turn = 0; turn < turns; turn++) await undefined
    await listener.remove('news', hear)
    await vi.waitFor(() => expect(released).toHaveLength(1))
  },
)

test('an end waits for no client of a pool that was ended', async () => {
  const listener = new PoolListener(poolOf(never))
  listener.add('news', hear)
  await listener.remove('news', hear)
})

test('one of many merchants waits a second for a server that hangs, and the last one not at all', async () => {
  const { client, released, asked } = clientOf((text) =>
    text.startsWith('UNLISTEN') ? never() : Promise.resolve(),
  )
  const listener = new PoolListener(poolOf(async () => client))
  listener.add('news', hear)
  listener.add('others', hear)
  await vi.waitFor(() => expect(asked).toEqual(['LISTEN "news"; LISTEN "others"']))
  vi.useFakeTimers()
  const removed = listener.remove('news', hear)
  await vi.advanceTimersByTimeAsync(1_000)
  await removed
  await listener.remove('others', hear)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  expect(asked).toEqual(['LISTEN "news"; LISTEN "others"', 'UNLISTEN "news"'])
  expect(released).toEqual([true])
})
