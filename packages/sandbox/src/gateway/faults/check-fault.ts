import * as z from 'zod/mini'
import { keysOf } from '../../common/json.js'
import * as input from '../input/check.js'
import { routeNames } from '../wire/routes.js'
import type { CallbackFaultOptions, FaultAction, FaultOptions } from './fault.js'
import type { FaultField } from './fault-field.js'
import { callbackFaults, type Place, placesOf, requestFaults } from './fault-kinds.js'

const requestAction = actionOf(requestFaults)
const callbackAction = actionOf(callbackFaults)

const count = 'a whole number of at least 1, or Infinity'
const times = z.optional(
  z.union([input.whole(count, 1), z.literal(Number.POSITIVE_INFINITY)], `must be ${count}`),
)
const aFunction = z.custom((value) => typeof value === 'function', 'must be a function')
const id = z.optional(input.text('an idPayin or idPayout'))

const faultOptions = input
  .exactly({
    route: input.oneOf(['create', '*', ...routeNames], `create, * or one of: ${routeNames.join(', ')}`),
    id,
    match: z.optional(aFunction),
    times,
    skip: z.optional(input.whole('a whole number of at least 0', 0)),
    probability: z.optional(input.number('a number from 0 to 1', 0, 1)),
    action: requestAction,
    until: z.optional(aFunction),
  })
  .check(({ value, issues }) => {
    const wrong = wrongPlace(value)
    if (wrong !== undefined) issues.push({ code: 'custom', input: value, ...wrong })
  })

const callbackFaultOptions = input.exactly({
  kind: z.optional(input.oneOf(['payin', 'payout'])),
  id,
  match: z.optional(aFunction),
  times,
  action: callbackAction,
})

/** @throws naming what is wrong with it, before it is armed (`Error`). */
export function checkFault(fault: unknown): asserts fault is FaultOptions {
  input.check(faultOptions, fault, inCall('fault'))
}

/** @throws naming what is wrong with it, before it is armed (`Error`). */
export function checkCallbackFault(fault: unknown): asserts fault is CallbackFaultOptions {
  input.check(callbackFaultOptions, fault, inCall('callbackFault'))
}

/** As the value stands in the call: `fault({ action: { ms } })`. */
function inCall(call: string): input.NameOf {
  return (path) => `${call}(${path.reduceRight<string>(nested, '')})`
}

function nested(inside: string, key: PropertyKey): string {
  return inside === '' ? `{ ${String(key)} }` : `{ ${String(key)}: ${inside} }`
}

type Fields = Readonly<Record<string, FaultField<unknown>>>

/** One schema for all kinds of a table, by `kind`. */
function actionOf<Kind extends string>(kinds: Readonly<Record<Kind, { readonly fields: Fields }>>) {
  const names = keysOf(kinds)
  const options = names.map((kind) => {
    const checks = Object.entries(kinds[kind].fields).map(([name, { check, isOptional }]) => {
      return [name, isOptional ? z.optional(check) : check]
    })
    const shape = { kind: z.literal(kind), ...Object.fromEntries(checks) }
    return input.exactly(shape, { of: `of the kind ${kind}` })
  })
  const [first, ...others] = options
  if (first === undefined) throw new Error('There is no kind of fault.')
  const union = z.discriminatedUnion('kind', [first, ...others], {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of: ${names.join(', ')}` : 'must be an object with a kind',
  })
  return z.pipe(union, z.looseObject({ kind: z.enum(names) }))
}

interface Aimed {
  readonly route: Place
  readonly id?: string | undefined
  readonly action: { readonly kind: FaultAction['kind'] }
}

/** What could never hit: a fault at an endpoint where it means nothing, or for an id that has no place there. */
function wrongPlace({ route, id: only, action: { kind } }: Aimed) {
  const places = placesOf(kind)
  if (!places.includes(route)) {
    const message = `is wrong: ${kind} means nothing at ${route}, only at ${places.join(', ')}`
    return { path: ['route'], message }
  }
  if (only === undefined || route === '*' || route === 'create' || route.includes('{')) return undefined
  return { path: ['id'], message: `is wrong: there is no id in ${route}, so the fault would never hit` }
}
