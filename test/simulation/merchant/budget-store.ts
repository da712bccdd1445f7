import type { Answer, Ask } from '../../../src/budget/ask.js'
import { type Ledger, reserve } from '../../../src/budget/reservation.js'
import type { BudgetStore } from '../../../src/budget/store.js'
import type { World } from '../world/world.js'

/** The shared budget's ledger on a machine of its own, and the way there. */
export class SimulatedBudgetStore {
  readonly #world: World
  #ledger: Ledger | undefined

  constructor(world: World) {
    this.#world = world
  }

  /** As one host reaches it. */
  for(host: number): BudgetStore {
    const { store, spells } = this.#world
    return {
      name: 'Store',
      ask: (ask) => {
        // For all: of one process that is cut off alone nobody can know, and it sends its share beside the others.
        const away = spells.ongoing('budget-away')
        // Some are refused at once, others when the store is back.
        if (away !== undefined && away.variant % 2 === 1) return this.#hang(away.atMs + away.forMs)
        return this.#world.ask(store, `budget of host-${host} there and back`, () => {
          if (away !== undefined) throw new Error('ECONNREFUSED')
          return this.#answer(ask)
        })
      },
    }
  }

  /** It was emptied, or began anew without what it had kept. */
  forget(): void {
    this.#ledger = undefined
  }

  #hang(until: number): Promise<never> {
    const { now, here } = this.#world
    return new Promise((_, reject) => {
      this.#world.at(here, until - now, () => reject(new Error('ECONNRESET')))
    })
  }

  #answer(ask: Ask): Answer {
    const [ledger, answer] = reserve(this.#ledger, ask, this.#world.store.wall(this.#world.now))
    this.#ledger = ledger
    return answer
  }
}
