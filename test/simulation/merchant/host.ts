import { getEventListeners } from 'node:events'
import { CallbackReceiver, MemoryDedupeStore } from '../../../src/callbacks/index.js'
import { type ClientSettings, GatewayClient, type Payin, type Payout } from '../../../src/index.js'
import type { PaymentVerdict } from '../../../src/jobs/index.js'
import { SharedRateLimit } from '../../../src/stores/rate-limit/shared-rate-limit.js'
import type { Gateway } from '../gateway/gateway.js'
import { signer } from '../gateway/keys.js'
import { Line } from '../gateway/line.js'
import { baseUrl } from '../gateway/wire.js'
import type { Judge } from '../judge/judge.js'
import type { Order } from '../plan.js'
import type { Machine } from '../world/machine.js'
import type { World } from '../world/world.js'
import { noteStatus } from './asking.js'
import type { Database } from './database.js'
import type { JobRun } from './queue.js'
import type { SimulatedRateLimitStore } from './rate-limit-store.js'
import { Shop } from './shop.js'

/** What a host has to do with. */
export interface HostParts {
  readonly world: World
  readonly judge: Judge
  readonly gateway: Gateway
  readonly database: Database
  readonly rateLimitStore: SimulatedRateLimitStore
  /** Its number. */
  readonly host: number
}

/** What runs, until the host stops. */
interface Process {
  readonly shop: Shop
  readonly client: GatewayClient
  readonly receiver: CallbackReceiver
  readonly stopping: AbortController
}

export const publicUrl = 'https://shop.example/gateway/callbacks'

/** A computer of the merchant's with the shop on it: it starts, crashes, and is replaced by a new version. */
export class Host {
  readonly machine: Machine
  readonly #parts: HostParts
  #process: Process | undefined

  constructor(parts: HostParts, machine: Machine) {
    this.#parts = parts
    this.machine = machine
  }

  get isUp(): boolean {
    return this.machine.isUp && this.#process !== undefined
  }

  start(): void {
    const { world, judge, database } = this.#parts
    this.machine.boot(world.now)
    world.trace.add(this.machine.name, 'starts')
    world.at(this.machine, 0, () => {
      const client = new GatewayClient({
        baseUrl,
        merchantCode: 'M-0001',
        signer,
        live: false,
        fetch: new Line(this.#parts, this.#parts.host).fetch,
        ...this.#limits(),
      })
      const { seen } = world.plan.settings
      const receiver = new CallbackReceiver({
        client,
        publicUrl,
        secrets: [Uint8Array.from({ length: 32 }, (_, n) => n + 1)],
        dedupe: seen === 'memory' ? new MemoryDedupeStore() : database.seenStore(),
        onPayin: (payin, { idPayin }) => this.#told('payin', idPayin, payin),
        onPayout: (payout, { idPayout }) => this.#told('payout', idPayout, payout),
        onError: () => undefined,
      })
      const stopping = new AbortController()
      const shop = new Shop({ ...this.#parts, client, receiver, stopping: stopping.signal })
      this.#process = { shop, client, receiver, stopping }
      watch(judge, shop.recover())
    })
  }

  /** The power goes. */
  crash(): void {
    this.#parts.world.trace.add(this.machine.name, 'crashes')
    this.machine.crash()
    this.#process = undefined
  }

  /** The process is asked to end, as a deployment does it, and leaves nothing behind. */
  stop(whenStopped: () => void): void {
    const process = this.#process
    if (process === undefined) return
    this.#process = undefined
    const { judge, world } = this.#parts
    world.trace.add(this.machine.name, 'is stopped')
    let hasEnded = false
    world.at(this.machine, 0, () => {
      // What is on the wire ends within its own limits, and a function of the merchant's within its 30 seconds.
      judge.settles('closing', world.plan.settings.timeoutMs + 35_000, () => hasEnded)
      const stopped = this.#end(process).then(() => {
        hasEnded = true
        // What has ended settles in its own turn.
        world.at(this.machine, 0, () => {
          judge.leaves(this.machine, getEventListeners(process.stopping.signal, 'abort').length)
          world.trace.add(this.machine.name, 'has stopped')
          this.machine.crash()
          whenStopped()
        })
      })
      watch(judge, stopped)
    })
  }

  order(order: Order): void {
    this.#do(({ shop }) => shop.order(order))
  }

  again(order: Order, amount: number): void {
    this.#do(({ shop }) => shop.again(order, amount))
  }

  run(run: JobRun, report: (verdict: PaymentVerdict<'payout'>) => void): void {
    this.#do(({ shop }) => shop.run(run, report))
  }

  /** A callback arrives; the response's status. */
  async receive(url: string): Promise<number> {
    const { receiver } = this.#process ?? {}
    if (receiver === undefined) return 503
    return (await receiver.receive(url)).status
  }

  #do(run: (process: Process) => Promise<unknown>): void {
    const process = this.#process
    if (process === undefined) return
    this.#parts.world.at(this.machine, 0, () => watch(this.#parts.judge, run(process)))
  }

  /** The merchant's function. */
  async #told(kind: 'payin' | 'payout', id: string, payment: Payin | Payout): Promise<void> {
    const { world, judge, gateway, database } = this.#parts
    const luck = world.spells.luck(`function ${kind} ${id}`)
    const fault = world.spells.hit(luck, ['function-fails'], this.#parts.host)
    if (fault !== undefined && fault.variant % 2 === 0) throw new Error('the function of the merchant fails')
    const held = gateway.find(kind, id)
    await noteStatus(database, Number(held?.request.account?.accountNumber ?? 0), payment)
    if (fault !== undefined) throw new Error('the function of the merchant fails at its end')
    judge.dealtWith(kind, id, held, payment.process?.status ?? undefined)
  }

  async #end({ receiver, client, stopping }: Process): Promise<void> {
    const { world, judge } = this.#parts
    await receiver.drain()
    await client.close()
    await world.sleep(0)
    judge.closed(this.machine)
    stopping.abort()
  }

  #limits(): Partial<ClientSettings> {
    const { world, rateLimitStore, host } = this.#parts
    const { hosts, timeoutMs, deadlineMs, retries, tokens, tokenValiditySecs, ...settings } =
      world.plan.settings
    const limits = { timeoutMs, deadlineMs, retries, tokens, tokenValiditySecs }
    if (settings.rateLimit === 'alone') return limits
    if (settings.rateLimit === 'shares') return { ...limits, rateLimit: 10 / hosts }
    const rateLimit = new SharedRateLimit({
      store: rateLimitStore.for(host),
      requestsPerSecond: 10,
      processes: hosts,
      storeTimeoutMs: 500,
      onStoreAway: () => undefined,
    })
    return { ...limits, rateLimit }
  }
}

/** What a program throws that is no error of ours is a defect, and must not pass unseen. */
function watch(judge: Judge, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    judge.violated(
      'nothing is thrown that is not ours',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  })
}
