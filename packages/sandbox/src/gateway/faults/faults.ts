import type { Random } from '../clock/random.js'
import type { GatewayRequest } from '../wire/request.js'
import type { Target } from '../wire/routes.js'
import { ArmedList } from './armed-list.js'
import { checkFault } from './check-fault.js'
import type { FaultOptions } from './fault.js'
import { isAt } from './fault-kinds.js'

/** The armed faults of a sandbox. A request meets at most one: the first that was armed and matches. */
export class Faults extends ArmedList<FaultOptions> {
  readonly #random: Random

  constructor(random: Random, onChange: () => void) {
    super(checkFault, onChange)
    this.#random = random
  }

  /** The fault that a request meets. Taken on arrival, so that `skip` and `times` count arrivals. */
  take({ name, id }: Target, request: GatewayRequest): Pick<FaultOptions, 'action' | 'until'> | undefined {
    const fault = this.find((options) => {
      return (
        isAt(options.route, name) &&
        (options.id === undefined || options.id === id) &&
        matches(options, request)
      )
    })
    if (fault === undefined) return undefined
    const { probability = 1 } = fault.options
    if (probability < 1 && this.#random.fraction() >= probability) return undefined
    this.hit(fault.key)
    return fault.options
  }
}

function matches({ match }: FaultOptions, { method, path, body }: GatewayRequest): boolean {
  return match === undefined || match({ method, path, bodyText: Buffer.from(body).toString('utf8') })
}
