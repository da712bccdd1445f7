import { ConfigurationError } from '../../index.js'

/**
 * BullMQ takes every time from the clock of the worker: when a payment is due, whose lock has expired. One that is ahead
 * finds all that waits due at once and leaves its own to nobody else, so the store's clock is what they have to agree on.
 *
 * @returns the error when they differ by more than so many milliseconds.
 */
export async function wrongClock(
  storeTimeMs: () => Promise<number>,
  toleranceMs: number,
): Promise<((remedy: string) => ConfigurationError) | undefined> {
  const askedAt = Date.now()
  const storeMs = await storeTimeMs()
  // It was read somewhere in between.
  const aheadMs = askedAt > storeMs ? askedAt - storeMs : Math.min(0, Date.now() - storeMs)
  if (Math.abs(aheadMs) <= toleranceMs) return undefined
  const secs = Math.round(Math.abs(aheadMs) / 1000)
  return (remedy) =>
    new ConfigurationError(
      `the clock of this machine is ${secs} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the store's, so payments would be looked at far too early or too late: set both by NTP and ${remedy}.`,
    )
}

interface Pausing {
  pause(doNotWaitActive: boolean): Promise<void>
  resume(): Promise<void>
  once(event: 'closing', listener: () => void): unknown
}

interface Watching {
  readonly lockMs: number
  readonly checkLocksMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Asks on each call whether the clocks still agree. When they don't, the worker takes no more payments until they do
 * again, which is looked at as often as for locks.
 */
export function watchClock(
  worker: Pausing,
  storeTimeMs: () => Promise<number>,
  { lockMs, checkLocksMs, onError }: Watching,
): () => Promise<boolean> {
  let untilRight: NodeJS.Timeout | undefined
  const look = async () => {
    if ((await wrongClock(storeTimeMs, lockMs)) !== undefined) return
    clearInterval(untilRight)
    untilRight = undefined
    await worker.resume()
  }
  worker.once('closing', () => clearInterval(untilRight))
  return async () => {
    const wrong = await wrongClock(storeTimeMs, lockMs)
    if (wrong === undefined) return true
    if (untilRight === undefined) {
      untilRight = setInterval(() => look().catch(onError), checkLocksMs).unref()
      await worker.pause(true)
      onError(wrong('this worker takes no payments until they agree'))
    }
    return false
  }
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
