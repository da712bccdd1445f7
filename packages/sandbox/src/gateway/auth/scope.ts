import * as z from 'zod/mini'
import { oneOf } from '../input/check.js'
import { moneySchema, type SandboxMoney } from '../wire/money.js'
import { Refusal } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import { compilePath } from './path-pattern.js'

/** What a token may do, as its claims carry it (section 5). */
export interface Scope {
  readonly action?: Action
  readonly idPayment?: string
  readonly operations?: readonly string[]
  readonly money?: SandboxMoney
}

const actions = ['PAYIN_CREATE', 'PAYIN_INFO'] as const
type Action = (typeof actions)[number]

// Section 2, "Action meanings". Neither action covers the customer's account data.
const actionRoutes: Readonly<Record<Action, readonly RouteName[]>> = {
  PAYIN_CREATE: ['POST /payins/!availablePaymentOptions', 'POST /payins/{idPayin}', 'GET /payins/{idPayin}'],
  PAYIN_INFO: ['GET /payins/{idPayin}'],
}

/** Whether a scope lets a request through; money is checked apart, when the body is known. */
export type Permits = (method: string, target: Target) => boolean

interface Operation {
  readonly method: string
  matches(path: string): boolean
}

const isText = 'must be a string that is not empty'
const isList = 'must be a list of strings, with at least one entry'

const money = z.exactOptional(moneySchema)
const byAction = {
  action: oneOf(actions),
  idPayment: z.string(isText).check(z.minLength(1, isText)),
  money,
}
const byOperations = {
  operations: z.array(z.string('must be a string'), isList).check(z.minLength(1, isList)),
  money,
}

/** The bodies that the two token endpoints take. What a signature needs is checked before. */
export function tokenRequestSchemas(maxValiditySecs: number) {
  const validity = `must be a whole number of seconds, from 1 to ${maxValiditySecs}`
  const common = {
    merchantCode: z.string('must be a string'),
    validitySecs: z.optional(z.int(validity).check(z.gte(1, validity), z.lte(maxValiditySecs, validity))),
    timestamp: z.optional(z.int('must be an integer')),
    secret: z.optional(z.string('must be a string')),
  }
  return {
    byAction: z.object({ ...byAction, ...common }),
    byOperations: z.object({ ...byOperations, ...common }),
  }
}

/** @throws with 400 for operations that are no operations ({@link Refusal}). */
export function compileScope(scope: Scope): Permits {
  const { action, idPayment } = scope
  if (action !== undefined) {
    const routes = actionRoutes[action]
    return (_method, { name, id }) =>
      name !== undefined && routes.includes(name) && (id === undefined || id === idPayment)
  }
  const operations = (scope.operations ?? []).map(compileOperation)
  return (method, { path }) =>
    operations.some((operation) => operation.method === method && operation.matches(path))
}

export function scopeOf(fields: Record<string, unknown>): Scope {
  return z.parse(fields.operations === undefined ? z.object(byAction) : z.object(byOperations), fields)
}

function compileOperation(entry: string): Operation {
  const [, method, path] = /^([A-Z]+) (\^?\/.*)$/s.exec(entry) ?? []
  if (method === undefined || path === undefined) {
    throw new Refusal(
      400,
      'INVALID_OPERATIONS',
      'An operation is a method in capitals, one space and a path that begins with /.',
    )
  }
  return { method, matches: compilePath(path) }
}
