import type { Random } from '../clock/random.js'
import { own } from '../input/check.js'
import type { RouteName } from '../wire/routes.js'
import { type Armed, ArmedList } from './armed-list.js'
import { checkFault } from './check-fault.js'
import type { FaultHandle, FaultOptions } from './fault.js'
import type { FaultAction } from './fault-kinds.js'

/** The armed faults of a sandbox. A request meets at most one: the first that was armed and matches. */
export class Faults {
  readonly #random: Random
  readonly #armed: ArmedList<FaultOptions>

  constructor(random: Random, onChange: () => void) {
    this.#random = random
    this.#armed = new ArmedList(onChange)
  }

  /** @throws Error that names what is wrong with the fault */
  arm(given: FaultOptions): FaultHandle {
    const options = own(given)
    checkFault(options)
    return this.#armed.add(options)
  }

  /** The fault that a request meets. Taken on arrival, so that `skip` and `times` count arrivals. */
  take(route: RouteName | undefined, id: string | null | undefined): FaultAction | undefined {
    if (this.#armed.size === 0) return undefined
    const fault = this.#armed.take(
      (options) =>
        (options.route === '*' || options.route === route) && (options.id === undefined || options.id === id),
    )
    if (fault === undefined) return undefined
    const { probability = 1, action } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    this.#armed.hit(fault.key)
    return action
  }

  list(): Armed<FaultOptions>[] {
    return this.#armed.list()
  }

  disarm(key: number): void {
    this.#armed.remove(key)
  }

  clear(): void {
    this.#armed.clear()
  }
}
