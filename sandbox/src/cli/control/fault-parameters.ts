import { Option } from 'commander'
import { someText, wholeNumber } from '../../../../src/cli/arguments.js'
import type { CallbackFaultAction } from '../../gateway/faults/callback-fault.js'
import type { FaultAction } from '../../gateway/faults/fault.js'
import { anotherHeader, jsonObject, jsonOrText, signedSpan, span } from './values.js'

type ByKind<Action extends { readonly kind: string }> = {
  readonly [Kind in Action['kind']]: {
    readonly [Name in Exclude<keyof Extract<Action, { kind: Kind }>, 'kind'>]-?: () => readonly Option[]
  }
}

const processed = () => [new Option('--processed', 'process the request before')]
const httpStatus = (status: number) => () => [
  new Option('--status <STATUS>', 'its HTTP status').argParser(wholeNumber(200, 599)).default(status),
]

/** A span with a value that is sent when it is left out. */
function ms(flags: string, says: string, shown: string): Option {
  return new Option(flags, says).argParser(signedSpan).default(signedSpan(shown), shown)
}

/** How each field of each kind is given. A kind or a field that is missing here does not compile. */
export const faultParameters: ByKind<FaultAction> = {
  'drop-after': {},
  'drop-before': {},
  'cut-body': {},
  'stall-body': {},
  timeout: { processed },
  delay: {
    ms: () => [ms('--ms <SPAN>', 'how late', '2s')],
    jitterMs: () => [new Option('--jitter-ms <SPAN>', 'and up to so much more, at random').argParser(span)],
    processed: () => [
      new Option('--processed <WHEN>', 'when the request is processed').choices(['on-arrival', 'late']),
    ],
  },
  status: {
    status: httpStatus(503),
    body: () => [new Option('--body <TEXT>', 'its body: JSON, or any text').argParser(jsonOrText)],
    headers: () => [
      new Option('--headers <HEADER>', 'such as "retry-after: 2"; may be given again').argParser(
        anotherHeader,
      ),
    ],
    processed,
  },
  html: { status: httpStatus(502), processed },
  mutate: {
    change: () => [
      new Option('--change <JSON>', 'a merge patch (RFC 7386) for the answer').argParser(jsonObject),
      new Option('--null-at <FIELD>', 'null there, such as process.status').argParser(someText),
      new Option('--extra-fields', 'fields that nobody has heard of'),
      new Option('--show-status <STATUS>', 'another status').argParser(someText),
    ],
  },
  'rate-limit': {
    retryAfterSecs: () => [
      new Option('--retry-after-secs <SECS>', 'Retry-After (default: none)').argParser(
        wholeNumber(0, 86_400),
      ),
    ],
    as: () => [new Option('--as <FORM>', 'how Retry-After is written').choices(['seconds', 'date'])],
  },
  overtaken: {},
  'callback-first': {},
  hide: { ms: () => [ms('--ms <SPAN>', 'from which age it is found', '2s')] },
  'revoke-token': {},
  'skew-clock': {
    ms: () => [ms('--ms <SPAN>', 'how far ahead; -1h is behind', '1h')],
    forMs: () => [ms('--for-ms <SPAN>', 'for how long', '1min')],
  },
}

/** The same for callbacks. */
export const callbackParameters: ByKind<CallbackFaultAction> = {
  missing: {},
  twice: {},
  late: { ms: () => [ms('--ms <SPAN>', 'how late', '10s')] },
  swapped: {},
}
