import { vi } from 'vitest'
import { PermitQueue } from '../../../src/client/http/limit/queue.js'
import { permitQueue } from '../../../src/client/http/limit/rate-limit.js'
import { Observer } from '../../../src/client/observe/observer.js'
import type { PermitRequest } from '../../../src/index.js'
import { SharedRateLimit } from '../../../src/stores/rate-limit/shared-rate-limit.js'
import { asking } from '../../client/http/limit/asking.js'
import type { HandStore } from './hand-store.js'

type Work = PermitRequest['priority']

/** One process of a shop: its client's queue, and what went out through it. */
class Process {
  readonly sent: { readonly at: number; readonly priority: Work }[] = []
  readonly #queue: PermitQueue
  #isDead = false

  constructor(queue: PermitQueue) {
    this.#queue = queue
  }

  async take(priority: Work): Promise<void> {
    const came = await this.#queue.take(asking(priority, { remainingMs: 1_000_000 }))
    if (this.#isDead || 'kind' in came) return
    this.#queue.sent()
    this.sent.push({ at: performance.now(), priority })
  }

  async keepTaking(priority: Work): Promise<void> {
    while (!this.#isDead) await this.take(priority)
  }

  /** It says nothing more to anybody, neither of the slots that it has. */
  kill(): void {
    this.#isDead = true
    this.#queue.close()
  }
}

const secondMs = 1000

export interface Shop {
  readonly createsPerSecond: number
  readonly processes: number
  /** How many of them are killed and started anew, one after the other. */
  readonly kills?: number
}

const observer = new Observer({
  origin: 'https://gateway.example',
  basePath: '',
  logger: undefined,
  slowCallMs: 0,
})

/** The queue of one process with the limiter that it has alone. */
export const alone = () => permitQueue({ requestsPerSecond: 10, counted: 'in-windows' }, 1000, observer)

/** Queues that share one store. */
export function sharing(store: HandStore, processes: number): () => PermitQueue {
  const parts = { store, requestsPerSecond: 10, processes, storeTimeoutMs: 500, onStoreAway: () => {} }
  return () => new PermitQueue({ limiter: new SharedRateLimit(parts), maxQueued: 1000 })
}

/** Half a minute, or a minute with kills, of creates that come evenly, beside twenty calls in bulk that always wait. @returns all that was sent, and rates. */
export async function ratesOf({ createsPerSecond, processes, kills = 0 }: Shop, queue: () => PermitQueue) {
  const all: Process[] = []
  const start = (n: number) => {
    const process = new Process(queue())
    all.push(process)
    for (let bulk = n; bulk < 20; bulk += processes) void process.keepTaking('background')
    return process
  }
  const running = Array.from({ length: processes }, (_, n) => start(n))
  const warmUpMs = 4 * secondMs
  // A kill loses the slots that the process had reserved: one in 20 s, so that the loss is seen and isn't all that is.
  const forMs = (kills === 0 ? 30 : 20 * kills) * secondMs
  const beganAt = performance.now()
  const everyMs = secondMs / createsPerSecond
  const killEveryMs = forMs / (kills + 1)
  let created = 0
  let killed = 0
  for (let at = 0; at < warmUpMs + forMs; at += everyMs) {
    if (at > warmUpMs + (killed + 1) * killEveryMs) {
      const n = killed++ % processes
      running[n]?.kill()
      running[n] = start(n)
    }
    void running[created++ % processes]?.take('customer')
    await vi.advanceTimersByTimeAsync(beganAt + at + everyMs - performance.now())
  }
  for (const process of running) process.kill()
  await vi.advanceTimersByTimeAsync(secondMs)
  const sent = all.flatMap((process) => process.sent)
  const counted = sent.filter(({ at }) => at >= beganAt + warmUpMs && at < beganAt + warmUpMs + forMs)
  const perSecond = (priority: Work) =>
    counted.filter((one) => one.priority === priority).length / (forMs / secondMs)
  return {
    times: sent.map(({ at }) => at),
    bulk: perSecond('background'),
    creates: perSecond('customer'),
    whole: counted.length / (forMs / secondMs),
  }
}
