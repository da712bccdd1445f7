import { isObject } from '../../common/json.js'
import { type RouteName, routeNames } from '../wire/routes.js'
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

/** What goes wrong with a request: `kind` says what. Numbers of milliseconds are by the sandbox's clock. */
export type FaultAction =
  | {
      /** Nothing is processed, the connection is reset. */
      readonly kind: 'drop-before'
    }
  | {
      /** Processed, and then the connection is reset: the response is lost. */
      readonly kind: 'drop-after'
    }
  | {
      /** Processed; the headers and half of the body arrive, and then the connection ends. */
      readonly kind: 'cut-body'
    }
  | {
      /** As `cut-body`, but the connection stays open and nothing more comes. */
      readonly kind: 'stall-body'
    }
  | {
      /** Never answered. */
      readonly kind: 'timeout'
      /** Whether it is processed: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Answered later. */
      readonly kind: 'delay'
      /** How much later, in milliseconds. */
      readonly ms: number
      /** Up to this much more, in milliseconds, drawn by the seed: 0 by default. */
      readonly jitterMs?: number
      /** When it is processed: on arrival by default, or at the end of the delay. */
      readonly processed?: 'on-arrival' | 'late'
    }
  | {
      /** Answered with that status. */
      readonly kind: 'status'
      /** HTTP status. */
      readonly status: number
      /** The body of the response: JSON, unless it is a string, which goes out as it is. */
      readonly body?: unknown
      /** Headers of the response, besides those that every response has. */
      readonly headers?: Readonly<Record<string, string>>
      /** Whether it is processed before: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Answered with a page such as proxies send. */
      readonly kind: 'html'
      /** HTTP status: 502 by default. */
      readonly status?: number
      /** Whether it is processed before: false by default. */
      readonly processed?: boolean
    }
  | {
      /** Processed, and the response is changed. */
      readonly kind: 'mutate'
      /**
       * A function that is given the JSON of the response and returns another; or an object, which is a JSON merge
       * patch (RFC 7386): its fields are set, and null removes one.
       */
      readonly change: ((json: unknown) => unknown) | Readonly<Record<string, unknown>>
    }
  | {
      /** Processed, and the response has null where a string was. Without a string there it becomes a 500 that says so. */
      readonly kind: 'null-for-string'
      /**
       * The path of the field, with dots: `paymentMethodResponse.paymentMethodCode` by default, which every response
       * about a payment has.
       */
      readonly field?: string
    }
  | {
      /** Processed, and every object of the response has unknown fields (section 9 allows it). */
      readonly kind: 'extra-fields'
    }
  | {
      /** Processed, and the response shows another status, in `process` or at the top; one without a status stays. */
      readonly kind: 'unknown-status'
      /** The status: `UNDER_REVIEW` by default. */
      readonly status?: string
    }
  | {
      /** 429 and not processed. */
      readonly kind: 'rate-limit'
      /** Retry-After, in seconds; none when absent. */
      readonly retryAfterSecs?: number
      /** Whether Retry-After comes in seconds, as by default, or as a date. */
      readonly as?: 'seconds' | 'date'
    }
  | {
      /** 404 for a payment that is too young; others are processed. */
      readonly kind: 'hide'
      /** The age, in milliseconds, from which a payment is found. */
      readonly ms: number
    }
  | {
      /**
       * The same request is processed twice, and the second answer is the one that leaves. A create meets
       * 409, because another one with its id and content was a moment earlier.
       */
      readonly kind: 'overtaken'
    }
  | {
      /**
       * Processed; the payment becomes PENDING and its callback is delivered and answered, and only then the
       * answer leaves.
       */
      readonly kind: 'callback-first'
    }
  | {
      /** The token that the request carries is revoked, and then the request is processed: 401. */
      readonly kind: 'revoke-token'
    }
  | {
      /** The gateway's clock goes wrong, and then the request is processed. Everybody sees that clock. */
      readonly kind: 'skew-clock'
      /** By how much, in milliseconds: ahead, or behind when negative. */
      readonly ms: number
      /** For how long, in milliseconds. */
      readonly forMs: number
    }

/** Where a fault of a request can be armed: an endpoint, or `*` for every request. */
export type Place = RouteName | '*'

/** What the sandbox knows of one kind of fault, beside what it does. */
export interface RequestFaultKind<Action> {
  /** What the page calls it. */
  readonly label: string
  /** What the log says of a request that met it. */
  readonly note: string
  readonly fields: FieldsOf<Action>
  /** Where it means something; everywhere when absent. */
  readonly places?: readonly Place[]
  /** Whether the response is the fault's own, and not what the gateway had to say. */
  readonly replacesAnswer?: true
}

/** The field that `null-for-string` takes by default. */
export const FIELD_OF_EVERY_PAYMENT = 'paymentMethodResponse.paymentMethodCode'
/** The status that `unknown-status` shows by default. */
export const UNKNOWN_STATUS = 'UNDER_REVIEW'
/** The status of a proxy's page, by default. */
export const PROXY_STATUS = 502

const creates: readonly Place[] = ['POST /payins/{idPayin}', 'POST /payouts/{idPayout}']
const statusRequests: readonly Place[] = [
  'GET /payins/{idPayin}',
  'GET /payouts/{idPayout}',
  'GET /payins/{idPayin}/customer-account',
]
const withToken: readonly Place[] = [
  '*',
  ...routeNames.filter((route) => !route.startsWith('POST /auth-tokens')),
]
const processed = flag({ label: 'Process the request before' })

/**
 * Every kind of fault of a request, in the order in which the page offers them. The checks, the page's form, the
 * log and the table in docs/sandbox.md are made from it: a new kind is its type above, its entry here, and what it
 * does in `applyFault`.
 */
export const requestFaults: {
  readonly [Kind in FaultAction['kind']]: RequestFaultKind<Extract<FaultAction, { kind: Kind }>>
} = {
  'drop-after': {
    label: 'Process it, then reset the connection',
    note: 'A fault reset the connection: the response was lost.',
    fields: {},
  },
  'drop-before': {
    label: 'Reset the connection, nothing processed',
    note: 'A fault reset the connection first.',
    fields: {},
  },
  'cut-body': {
    label: 'Break the response off in its body',
    note: 'A fault broke the response off in its body.',
    fields: {},
  },
  'stall-body': {
    label: 'Stop in the middle of the response',
    note: 'A fault stopped the response in its body.',
    fields: {},
  },
  timeout: { label: 'Never answer', note: 'A fault keeps the response back.', fields: { processed } },
  delay: {
    label: 'Answer late',
    note: 'A fault made the response late.',
    fields: {
      ms: milliseconds({ label: 'Late by', value: 2000 }),
      jitterMs: optional(milliseconds({ label: 'And up to so much more', value: 0 })),
      processed: choice('Processed', { 'on-arrival': 'on arrival', late: 'at the end of the delay' }),
    },
  },
  status: {
    label: 'Answer with an HTTP status',
    note: 'A fault made up the response.',
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
    note: 'A fault answered in its place, with a proxy’s page.',
    replacesAnswer: true,
    fields: { status: optional(httpStatus(PROXY_STATUS)), processed },
  },
  mutate: {
    label: 'Change the response',
    note: 'A fault changed the response.',
    fields: {
      change: json('a function from JSON to JSON, or an object: a JSON merge patch', isChange, {
        label: 'Merge patch: fields are set, null removes one',
        value: '{ "process": { "status": "UNDER_REVIEW" } }',
      }),
    },
  },
  'null-for-string': {
    label: 'Null where a string was',
    note: 'A fault put null into the response, where a string was.',
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
    note: 'A fault put unknown fields into the response.',
    fields: {},
  },
  'unknown-status': {
    label: 'An unknown status',
    note: 'A fault put another status into the response.',
    fields: { status: optional(text('a status', { label: 'Status', value: UNKNOWN_STATUS })) },
  },
  'rate-limit': {
    label: 'Answer 429, nothing processed',
    note: 'A fault answered that there were too many requests.',
    fields: {
      retryAfterSecs: optional(wholeSeconds({ label: 'Retry-After; empty for none' })),
      as: choice('Retry-After as', { seconds: 'seconds', date: 'a date' }),
    },
  },
  overtaken: {
    label: 'The same request was there a moment before',
    note: 'A fault let the same request be processed a moment before.',
    places: creates,
    fields: {},
  },
  'callback-first': {
    label: 'The callback comes before the response',
    note: 'A fault had the callback delivered before the response.',
    places: creates,
    fields: {},
  },
  hide: {
    label: 'Answer 404 while the payment is young',
    note: 'A fault hides the payment while it is young.',
    places: statusRequests,
    fields: { ms: milliseconds({ label: 'Found from the age of', value: 2000 }) },
  },
  'revoke-token': {
    label: 'Revoke its token first',
    note: 'A fault revoked the token first.',
    places: withToken,
    fields: {},
  },
  'skew-clock': {
    label: 'The gateway’s clock goes wrong',
    note: 'A fault set the gateway’s clock wrong.',
    fields: {
      ms: shift({ label: 'Ahead by, or behind below 0', value: 3_600_000 }),
      forMs: milliseconds({ label: 'For how long', value: 60_000 }),
    },
  },
}

/** Where a fault of this kind can be armed. */
export function placesOf(kind: FaultAction['kind']): readonly Place[] {
  return requestFaults[kind].places ?? ['*', ...routeNames]
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
