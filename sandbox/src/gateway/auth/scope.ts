import { parseMoney, type SandboxMoney } from '../wire/money.js'
import { Refusal } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'

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

/** Whether a scope lets a request through; money is checked apart, when the body is known. */
export type Permits = (method: string, target: Target) => boolean

interface Operation {
  readonly method: string
  readonly path: RegExp
}

/** No pattern is longer, in characters. */
const MAX_PATTERN_LENGTH = 8192

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
 * @throws Refusal 400 for operations that are no operations
 */
export function compileScope(scope: Scope): Permits {
  const { action, idPayment } = scope
  if (action !== undefined) {
    const routes = actionRoutes[action]
    return (_method, { name, id }) =>
      name !== undefined && routes.includes(name) && (id === undefined || id === idPayment)
  }
  const operations = (scope.operations ?? []).map(compileOperation)
  return (method, { path }) =>
    operations.some((operation) => operation.method === method && operation.path.test(path))
}

/** Reads a scope back from the claims of a token. */
export function scopeFromClaims(claims: Record<string, unknown>): Scope {
  return claims.operations === undefined ? actionScope(claims) : operationsScope(claims)
}

function compileOperation(entry: string): Operation {
  const [, method, path] = /^([A-Z]+) (\/.*)$/s.exec(entry) ?? []
  if (method === undefined || path === undefined) {
    throw invalidOperations('An operation is a method in capitals, one space and a path that begins with /.')
  }
  if (path.length > MAX_PATTERN_LENGTH) {
    throw invalidOperations(`The path of an operation is longer than ${MAX_PATTERN_LENGTH} characters.`)
  }
  // A valid pattern, but one that no path matches: braces are percent-encoded there.
  const [template] = /\{[A-Za-z_]\w*\}/.exec(path) ?? []
  if (template !== undefined) {
    throw invalidOperations(`The path of an operation has ${template}; write the id itself in its place.`)
  }
  return { method, path: wholePath(path) }
}

/** A pattern has to match the whole path: an assumption, because an operation names a whole path. */
function wholePath(pattern: string): RegExp {
  try {
    // By itself first: `a)|(b` is a pattern only inside of the group below.
    new RegExp(pattern)
    return new RegExp(`^(?:${pattern})$`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidOperations(`The path of an operation is no regular expression of JavaScript: ${reason}.`)
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
