import type { LimiterState } from '../../../gateway/engine/adjustable-limiter.js'
import { isLimiterKind } from '../../../gateway/engine/limiter.js'
import { disarmAll, reset } from '../../../gateway/engine/reset.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import type { SandboxMoney } from '../../../gateway/wire/money.js'
import { asRefusal, PageRefusal } from '../http/responses.js'
import type { Mask } from '../mask/mask.js'
import type { SandboxState } from '../messages/controls.js'
import type { PageParts } from '../parts/parts.js'
import { PageClient } from './page-client.js'
import { createOrder, createPayment } from './page-create.js'
import { armedFaults, armFault, disarmFault } from './page-faults.js'
import { resend } from './resend.js'

/** What the bar at the top of the page can do; undefined for a path that is not the bar's. */
export type ControlsApi = (method: string, path: string, body: unknown) => unknown

/** As far as a page moves a clock at once: ten years. */
const FURTHEST_MS = 10 * 365 * 24 * 3_600_000

/** The endpoints of the bar: faults, clock, limiter, balances, tokens, and a new beginning. */
export function createControls(parts: PageParts, mask: Mask): ControlsApi {
  const { tokens, changes, limiter, balances, callbackFaults, callbacks, log } = parts
  const { settings } = parts
  const client = new PageClient(parts)

  const acts: Readonly<Record<string, (body: unknown, key: string) => unknown>> = {
    'GET state': () => undefined,
    'GET faults': () => undefined,
    'GET idle': () => callbackFaults.idle(),
    'POST faults': (body) => armFault(body, parts),
    'DELETE faults': () => disarmAll(parts),
    'DELETE faults/*': (_body, key) => disarmFault(key, parts),
    'POST clock': (body) => moveClock(body, parts),
    'POST limiter': (body) => asRefusal(() => limiter.change(limiterOrder(body))),
    'POST balances': (body) => asRefusal(() => balances.set(balanceOrder(body))),
    'DELETE tokens': () => tokens.revokeAll(),
    'DELETE requests': () => {
      log.clear()
      callbacks.clearLog()
    },
    'POST reset': () => reset(parts),
  }

  return (method, path, body) => {
    const [first = '', second, third] = path.split('/')
    if (method === 'POST' && first === 'requests' && third === 'resend') {
      return resend(Number(second), body, client, parts, mask)
    }
    if (`${method} ${path}` === 'POST create')
      return createPayment(createOrder(body, settings), client, parts)
    const act = acts[`${method} ${second === undefined ? first : `${first}/*`}`]
    if (act === undefined) return undefined
    return done(act(body, second ?? ''), () => {
      if (method !== 'GET') changes.notify()
      return stateOf(parts, mask)
    })
  }
}

async function done<T>(work: unknown, then: () => T): Promise<T> {
  await work
  return then()
}

function stateOf(parts: PageParts, mask: Mask): SandboxState {
  const { clock, limiter, balances, settings } = parts
  const { kind, limit } = limiter.state
  const free = limiter.free(clock.monotonic())
  return {
    clock: { mode: clock.mode, now: clock.now(), skewMs: clock.skewMs },
    limiter: limit === false ? { kind, limit: null, free: null } : { kind, limit, free },
    balances: balances.list('').map(({ money }) => money),
    faults: armedFaults(parts, mask),
    operators: settings.paymentOperators,
  }
}

function moveClock(body: unknown, { clock }: PageParts): Promise<void> | void {
  const { advanceMs, skewMs, forMs } = isRecord(body) ? body : {}
  if (advanceMs !== undefined) {
    if (!isTime(advanceMs) || advanceMs < 0) throw new PageRefusal(400, NO_TIME)
    return asRefusal(() => clock.advance(advanceMs))
  }
  if (!isTime(skewMs) || (forMs !== undefined && !(isTime(forMs) && forMs >= 0))) {
    throw new PageRefusal(400, NO_TIME)
  }
  clock.skew(skewMs, forMs)
}

const NO_TIME = 'A clock is moved by a number of milliseconds, ten years at most; a virtual one never back.'

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= FURTHEST_MS
}

/** What is left out stays as it is. */
function limiterOrder(body: unknown): Partial<LimiterState> {
  const { kind, limit, ...others } = isRecord(body) ? body : {}
  if (Object.keys(others).length > 0) throw new PageRefusal(400, 'A limiter has a kind and a limit.')
  if (kind !== undefined && !isLimiterKind(kind)) {
    throw new PageRefusal(400, 'kind must be the name of a limiter.')
  }
  if (limit !== undefined && limit !== null && typeof limit !== 'number') {
    throw new PageRefusal(400, 'limit must be a number or null.')
  }
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(limit === undefined ? {} : { limit: limit ?? false }),
  }
}

function balanceOrder(body: unknown): SandboxMoney {
  const { amount, currencyCode } = isRecord(body) ? body : {}
  if (typeof amount !== 'number' || typeof currencyCode !== 'string') {
    throw new PageRefusal(400, 'A balance has an amount and a currencyCode.')
  }
  return { amount, currencyCode }
}
