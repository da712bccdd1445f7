import type { CallbackReceiver } from '../../../src/callbacks/index.js'
import type { GatewayClient } from '../../../src/index.js'
import { type PaymentVerdict, paymentJob } from '../../../src/jobs/index.js'
import { type Call, type Ending, endingOf } from '../judge/calls.js'
import type { Order } from '../plan.js'
import { abortedAfter, idOf, judged, requestOf } from './asking.js'
import type { HostParts } from './host.js'
import type { JobRun } from './queue.js'

/** What the shop runs with, for one life of its host. */
export interface ShopParts extends HostParts {
  readonly client: GatewayClient
  readonly receiver: CallbackReceiver
  /** Fires when the process is to end. */
  readonly stopping: AbortSignal
}

const sweepEveryMs = 600_000

/** The merchant's program as it runs on one host: it takes orders, and never asks for a payment under a second id. */
export class Shop {
  readonly #parts: ShopParts
  /** Orders that this process carries to their creation. */
  readonly #carried = new Set<number>()

  constructor(parts: ShopParts) {
    this.#parts = parts
  }

  /** After a start: what an earlier process left open. */
  async recover(): Promise<void> {
    await this.#carryOpen()
    if (!this.#parts.world.plan.settings.sweeps) return
    while (!this.#parts.stopping.aborted) {
      await this.#parts.world.sleep(sweepEveryMs)
      await this.#sweep()
    }
  }

  /** A customer orders. What is wanted is written down before it is asked for. */
  async order(order: Order): Promise<void> {
    const id = order.givesId ? idOf(order) : undefined
    await this.#stored(() => this.#parts.database.insert(order, id))
    await this.#carry(order, id)
  }

  /** The same button, pressed again. */
  async again(order: Order, amount: number): Promise<void> {
    await this.#create(order, idOf(order), amount)
  }

  /** One run of a payout's job. */
  async run(
    { order, starts, state }: JobRun,
    report: (verdict: PaymentVerdict<'payout'>) => void,
  ): Promise<void> {
    const { judge, client, stopping, world } = this.#parts
    const calls: Call[] = []
    const payouts = {
      retrieve: client.payouts.retrieve.bind(client.payouts),
      create: async (...[request, options]: Parameters<typeof client.payouts.create>) => {
        const call = judge.begins(order, order.amount, world.plan.settings.deadlineMs)
        calls.push(call)
        return judged(
          () => client.payouts.create({ ...request, ...requestOf(order, order.amount, call) }, options),
          (ending) => judge.ended(call, ending),
        )
      },
    }
    const { deadlineMs } = world.plan.settings
    const send = paymentJob({ payouts }, 'payout', { deadlineMs })
    const idPayout = idOf(order)
    const load = () => requestOf(order, order.amount, { number: 0 })
    const verdict = await send({ idPayout, load }, { starts, state, signal: stopping })
    if (verdict.then === 'done') {
      judge.settledFor(order, verdict.payment.process?.status ?? undefined)
      await this.#stored(() => this.#parts.database.insert(order, idPayout))
      await this.#stored(() => this.#parts.database.update(order.number, { isCreated: true, isFinal: true }))
    }
    if (verdict.then === 'stop') judge.stopped(order, verdict.because)
    report(verdict)
  }

  /** Asks until it is known that the payment is there, under the same id. */
  async #carry(order: Order, givenId: string | undefined): Promise<void> {
    if (this.#carried.has(order.number)) return
    this.#carried.add(order.number)
    const { database, stopping } = this.#parts
    const { abortAfterMs } = order
    let id = givenId
    for (let tries = 0; !stopping.aborted; tries++) {
      const signal =
        tries === 0 && abortAfterMs !== undefined
          ? abortedAfter(this.#parts.world, abortAfterMs, stopping)
          : stopping
      const ending = await this.#create(order, id, order.amount, signal)
      if (id === undefined && ending.id !== undefined) {
        id = ending.id
        await this.#stored(() => database.update(order.number, { id }))
      }
      if (ending.kind === 'success') {
        await this.#stored(() => database.update(order.number, { isCreated: true }))
        break
      }
      if (ending.code === 'idempotency_conflict' || ending.code === 'client_closed') break
      await this.#parts.world.sleep(1000 * Math.min(60, 2 ** tries))
    }
    this.#carried.delete(order.number)
    if (id !== undefined && order.waitMs !== undefined && !stopping.aborted)
      await this.#wait(order, id, order.waitMs)
  }

  /** One call, watched by the judge. */
  #create(
    order: Order,
    idPayin: string | undefined,
    amount: number,
    signal = this.#parts.stopping,
  ): Promise<Ending> {
    const { judge, client, world } = this.#parts
    const call = judge.begins(order, amount, world.plan.settings.deadlineMs)
    const request = { ...requestOf(order, amount, call), ...(idPayin === undefined ? {} : { idPayin }) }
    return judged(
      async () => client.payins.create(request, { signal }),
      (ending) => judge.ended(call, ending),
    ).then(
      ({ idPayin: id, replayed }) => ({ kind: 'success', id, replayed }),
      (error: unknown) => endingOf(error),
    )
  }

  /** Somebody looks at a page until the payment is final, or for so long. */
  async #wait(order: Order, id: string, maxWaitMs: number): Promise<void> {
    const { client, judge, stopping } = this.#parts
    let hasEnded = false
    judge.settles(`a wait for order ${order.number}`, maxWaitMs, () => hasEnded)
    try {
      const payin = await client.payins.waitFor(id, { maxWaitMs, signal: stopping })
      judge.waited(order, payin.process?.status ?? undefined)
    } catch (error) {
      endingOf(error)
    } finally {
      hasEnded = true
    }
  }

  async #carryOpen(): Promise<void> {
    const open = await this.#stored(() => this.#parts.database.open(this.#parts.host))
    for (const { order, id, isCreated } of open ?? []) {
      if (order.kind === 'payin' && id !== undefined && !isCreated) void this.#carry(order, id)
    }
  }

  async #sweep(): Promise<void> {
    const { database, host, receiver, stopping } = this.#parts
    await this.#carryOpen()
    const open = (await this.#stored(() => database.open(host))) ?? []
    const created = open.flatMap(({ order, id, isCreated }) =>
      order.kind === 'payin' && id !== undefined && isCreated ? [{ idPayin: id }] : [],
    )
    try {
      for await (const _ of receiver.catchUp(created, { deliver: true, signal: stopping }));
    } catch (error) {
      if (!stopping.aborted) throw error
    }
  }

  /** Until the database has it. */
  async #stored<T>(write: () => Promise<T>): Promise<T | undefined> {
    while (!this.#parts.stopping.aborted) {
      try {
        return await write()
      } catch {
        await this.#parts.world.sleep(500)
      }
    }
    return undefined
  }
}
