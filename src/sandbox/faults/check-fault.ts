import { routeNames } from '../wire/routes.js'
import type { FaultAction, FaultOptions } from './fault.js'

/** What each kind of fault needs beside its kind. A check returns the field that is wrong, or undefined. */
const checks: { [Kind in FaultAction['kind']]: (action: Extract<FaultAction, { kind: Kind }>) => Wrong } = {
  'drop-before': fine,
  'drop-after': fine,
  'cut-body': fine,
  'stall-body': fine,
  stall: fine,
  delay: ({ ms, jitterMs = 0 }) => duration('ms', ms) ?? duration('jitterMs', jitterMs),
  status: ({ status }) => httpStatus(status),
  html: ({ status = 502 }) => httpStatus(status),
  mutate: ({ change }) =>
    typeof change === 'function' ? undefined : ['change', 'a function from JSON to JSON'],
  'rate-limit': ({ retryAfterSecs = 0 }) =>
    isWhole(retryAfterSecs, 0) ? undefined : ['retryAfterSecs', 'a whole number of seconds, 0 or more'],
  hide: ({ ms }) => duration('ms', ms),
  overtaken: fine,
  'callback-first': fine,
  'revoke-token': fine,
  'skew-clock': ({ ms, forMs }) =>
    Number.isFinite(ms) ? duration('forMs', forMs) : ['ms', 'a number of milliseconds'],
}

type Wrong = readonly [field: string, expected: string] | undefined

/** A copy of a fault and its action that inherits nothing: what is on `Object.prototype` was not meant as a fault. */
export function ownFault<Fault extends { readonly action: object }>(given: Fault): Fault {
  const fault: Fault = Object.assign(Object.create(null), given)
  return Object.assign(fault, { action: Object.assign(Object.create(null), fault.action) })
}

/** @throws Error that names what is wrong with a fault, before it is armed */
export function checkFault({ route, times = 1, skip = 0, probability = 1, action }: FaultOptions): void {
  if (route !== '*' && !routeNames.includes(route)) {
    throw new Error(`fault({ route }) must be * or one of: ${routeNames.join(', ')}.`)
  }
  checkTimes('fault', times)
  if (!isWhole(skip, 0)) throw new Error('fault({ skip }) must be a whole number of at least 0.')
  if (!(probability >= 0 && probability <= 1)) {
    throw new Error('fault({ probability }) must be a number from 0 to 1.')
  }
  const wrong = checkAction(action)
  if (wrong !== undefined) throw new Error(`fault({ action: { ${wrong[0]} } }) must be ${wrong[1]}.`)
}

/** @throws Error when `times` is no count */
export function checkTimes(call: string, times: number): void {
  if (times === Number.POSITIVE_INFINITY || isWhole(times, 1)) return
  throw new Error(`${call}({ times }) must be a whole number of at least 1, or Infinity.`)
}

function checkAction(action: FaultAction): Wrong {
  const kind: unknown = action?.kind
  if (typeof kind !== 'string' || !Object.hasOwn(checks, kind)) {
    throw new Error(`fault({ action }) must have a kind of: ${Object.keys(checks).join(', ')}.`)
  }
  return dispatch(action)
}

// The type parameter ties a kind to its own check, which TypeScript can't see from the union.
function dispatch<Kind extends FaultAction['kind']>(action: Extract<FaultAction, { kind: Kind }>): Wrong {
  const kind: Kind = action.kind
  return checks[kind](action)
}

function fine(): Wrong {
  return undefined
}

function duration(field: string, ms: number): Wrong {
  return Number.isFinite(ms) && ms >= 0 ? undefined : [field, 'a number of milliseconds, 0 or more']
}

function httpStatus(status: number): Wrong {
  const isRight = Number.isInteger(status) && status >= 200 && status <= 599
  return isRight ? undefined : ['status', 'an HTTP status from 200 to 599']
}

function isWhole(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}
