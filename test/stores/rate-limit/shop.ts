import { vi } from 'vitest'
import type { GatewayClient, Limiter, PermitRequest } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { defaultClient } from '../../load/arrivals.js'
import { type HandStore, limitOver } from './hand-store.js'

type Work = PermitRequest['priority']

/** One process of a shop. */
class Process {
  readonly #client: GatewayClient
  #isDead = false

  constructor(client: GatewayClient) {
    this.#client = client
  }

  request(priority: Work): Promise<unknown> {
    return this.#client.payouts.retrieve(priority, { priority, deadlineMs: 1_000_000 }).catch(() => undefined)
  }

  async keepRequesting(priority: Work): Promise<void> {
    while (!this.#isDead) await this.request(priority)
  }

  /** It says nothing more to anybody, neither of the slots that it has. */
  async kill(): Promise<void> {
    this.#isDead = true
    await this.#client.close()
  }
}

const secondMs = 1000

export interface Shop {
  readonly createsPerSecond: number
  readonly processes: number
  /** How many of them are killed and started anew, one after the other. */
  readonly kills?: number
}

/**
 * Half a minute, or a minute with kills, of customers who come evenly, beside twenty calls in bulk that always wait.
 *
 * @param store what the processes share; without it there is one process, and it counts by itself.
 * @returns when all requests went out, and rates.
 */
export async function ratesOf({ createsPerSecond, processes, kills = 0 }: Shop, store?: HandStore) {
  const { fetch, arrivals } = fetchGateway(() => Response.json(found('payout')))
  const start = (n: number) => {
    const rateLimit: Limiter | undefined = store && limitOver(store, { processes })
    const client = defaultClient(fetch, {
      rateLimit: rateLimit ?? { requestsPerSecond: 10, counted: 'in-windows' },
    })
    const process = new Process(client)
    for (let bulk = n; bulk < 20; bulk += processes) void process.keepRequesting('background')
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
      void running[n]?.kill()
      running[n] = start(n)
    }
    void running[created++ % processes]?.request('customer')
    await vi.advanceTimersByTimeAsync(beganAt + at + everyMs - performance.now())
  }
  await Promise.all(running.map((process) => process.kill()))
  await vi.advanceTimersByTimeAsync(secondMs)
  const from = beganAt + warmUpMs
  const counted = arrivals.filter(({ atMs }) => atMs >= from && atMs < from + forMs)
  const perSecond = (all: readonly unknown[]) => all.length / (forMs / secondMs)
  return {
    times: arrivals.map(({ atMs }) => atMs),
    bulk: perSecond(counted.filter(({ path }) => path.endsWith('/background'))),
    whole: perSecond(counted),
  }
}
