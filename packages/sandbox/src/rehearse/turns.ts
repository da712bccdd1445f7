import type { Carts } from './carts.js'
import { gate } from './waiting.js'

/** The turn of one cart among several that are played side by side. */
export type Turn = ReturnType<Turns['of']>

/** Gives one cart after another its turn. */
export class Turns {
  readonly #carts: Carts
  readonly #isWhole: boolean
  readonly #acted = gate()
  #last: Promise<void> = Promise.resolve()
  #left: number

  /** @param count how many carts take turns */
  constructor(carts: Carts, count: number, isWhole: boolean) {
    this.#carts = carts
    this.#left = count
    this.#isWhole = isWhole
  }

  of(cart: number) {
    let over: (() => void) | undefined
    let isOpen = true
    return {
      /** Whether it takes all of the first acts, because the application is killed in them, and not only their first create. */
      isWhole: this.#isWhole,
      /** Does something in a turn of its own. */
      during: async <T>(work: () => Promise<T>): Promise<T> => {
        const end = await this.#take(cart)
        return work().finally(end)
      },
      /** Resolves when it is this cart's turn to act, and no other's. */
      begin: async () => {
        over = await this.#take(cart)
      },
      /** Ends the turn, if it is this cart's. A cart that never begins ends it, too. */
      end: () => {
        over?.()
        over = undefined
        if (isOpen) this.#left -= 1
        isOpen = false
        if (this.#left === 0) this.#acted.open()
      },
      /** Resolves when all have acted, where turns are whole. */
      all: async () => {
        if (this.#isWhole) await this.#acted.opened
      },
    }
  }

  /** Resolves, when nobody before has the turn any more, with what ends it. */
  async #take(cart: number): Promise<() => void> {
    const before = this.#last
    const { opened, open } = gate()
    this.#last = opened
    await before
    this.#carts.giveTurn(cart)
    return () => {
      this.#carts.giveTurn()
      open()
    }
  }
}
