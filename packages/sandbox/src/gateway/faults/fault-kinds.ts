import { isObject } from '../../common/json.js'
import { type RouteName, routeNames } from '../wire/routes.js'
import type { CallbackFaultAction, FaultAction } from './fault.js'
import {
  choice,
  type FieldsOf,
  flag,
  httpStatus,
  json,
  milliseconds,
  optional,
  shift,
  text,
  wholeSeconds,
} from './fault-field.js'

/** Where a fault of a request can be armed: an endpoint, `create` for both creates, or `*` for every request. */
export type Place = RouteName | 'create' | '*'

interface RequestFaultKind<Action> {
  /** What the page calls it. */
  readonly label: string
  readonly fields: FieldsOf<Action>
  /** Where it means something; everywhere when absent. */
  readonly places?: readonly Place[]
  /** Whether the response is the fault's own, and not what the gateway had to say. */
  readonly replacesAnswer?: true
}

export const FIELD_OF_EVERY_PAYMENT = 'paymentMethodResponse.paymentMethodCode'
export const UNKNOWN_STATUS = 'UNDER_REVIEW'
export const PROXY_STATUS = 502

const creates: readonly Place[] = ['create', 'POST /payins/{idPayin}', 'POST /payouts/{idPayout}']
const statusRequests: readonly Place[] = [
  'GET /payins/{idPayin}',
  'GET /payouts/{idPayout}',
  'GET /payins/{idPayin}/customer-account',
]
const withToken: readonly Place[] = [
  'create',
  '*',
  ...routeNames.filter((route) => !route.startsWith('POST /auth-tokens')),
]
const processed = flag({ label: 'Process the request before' })

/**
 * Every kind of fault of a request, in the order in which the page offers them. The checks, the page's form, the
 * log and the table in docs/faults.md are made from it: a new kind is its type in fault-action.ts, its entry here, and what it
 * does in `applyFault`.
 */
export const requestFaults: {
  readonly [Kind in FaultAction['kind']]: RequestFaultKind<Extract<FaultAction, { kind: Kind }>>
} = {
  'drop-after': {
    label: 'Process it, then reset the connection',
    fields: {},
  },
  'drop-before': {
    label: 'Reset the connection, nothing processed',
    fields: {},
  },
  'cut-body': {
    label: 'Break the response off in its body',
    fields: {},
  },
  'stall-body': {
    label: 'Stop in the middle of the response',
    fields: {},
  },
  timeout: { label: 'Never answer', fields: { processed } },
  delay: {
    label: 'Answer late',
    fields: {
      ms: milliseconds({ label: 'Late by', value: 2000 }),
      jitterMs: optional(milliseconds({ label: 'And up to so much more', value: 0 })),
      processed: choice('Processed', { 'on-arrival': 'on arrival', late: 'at the end of the delay' }),
    },
  },
  status: {
    label: 'Answer with an HTTP status',
    replacesAnswer: true,
    fields: {
      status: httpStatus(503),
      body: optional(
        json('a text, or a value of JSON', isBody, {
          label: 'Body',
          placeholder: '{ "code": "FAULT" }, or any text',
        }),
      ),
      headers: optional(
        json('an object of headers, whose values are texts of one line', isHeaders, {
          label: 'Headers',
          placeholder: '{ "retry-after": "2" }',
        }),
      ),
      processed,
    },
  },
  html: {
    label: 'Answer with a proxy’s HTML page',
    replacesAnswer: true,
    fields: { status: optional(httpStatus(PROXY_STATUS)), processed },
  },
  mutate: {
    label: 'Change the response',
    fields: {
      change: json('a function from JSON to JSON, or an object: a JSON merge patch', isChange, {
        label: 'Merge patch: fields are set, null removes one',
        value: '{ "process": { "status": "UNDER_REVIEW" } }',
      }),
    },
  },
  'null-for-string': {
    label: 'Null where a string was',
    fields: {
      field: optional(
        text('the path of a field, with dots, such as process.status', {
          label: 'Field',
          value: FIELD_OF_EVERY_PAYMENT,
        }),
      ),
    },
  },
  'extra-fields': {
    label: 'Unknown fields',
    fields: {},
  },
  'unknown-status': {
    label: 'An unknown status',
    fields: { status: optional(text('a status', { label: 'Status', value: UNKNOWN_STATUS })) },
  },
  'rate-limit': {
    label: 'Answer 429, nothing processed',
    fields: {
      retryAfterSecs: optional(wholeSeconds({ label: 'Retry-After; empty for none' })),
      as: choice('Retry-After as', { seconds: 'seconds', date: 'a date' }),
    },
  },
  overtaken: {
    label: 'The same request was there a moment before',
    places: creates,
    fields: {},
  },
  'callback-first': {
    label: 'The callback comes before the response',
    places: creates,
    fields: {},
  },
  hide: {
    label: 'Answer 404 while the payment is young',
    places: statusRequests,
    fields: { ms: milliseconds({ label: 'Found from the age of', value: 2000 }) },
  },
  'revoke-token': {
    label: 'Revoke its token first',
    places: withToken,
    fields: {},
  },
  'skew-clock': {
    label: 'The gateway’s clock goes wrong',
    fields: {
      ms: shift({ label: 'Ahead by, or behind below 0', value: 3_600_000 }),
      forMs: milliseconds({ label: 'For how long', value: 60_000 }),
    },
  },
}

export function placesOf(kind: FaultAction['kind']): readonly Place[] {
  return requestFaults[kind].places ?? ['create', '*', ...routeNames]
}

export function isAt(place: Place, route: RouteName | undefined): boolean {
  if (place === 'create') return route !== undefined && creates.includes(route)
  return place === '*' || place === route
}

function isChange(value: unknown): boolean {
  return typeof value === 'function' || isObject(value)
}

function isBody(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
}

/** What can be written on the wire; the length and the end of the response are the server's own. */
function isHeaders(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, line]) => {
    const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/^(?:content-length|transfer-encoding)$/i.test(name)
    return isName && typeof line === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(line)
  })
}

/** What the sandbox knows of one kind of fault of a callback, beside what it does. */
interface CallbackFaultKind<Action> {
  /** What the page calls it. */
  readonly label: string
  readonly fields: FieldsOf<Action>
}

/** Every kind of fault of a callback: what `requestFaults` is for requests. `CallbackFaults` does it. */
export const callbackFaults: {
  readonly [Kind in CallbackFaultAction['kind']]: CallbackFaultKind<
    Extract<CallbackFaultAction, { kind: Kind }>
  >
} = {
  missing: { label: 'A callback is never sent', fields: {} },
  twice: { label: 'A callback is sent twice', fields: {} },
  late: {
    label: 'A callback is sent late',
    fields: { ms: milliseconds({ label: 'Late by', value: 10_000 }) },
  },
  swapped: { label: 'A callback comes after the next one', fields: {} },
}
