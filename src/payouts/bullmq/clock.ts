import { ConfigurationError } from '../../index.js'
/**
 * BullMQ takes every time from the clock of the worker: when a payout is due, whose lock has expired. One that is ahead
 * finds all that waits due at once and leaves its own to nobody else, so the store's clock is what they have to agree on.
 *
 * @throws {ConfigurationError} when they differ by more than so many milliseconds.
 */
export async function checkClock(store: () => Promise<number>, toleranceMs: number): Promise<void> {
  const askedAt = Date.now()
  const storeMs = await store()
  // It was read somewhere in between.
  const aheadMs = askedAt > storeMs ? askedAt - storeMs : Math.min(0, Date.now() - storeMs)
  if (Math.abs(aheadMs) <= toleranceMs) return
  const secs = Math.round(Math.abs(aheadMs) / 1000)
  throw new ConfigurationError(
    `the clock of this machine is ${secs} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the store's, so payouts would be looked at far too early or too late: set both by NTP and start the worker again; nothing was sent by it.`,
  )
}

/** What BullMQ gives of a client of Redis, whichever it is. */
interface Scripts {
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void
  runCommand(name: string, args: unknown[]): Promise<unknown>
}

/** The time of a Redis, in milliseconds since 1970. */
export async function redisTimeMs(redis: Scripts): Promise<number> {
  redis.defineCommand('merchantGatewayTime', { numberOfKeys: 0, lua: "return redis.call('TIME')" })
  const [secs, micros]: unknown[] = [await redis.runCommand('merchantGatewayTime', [])].flat()
  return Number(secs) * 1000 + Number(micros) / 1000
}

/** The same of a PostgreSQL. */
export async function postgresTimeMs(pool: {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>
}): Promise<number> {
  const { rows } = await pool.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
  return Number(rows[0]?.ms)
}
