import type { FaultAction, FaultHandle } from '../faults/fault.js'
import type { Faults } from '../faults/faults.js'
import { isRecord } from '../wire/json-body.js'
import { type RouteName, routeNames } from '../wire/routes.js'
import type { ArmedFault } from './messages.js'
import { PageRefusal } from './responses.js'

const MOST_ARMED = 50

/** The faults that need nothing but their name. */
const plainKinds = [
  'drop-before',
  'drop-after',
  'cut-body',
  'stall-body',
  'stall',
  'html',
  'rate-limit',
  'overtaken',
  'callback-first',
  'revoke-token',
] as const

/** The faults that were armed on the page, which can show and disarm them. */
export class PageFaults {
  readonly #faults: Faults
  readonly #armed = new Map<number, { handle: FaultHandle; shown: Omit<ArmedFault, 'hits'> }>()
  #next = 1

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Those that can still hit. */
  list(): ArmedFault[] {
    for (const [key, { handle, shown }] of this.#armed)
      if (handle.hits >= shown.times) this.#armed.delete(key)
    return [...this.#armed.values()].map(({ handle, shown }) => ({ ...shown, hits: handle.hits }))
  }

  /** @throws PageRefusal that says what is wrong */
  arm(order: unknown): void {
    if (!isRecord(order)) throw new PageRefusal(400, 'A fault is an object.')
    if (this.list().length >= MOST_ARMED) throw new PageRefusal(409, 'Too many faults are armed; disarm one.')
    const { id, times = 1 } = order
    const route = routeOf(order.route)
    if (typeof times !== 'number') throw new PageRefusal(400, 'times must be a number.')
    if (id !== undefined && typeof id !== 'string') throw new PageRefusal(400, 'id must be a string.')
    const action = actionOf(order)
    try {
      const handle = this.#faults.arm({ route, times, action, ...(id === undefined ? {} : { id }) })
      const key = this.#next++
      this.#armed.set(key, { handle, shown: { key, route, id: id ?? null, kind: action.kind, times } })
    } catch (error) {
      throw new PageRefusal(400, error instanceof Error ? error.message : String(error))
    }
  }

  disarm(key: number): void {
    this.#armed.get(key)?.handle.remove()
    this.#armed.delete(key)
  }
}

function routeOf(route: unknown): RouteName | '*' {
  const found = route === '*' ? route : routeNames.find((name) => name === route)
  if (found === undefined) throw new PageRefusal(400, 'route must be * or the name of an endpoint.')
  return found
}

function actionOf({ kind, ms, status }: Record<string, unknown>): FaultAction {
  const plain = plainKinds.find((name) => name === kind)
  if (plain !== undefined) return { kind: plain }
  if (kind === 'status') {
    if (typeof status !== 'number') throw new PageRefusal(400, 'status must be a number.')
    return { kind, status }
  }
  if (kind !== 'delay' && kind !== 'hide')
    throw new PageRefusal(400, 'The page can arm no fault of this kind.')
  if (typeof ms !== 'number' || ms > 600_000) throw new PageRefusal(400, 'ms must be a number up to 600000.')
  return { kind, ms }
}
