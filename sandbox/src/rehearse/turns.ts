import type { Carts } from './carts.js'
import { gate } from './waiting.js'

/** The turn of one cart among several that are played side by side. */
export interface Turn {
  /** Whether it takes all of the first acts, because the application is killed in them, and not only their first create. */
  readonly isWhole: boolean
  /** Does something in a turn of its own. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when it is this cart's turn to act, and no other's. */
  begin(): Promise<void>
  /** Ends the turn, if it is this cart's. A cart that never begins ends it, too. */
  end(): void
  /** Resolves when all have acted, where turns are whole. */
  all(): Promise<void>
}

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

  of(cart: number): Turn {
    let over: (() => void) | undefined
    let isOpen = true
    return {
      isWhole: this.#isWhole,
      during: async (work) => {
        const end = await this.#take(cart)
        return work().finally(end)
      },
      begin: async () => {
        over = await this.#take(cart)
      },
      end: () => {
        over?.()
        over = undefined
        if (isOpen) this.#left -= 1
        isOpen = false
        if (this.#left === 0) this.#acted.open()
      },
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
