import type { CallbackFaultAction } from '../../../gateway/faults/callback-fault.js'
import type { FaultAction } from '../../../gateway/faults/fault.js'

/** How a parameter of a fault is asked for. */
export type Input =
  | {
      readonly as: 'number'
      readonly label: string
      readonly value?: number
      readonly min?: number
      readonly max?: number
    }
  | { readonly as: 'flag'; readonly label: string }
  | {
      readonly as: 'choice'
      readonly label: string
      readonly choices: readonly (readonly [string, string])[]
    }
  /** JSON, or a text as it stands where it is none. */
  | { readonly as: 'body'; readonly label: string; readonly placeholder: string }
  /** An object of JSON. */
  | { readonly as: 'object'; readonly label: string; readonly placeholder: string }
  | { readonly as: 'change' }

type InputsOf<Action> = { readonly [Name in Exclude<keyof Action, 'kind'>]-?: Input }

type Kinds<Action extends { readonly kind: string }> = {
  readonly [Kind in Action['kind']]: {
    readonly what: string
    readonly inputs: InputsOf<Extract<Action, { kind: Kind }>>
  }
}

const LONGEST_MS = 86_400_000
const processed = { as: 'flag', label: 'Process the request before' } as const
const ms = (label: string, value: number) =>
  ({ as: 'number', label, value, min: 0, max: LONGEST_MS }) as const

/** What the page calls a fault: in words, and as code and command line call it. */
export function faultLabel(kind: string, { what }: { readonly what: string }): string {
  return `${what} (${kind})`
}

/** What can go wrong with a request. A kind or a parameter that is missing here does not compile. */
export const requestKinds: Kinds<FaultAction> = {
  'drop-after': { what: 'Process it, then reset the connection', inputs: {} },
  'drop-before': { what: 'Reset the connection, nothing processed', inputs: {} },
  'cut-body': { what: 'Break the answer off in its body', inputs: {} },
  'stall-body': { what: 'Stop in the middle of the answer', inputs: {} },
  timeout: { what: 'Never answer', inputs: { processed } },
  delay: {
    what: 'Answer late',
    inputs: {
      ms: ms('Milliseconds', 2000),
      jitterMs: ms('And up to so many more', 0),
      processed: {
        as: 'choice',
        label: 'Processed',
        choices: [
          ['on-arrival', 'on arrival'],
          ['late', 'at the end of the delay'],
        ],
      },
    },
  },
  status: {
    what: 'Answer with an HTTP status',
    inputs: {
      status: { as: 'number', label: 'HTTP status', value: 503, min: 200, max: 599 },
      body: { as: 'body', label: 'Body', placeholder: '{ "code": "FAULT" }, or any text' },
      headers: { as: 'object', label: 'Headers', placeholder: '{ "retry-after": "2" }' },
      processed,
    },
  },
  html: {
    what: 'Answer with a proxy’s HTML page',
    inputs: { status: { as: 'number', label: 'HTTP status', value: 502, min: 200, max: 599 }, processed },
  },
  mutate: { what: 'Change the answer', inputs: { change: { as: 'change' } } },
  'rate-limit': {
    what: 'Answer 429, nothing processed',
    inputs: {
      retryAfterSecs: { as: 'number', label: 'Retry-After in seconds; empty for none', min: 0, max: 86_400 },
      as: {
        as: 'choice',
        label: 'Retry-After as',
        choices: [
          ['seconds', 'seconds'],
          ['date', 'a date'],
        ],
      },
    },
  },
  overtaken: { what: 'The same request was there a moment before', inputs: {} },
  'callback-first': { what: 'The callback comes before the answer', inputs: {} },
  hide: {
    what: 'Answer 404 while the payment is young',
    inputs: { ms: ms('Found from the age of, in ms', 2000) },
  },
  'revoke-token': { what: 'Revoke its token first', inputs: {} },
  'skew-clock': {
    what: 'The gateway’s clock goes wrong',
    inputs: {
      ms: { as: 'number', label: 'Ahead by, in ms; behind below 0', value: 3_600_000 },
      forMs: ms('For how long, in ms', 60_000),
    },
  },
}

/** What can go wrong with a callback. */
export const callbackKinds: Kinds<CallbackFaultAction> = {
  missing: { what: 'A callback is never sent', inputs: {} },
  twice: { what: 'A callback is sent twice', inputs: {} },
  late: { what: 'A callback is sent late', inputs: { ms: ms('Milliseconds', 10_000) } },
  swapped: { what: 'A callback comes after the next one', inputs: {} },
}
