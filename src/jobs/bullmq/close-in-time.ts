import { within } from '../../client/input/within.js'
import { dropConnections, stopTimers } from './drop-connections.js'

/** So long the store may take for what a worker writes at its end. A payment whose end it doesn't hear is looked at again. */
const storeMs = 5_000
/** After connections were dropped, ioredis waits for two seconds until it closes a socket. */
const droppedMs = 1_000
const mostDrops = 5

class Late extends Error {}

/** What a worker waits for that isn't its store: the gateway, and functions of the merchant's. */
export class Runs {
  #count = 0
  #quietSince = performance.now()

  /** Does a piece of such work. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count++
    try {
      return await work()
    } finally {
      this.#count--
      this.#quietSince = performance.now()
    }
  }

  /** Since when there was none, on the clock of `performance.now()`; undefined while there is. */
  get quietSince(): number | undefined {
    return this.#count > 0 ? undefined : this.#quietSince
  }
}

interface Closing {
  close(): Promise<void>
  getBackend(): unknown
}

/**
 * Closes a queue, or a worker when its payments have come to the end of their run. BullMQ waits for its store as well, for
 * ever where that is away or stands still: that is given a while, and then dropped.
 */
export async function closeInTime(engine: Closing, runs = new Runs()): Promise<void> {
  const closing = engine.close()
  const isClosed = async (ms: number) => {
    try {
      await within(
        ms,
        () => new Late(),
        () => closing,
      )
      return true
    } catch (error) {
      if (!(error instanceof Late)) throw error
      return false
    }
  }
  const startedAt = performance.now()
  for (let leftMs = storeMs; leftMs > 0; ) {
    if (await isClosed(leftMs)) return
    const { quietSince } = runs
    leftMs =
      quietSince === undefined ? storeMs : Math.max(startedAt, quietSince) + storeMs - performance.now()
  }
  for (let drops = 0; drops < mostDrops; drops++) {
    dropConnections(engine.getBackend())
    if (await isClosed(droppedMs)) return
  }
  stopTimers(engine)
}
