import * as z from 'zod/mini'
import { oneOf } from '../input/check.js'
import { moneySchema, type SandboxMoney } from '../wire/money.js'
import { Refusal } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'

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

/** No pattern is longer, in characters. */
const MAX_PATTERN_LENGTH = 8192
/** No longer path is matched with a pattern; the time grows with its length to the power of the repetitions. */
const MAX_PATH_LENGTH = 1000
const MAX_REPETITIONS = 3
/** Groups and `?`. Each may double the time. */
const MAX_CHOICES = 10

/** An escaped character, a class of characters, a fixed count, or one character. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\{\d+\}|./gs

/**
 * The path of an operation as a test of paths. Section 5 allows regular expressions and names no dialect. Here they
 * are those of JavaScript, without the ones that may backtrack without bound. A pattern has to match the whole path:
 * an assumption, because an operation names a whole path.
 *
 * @throws with 400 that says what is wrong with the pattern ({@link Refusal}).
 */
function compilePath(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) throw invalid(`is longer than ${MAX_PATTERN_LENGTH} characters.`)
  // A valid pattern, but one that no path matches: braces are percent-encoded there.
  const [template] = /\{[A-Za-z_]\w*\}/.exec(pattern) ?? []
  if (template !== undefined) throw invalid(`has ${template}; write the id itself in its place.`)
  const whole = compiled(pattern)
  checkBacktracking(pattern)
  return (path) => path.length <= MAX_PATH_LENGTH && whole.test(path)
}

function compiled(pattern: string): RegExp {
  try {
    // By itself first: `a)|(b` is a pattern only inside of the group below.
    new RegExp(pattern)
    return new RegExp(`^(?:${pattern})$`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`is no regular expression of JavaScript: ${reason}.`)
  }
}

function checkBacktracking(pattern: string): void {
  const found = pattern.match(tokens) ?? []
  const isRepetition = (token: string | undefined) => token !== undefined && /^[*+{]/.test(token)
  if (found.some((token, at) => token === ')' && isRepetition(found[at + 1]))) {
    throw invalid(
      'repeats a group, as (a+)+ does, which can take for ever to match; repeat characters only, as in .* or [^/]+.',
    )
  }
  const repetitions = found.filter((token) => isRepetition(token) && !/^\{\d+\}$/.test(token)).length
  const choices = found.filter((token) => token === '(' || token === '?').length
  if (repetitions > MAX_REPETITIONS || choices > MAX_CHOICES) {
    throw invalid(
      `can take too long to match: it may have ${MAX_REPETITIONS} repetitions (*, + or {1,9}) and ${MAX_CHOICES} groups and question marks; make more operations of it.`,
    )
  }
}

function invalid(problem: string): Refusal {
  return new Refusal(400, 'INVALID_OPERATIONS', `The path of an operation ${problem}`)
}
