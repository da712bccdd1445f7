import { type RouteName, routeNames } from '../wire/routes.js'
import type { CallbackFaultOptions } from './callback-fault.js'
import type { FaultAction, FaultOptions } from './fault.js'
import { callbackFaultFields, type Field, faultFields, isWhole, placesOf } from './fault-fields.js'

/** What may be wrong: whatever a caller without types has given. */
type Unchecked<Options> = { readonly [Name in keyof Options]?: unknown }

const optionNames: { readonly [Name in keyof FaultOptions]-?: true } = {
  route: true,
  id: true,
  times: true,
  skip: true,
  probability: true,
  action: true,
}
const callbackOptionNames: { readonly [Name in keyof CallbackFaultOptions]-?: true } = {
  kind: true,
  id: true,
  times: true,
  action: true,
}

/** A copy of a fault and its action that inherits nothing: what is on `Object.prototype` was not meant as a fault. */
export function ownFault<Fault extends { readonly action?: unknown }>(given: Fault): Fault {
  const fault: Fault = Object.assign(Object.create(null), given)
  return Object.assign(fault, { action: Object.assign(Object.create(null), fault.action) })
}

/**
 * @param fault with nothing inherited
 * @throws Error that names what is wrong with it, before it is armed
 */
export function checkFault(fault: Unchecked<FaultOptions>): asserts fault is FaultOptions {
  const { route, id, times, skip = 0, probability = 1, action } = fault
  refuseUnknown('fault({ ', ' })', fault, optionNames)
  if (!isPlace(route)) {
    throw new Error(`fault({ route }) must be * or one of: ${routeNames.join(', ')}.`)
  }
  checkTimes('fault', times)
  checkId('fault', id)
  if (!isWhole(skip, 0)) throw new Error('fault({ skip }) must be a whole number of at least 0.')
  if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1)) {
    throw new Error('fault({ probability }) must be a number from 0 to 1.')
  }
  checkPlace(checkAction('fault', action, faultFields), route, id)
}

/**
 * @param fault with nothing inherited
 * @throws Error that names what is wrong with it, before it is armed
 */
export function checkCallbackFault(
  fault: Unchecked<CallbackFaultOptions>,
): asserts fault is CallbackFaultOptions {
  const { kind, id, times, action } = fault
  refuseUnknown('callbackFault({ ', ' })', fault, callbackOptionNames)
  if (kind !== undefined && kind !== 'payin' && kind !== 'payout') {
    throw new Error('callbackFault({ kind }) must be payin or payout.')
  }
  checkTimes('callbackFault', times)
  checkId('callbackFault', id)
  checkAction('callbackFault', action, callbackFaultFields)
}

function checkTimes(call: string, times: unknown = 1): void {
  if (times === Number.POSITIVE_INFINITY || isWhole(times, 1)) return
  throw new Error(`${call}({ times }) must be a whole number of at least 1, or Infinity.`)
}

function checkId(call: string, id: unknown): void {
  if (id === undefined || (typeof id === 'string' && id !== '')) return
  throw new Error(`${call}({ id }) must be an idPayin or idPayout.`)
}

/** Returns the kind. */
function checkAction<Kind extends string>(
  call: string,
  action: unknown,
  fields: { readonly [K in Kind]: Readonly<Record<string, Field>> },
): Kind {
  const given = Object.entries(Object(action))
  const named = given.find(([name]) => name === 'kind')?.[1]
  const kind = keysOf(fields).find((one) => one === named)
  if (kind === undefined) {
    throw new Error(`${call}({ action }) must have a kind of: ${keysOf(fields).join(', ')}.`)
  }
  refuseUnknown(`${call}({ action: { `, ` } }) of the kind ${kind}`, Object(action), {
    kind: true,
    ...fields[kind],
  })
  for (const [name, { expected, isRight, isOptional }] of Object.entries(fields[kind])) {
    const value = given.find(([own]) => own === name)?.[1]
    if (value === undefined ? isOptional : isRight(value)) continue
    throw new Error(`${call}({ action: { ${name} } }) must be ${expected}.`)
  }
  return kind
}

/** Refuses what could never hit: a fault at an endpoint where it means nothing, or for an id that has no place there. */
function checkPlace(kind: FaultAction['kind'], route: RouteName | '*', id: unknown): void {
  const places = placesOf(kind)
  if (!places.includes(route)) {
    throw new Error(`fault({ route }): ${kind} means nothing at ${route}, only at ${places.join(', ')}.`)
  }
  if (id !== undefined && route !== '*' && !route.includes('{')) {
    throw new Error(`fault({ id }): there is no id in ${route}, so the fault would never hit.`)
  }
}

function refuseUnknown(before: string, after: string, given: object, known: object): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new Error(`${before}${unknown}${after} is not known; there are ${Object.keys(known).join(', ')}.`)
}

function isPlace(route: unknown): route is RouteName | '*' {
  return route === '*' || routeNames.some((name) => name === route)
}

function keysOf<Key extends string>(fields: { readonly [K in Key]: unknown }): Key[] {
  const keys: Key[] = []
  for (const key in fields) keys.push(key)
  return keys
}
