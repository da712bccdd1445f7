import { Refusal } from './exchange.js'
import { parseMoney, type SandboxMoney } from './money.js'
import type { RouteName, Target } from './routes.js'

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
    throw new Refusal(
      400,
      'INVALID_OPERATIONS',
      'operations must be a list of strings, with at least one entry.',
    )
  }
  for (const operation of operations) compileOperation(operation)
  return { operations, ...moneyLimit(body) }
}

/** Makes a scope ready to be asked many times. */
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

function compileOperation(operation: string): { method: string; path: RegExp } {
  const space = operation.indexOf(' ')
  const method = operation.slice(0, space)
  const path = operation.slice(space + 1)
  if (!/^[A-Z]+$/.test(method) || path === '') {
    throw new Refusal(
      400,
      'INVALID_OPERATIONS',
      'An operation is a method in capitals, one space and a path.',
    )
  }
  try {
    // Anchored on both sides: an operation names whole paths. That it does so is an assumption.
    return { method, path: new RegExp(`^(?:${path})$`) }
  } catch {
    throw new Refusal(
      400,
      'INVALID_OPERATIONS',
      'The path of an operation is not a valid regular expression.',
    )
  }
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
