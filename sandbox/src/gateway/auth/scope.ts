import { parseMoney, type SandboxMoney } from '../wire/money.js'
import { Refusal } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import { compilePattern, OutOfSteps, type PathPattern } from './path-pattern.js'
import { MAX_SIZE, PatternProblem } from './pattern-syntax.js'

/** What a token may do, as its claims carry it (section 5). */
export interface Scope {
  readonly action?: Action
  readonly idPayment?: string
  readonly operations?: readonly string[]
  readonly money?: SandboxMoney
}

type Action = 'PAYIN_CREATE' | 'PAYIN_INFO'

// Section 2, "Action meanings". Neither action covers the customer's account data.
const actionRoutes: Readonly<Record<Action, readonly RouteName[]>> = {
  PAYIN_CREATE: ['POST /payins/!availablePaymentOptions', 'POST /payins/{idPayin}', 'GET /payins/{idPayin}'],
  PAYIN_INFO: ['GET /payins/{idPayin}'],
}

/**
 * Whether a scope lets a request through; money is checked apart, when the body is known.
 * @throws Refusal 403 when finding out costs too much
 */
export type Permits = (method: string, target: Target) => boolean

/** A scope with its patterns compiled. */
export interface CompiledScope {
  readonly permits: Permits
  /** How many steps its patterns have, which is what it costs in memory. */
  readonly size: number
}

interface Operation {
  readonly method: string
  readonly path: PathPattern
}

// About 10 ms of matching, for all operations of a token together.
const MAX_STEPS = 1_000_000

/** The scope that a request to /auth-tokens-by-action asks for. */
export function actionScope(body: Record<string, unknown>): Scope {
  const { action, idPayment } = body
  if (!isAction(action)) {
    throw new Refusal(400, 'INVALID_ACTION', 'action must be PAYIN_CREATE or PAYIN_INFO.')
  }
  if (typeof idPayment !== 'string' || idPayment === '') {
    throw new Refusal(400, 'INVALID_ID_PAYMENT', 'idPayment must be a string that is not empty.')
  }
  return { action, idPayment, ...moneyLimit(body) }
}

/** The scope that a request to /auth-tokens asks for. */
export function operationsScope(body: Record<string, unknown>): Scope {
  const { operations } = body
  if (!isOperationList(operations)) {
    throw invalidOperations('operations must be a list of strings, with at least one entry.')
  }
  return { operations, ...moneyLimit(body) }
}

/**
 * Compiles the patterns of a scope.
 * @throws Refusal 400 for operations that are no operations, or too large
 */
export function compileScope(scope: Scope): CompiledScope {
  const { action, idPayment } = scope
  if (action !== undefined) {
    const routes = actionRoutes[action]
    const permits: Permits = (_method, { name, id }) =>
      name !== undefined && routes.includes(name) && (id === undefined || id === idPayment)
    return { permits, size: 0 }
  }
  let size = 0
  const operations: Operation[] = []
  for (const entry of scope.operations ?? []) {
    const operation = compileOperation(entry)
    size += operation.path.size
    if (size > MAX_SIZE) throw invalidOperations(`Together, operations have more than ${MAX_SIZE} steps.`)
    operations.push(operation)
  }
  return { permits: (method, { path }) => allows(operations, method, path), size }
}

/** Reads a scope back from the claims of a token. */
export function scopeFromClaims(claims: Record<string, unknown>): Scope {
  return claims.operations === undefined ? actionScope(claims) : operationsScope(claims)
}

function allows(operations: readonly Operation[], method: string, path: string): boolean {
  const steps = { left: MAX_STEPS }
  try {
    // A pattern has to match the whole path: an assumption, because an operation names a whole path.
    return operations.some((operation) => operation.method === method && operation.path.matches(path, steps))
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error
    const message = `The operations of the token take more than ${MAX_STEPS} steps to be matched with this path.`
    throw new Refusal(403, 'OPERATIONS_TOO_COSTLY', message)
  }
}

function compileOperation(entry: string): Operation {
  const [, method, path] = /^([A-Z]+) (\/.*)$/s.exec(entry) ?? []
  if (method === undefined || path === undefined) {
    throw invalidOperations('An operation is a method in capitals, one space and a path that begins with /.')
  }
  try {
    return { method, path: compilePattern(path) }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    throw invalidOperations(
      `The path of an operation ${error.message}. Which patterns are taken: docs/testing.md.`,
    )
  }
}

function invalidOperations(message: string): Refusal {
  return new Refusal(400, 'INVALID_OPERATIONS', message)
}

function moneyLimit(body: Record<string, unknown>): { money?: SandboxMoney } {
  return body.money === undefined ? {} : { money: parseMoney(body.money, 'money') }
}

function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actionRoutes, value)
}

function isOperationList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')
}
