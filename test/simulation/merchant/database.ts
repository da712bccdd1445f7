import type { DedupeStore, DeliveredStatus } from '../../../src/callbacks/index.js'
import type { Order } from '../plan.js'
import type { World } from '../world/world.js'

/** What the merchant has written down of an order. */
export interface Row {
  readonly order: Order
  /** The payment's id; unknown while the client has not told which one it made. */
  readonly id: string | undefined
  /** Whether the merchant knows that the gateway has it. */
  readonly isCreated: boolean
  /** The last status that the merchant's function was told. */
  readonly status: string | undefined
  readonly isFinal: boolean
}

/** The merchant's database: it survives every crash of a host. What fails may have been written all the same. */
export class Database {
  readonly #world: World
  readonly #rows = new Map<number, Row>()
  /** The rows of each host that have not come to an end: those of a year would be looked through every ten minutes. */
  readonly #open = new Map<number, Map<number, Row>>()
  readonly #seen = new Map<string, DeliveredStatus>()
  readonly #looks = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  /** Puts a new order in, unless it is there. */
  insert(order: Order, id: string | undefined): Promise<void> {
    return this.#transact(`insert ${order.number}`, () => {
      const row = { order, id, isCreated: false, status: undefined, isFinal: false }
      if (!this.#rows.has(order.number)) this.#put(row)
    })
  }

  update(number: number, change: Partial<Row>): Promise<void> {
    return this.#transact(`update ${number}`, () => {
      const row = this.#rows.get(number)
      if (row !== undefined) this.#put({ ...row, ...change })
    })
  }

  /** Whether an order is written down: until then nobody has promised anything to its customer. */
  has(number: number): boolean {
    return this.#rows.has(number)
  }

  /** The orders that a host looks after and that have not come to an end. */
  open(host: number): Promise<Row[]> {
    return this.#transact(`open ${host}`, () => [...(this.#open.get(host)?.values() ?? [])])
  }

  #put(row: Row): void {
    const { number, host } = row.order
    this.#rows.set(number, row)
    const open = this.#open.get(host) ?? new Map<number, Row>()
    this.#open.set(host, open)
    if (row.isFinal) open.delete(number)
    else open.set(number, row)
  }

  /** The store of what the merchant's functions have dealt with. It may lose what it has taken: nothing relies on it. */
  seenStore(): DedupeStore {
    const { spells } = this.#world
    return {
      get: (key) => this.#transact(`seen ${key}`, () => this.#seen.get(key)),
      set: (key, seen) =>
        this.#transact(`seen ${key}`, () => {
          const isLost = spells.hit(spells.luck(`seen fault ${key}`), ['seen-forgets']) !== undefined
          if (isLost) this.#seen.delete(key)
          else this.#seen.set(key, seen)
        }),
      count: (key) =>
        this.#transact(`looks ${key}`, () => {
          const look = (this.#looks.get(key) ?? 0) + 1
          this.#looks.set(key, look)
          return look
        }),
    }
  }

  #transact<T>(name: string, run: () => T): Promise<T> {
    const { store, spells } = this.#world
    return this.#world.ask(store, `database ${name}`, () => {
      const fault = spells.hit(spells.luck(`database fault ${name}`), ['database-fails'])
      if (fault === undefined) return run()
      // It is written, and whoever asked for it does not hear of it.
      if (fault.variant % 2 === 0) run()
      throw new Error('the database has gone away')
    })
  }
}
