import type { SharedText } from '../../../src/stores/rate-limit/store.js'
import type { World } from '../world/world.js'

/** The ledger of the shared rate limit on a machine of its own, and the way there. */
export class SimulatedRateLimitStore {
  readonly #world: World
  #text: string | undefined
  #version = 0

  constructor(world: World) {
    this.#world = world
  }

  /** As one host reaches it. */
  for(host: number): SharedText {
    const { store, spells } = this.#world
    const call = <T>(answer: () => T): Promise<T> => {
      // For all: of one process that is cut off alone nobody can know, and it sends its share beside the others.
      const away = spells.ongoing('rate-limit-store-away')
      // Some are refused at once, others when the store is back.
      if (away !== undefined && away.variant % 2 === 1) return this.#hang(away.atMs + away.forMs)
      return this.#world.ask(store, `rate limit of host-${host} there and back`, () => {
        if (away !== undefined) throw new Error('ECONNREFUSED')
        return answer()
      })
    }
    return {
      name: 'Store',
      read: () =>
        call(() => ({ now: store.wall(this.#world.now), text: this.#text, version: `${this.#version}` })),
      swap: ({ version }, text) =>
        call(() => {
          if (version !== `${this.#version}`) return false
          this.#keep(text)
          return true
        }),
    }
  }

  /** It was emptied, or began anew without what it had kept. */
  forget(): void {
    this.#keep(undefined)
  }

  #hang(until: number): Promise<never> {
    const { now, here } = this.#world
    return new Promise((_, reject) => {
      this.#world.at(here, until - now, () => reject(new Error('ECONNRESET')))
    })
  }

  #keep(text: string | undefined): void {
    this.#version++
    this.#text = text
  }
}
