import type { Random } from '../clock/random.js'
import type { RouteName } from '../wire/routes.js'
import { checkFault, ownFault } from './check-fault.js'
import type { FaultAction, FaultHandle, FaultOptions } from './fault.js'

interface Armed {
  readonly options: FaultOptions
  toSkip: number
  left: number
  hits: number
}

/** The armed faults of a sandbox. A request meets at most one: the first that was armed and matches. */
export class Faults {
  readonly #random: Random
  #armed: Armed[] = []

  constructor(random: Random) {
    this.#random = random
  }

  arm(given: FaultOptions): FaultHandle {
    const options = ownFault(given)
    checkFault(options)
    const fault: Armed = { options, toSkip: options.skip ?? 0, left: options.times ?? 1, hits: 0 }
    this.#armed.push(fault)
    return {
      get hits() {
        return fault.hits
      },
      remove: () => {
        this.#armed = this.#armed.filter((other) => other !== fault)
      },
    }
  }

  /** The fault that a request meets. Taken on arrival, so that `skip` and `times` count arrivals. */
  take(route: RouteName | undefined, id: string | null | undefined): FaultAction | undefined {
    if (this.#armed.length === 0) return undefined
    const fault = this.#armed.find(({ options }) => {
      return (
        (options.route === '*' || options.route === route) && (options.id === undefined || options.id === id)
      )
    })
    if (fault === undefined) return undefined
    if (fault.toSkip > 0) {
      fault.toSkip -= 1
      return undefined
    }
    const { probability = 1, action } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    fault.hits += 1
    fault.left -= 1
    if (fault.left <= 0) this.#armed = this.#armed.filter((other) => other !== fault)
    return action
  }

  clear(): void {
    this.#armed = []
  }
}
