import { isRecord } from '../wire/json-body.js'
import { type RouteName, routeNames } from '../wire/routes.js'
import type { CallbackFaultAction } from './callback-fault.js'
import type { FaultAction } from './fault.js'

/** What a field of a fault has to be, for the message of the check that it fails. */
export interface Field {
  readonly expected: string
  readonly isRight: (value: unknown) => boolean
  readonly isOptional: boolean
}

/** The fields of one kind of fault, without its kind. */
type FieldsOf<Action> = { readonly [Name in Exclude<keyof Action, 'kind'>]-?: Field }

type ByKind<Action extends { readonly kind: string }> = {
  readonly [Kind in Action['kind']]: FieldsOf<Extract<Action, { kind: Kind }>>
}

const duration = must('a number of milliseconds, 0 or more', (value) => isNumber(value) && value >= 0)
const flag = optional(must('true or false', (value) => typeof value === 'boolean'))
const httpStatus = must('an HTTP status from 200 to 599', (value) => isWhole(value, 200) && value <= 599)

/** Every field of every kind of fault of a request. */
export const faultFields: ByKind<FaultAction> = {
  'drop-before': {},
  'drop-after': {},
  'cut-body': {},
  'stall-body': {},
  timeout: { processed: flag },
  delay: {
    ms: duration,
    jitterMs: optional(duration),
    processed: optional(oneOf('on-arrival', 'late')),
  },
  status: {
    status: httpStatus,
    body: optional(must('a text, or a value of JSON', isBody)),
    headers: optional(must('an object of headers, whose values are texts of one line', isHeaders)),
    processed: flag,
  },
  html: { status: optional(httpStatus), processed: flag },
  mutate: {
    change: must(
      'a function from JSON to JSON, or an object: a JSON merge patch',
      (value) => typeof value === 'function' || isRecord(value),
    ),
  },
  'rate-limit': {
    retryAfterSecs: optional(must('a whole number of seconds, 0 or more', (value) => isWhole(value, 0))),
    as: optional(oneOf('seconds', 'date')),
  },
  hide: { ms: duration },
  overtaken: {},
  'callback-first': {},
  'revoke-token': {},
  'skew-clock': { ms: must('a number of milliseconds', isNumber), forMs: duration },
}

/** Every field of every kind of fault of a callback. */
export const callbackFaultFields: ByKind<CallbackFaultAction> = {
  missing: {},
  twice: {},
  late: { ms: duration },
  swapped: {},
}

const creates: readonly RouteName[] = ['POST /payins/{idPayin}', 'POST /payouts/{idPayout}']
const lookUps: readonly RouteName[] = [
  'GET /payins/{idPayin}',
  'GET /payouts/{idPayout}',
  'GET /payins/{idPayin}/customer-account',
]
const withToken = routeNames.filter((route) => !route.startsWith('POST /auth-tokens'))

/** The kinds that mean nothing at some endpoints, and where they mean something. */
const places: { readonly [Kind in FaultAction['kind']]?: readonly (RouteName | '*')[] } = {
  hide: lookUps,
  overtaken: creates,
  'callback-first': creates,
  'revoke-token': ['*', ...withToken],
}

/** Where a fault of this kind can be armed. */
export function placesOf(kind: FaultAction['kind']): readonly (RouteName | '*')[] {
  return places[kind] ?? ['*', ...routeNames]
}

function must(expected: string, isRight: (value: unknown) => boolean): Field {
  return { expected, isRight, isOptional: false }
}

function optional(field: Field): Field {
  return { ...field, isOptional: true }
}

function oneOf(...texts: readonly string[]): Field {
  return must(texts.join(' or '), (value) => texts.some((text) => text === value))
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Whether it is a whole number of at least `least`. */
export function isWhole(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

function isBody(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
}

/** What can be written on the wire; the length and the end of the answer are the server's own. */
function isHeaders(value: unknown): boolean {
  if (!isRecord(value)) return false
  return Object.entries(value).every(([name, text]) => {
    const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/^(?:content-length|transfer-encoding)$/i.test(name)
    return isName && typeof text === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
  })
}
