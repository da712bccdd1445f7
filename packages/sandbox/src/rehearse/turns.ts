import type { Orders } from './orders.js'
import { gate } from './waiting.js'

export type Turn = ReturnType<Turns['of']>

/** Gives one order after another its turn, which is all of its first actions: the application is killed in them. */
export class Turns {
  readonly #orders: Orders
  readonly #acted = gate()
  #last: Promise<void> = Promise.resolve()
  #left: number

  constructor(orders: Orders, count: number) {
    this.#orders = orders
    this.#left = count
  }

  of(order: number) {
    let over: (() => void) | undefined
    let isOpen = true
    return {
      during: async <T>(work: () => Promise<T>): Promise<T> => {
        const end = await this.#take(order)
        return work().finally(end)
      },
      /** Resolves when it is this order's turn to action, and no other's. */
      begin: async () => {
        over = await this.#take(order)
      },
      /** Ends the turn, if it is this order's. An order that never begins ends it, too. */
      end: () => {
        over?.()
        over = undefined
        if (isOpen) this.#left -= 1
        isOpen = false
        if (this.#left === 0) this.#acted.open()
      },
      all: () => this.#acted.opened,
    }
  }

  /** Resolves, when nobody before has the turn any more, with what ends it. */
  async #take(order: number): Promise<() => void> {
    const before = this.#last
    const { opened, open } = gate()
    this.#last = opened
    await before
    this.#orders.giveTurn(order)
    return () => {
      this.#orders.giveTurn()
      open()
    }
  }
}
