import type { Random } from '../clock/random.js'
import { own } from '../input/check.js'
import type { GatewayRequest } from '../wire/request.js'
import type { Target } from '../wire/routes.js'
import { type Armed, ArmedList } from './armed-list.js'
import { checkFault } from './check-fault.js'
import type { FaultHandle, FaultOptions } from './fault.js'

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
  take({ name, id }: Target, request: GatewayRequest): Pick<FaultOptions, 'action' | 'until'> | undefined {
    if (this.#armed.size === 0) return undefined
    const fault = this.#armed.take((options) => {
      const isThere = options.route === '*' || options.route === name
      return isThere && (options.id === undefined || options.id === id) && matches(options, request)
    })
    if (fault === undefined) return undefined
    const { probability = 1 } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    this.#armed.hit(fault.key)
    return fault.options
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

function matches({ match }: FaultOptions, { method, path, body }: GatewayRequest): boolean {
  return match === undefined || match({ method, path, bodyText: Buffer.from(body).toString('utf8') })
}
