import { Option } from 'commander'
import { someText, wholeNumber } from '../../../../src/cli/arguments.js'
import type { FaultAction } from '../../gateway/faults/fault.js'
import { placesOf } from '../../gateway/faults/fault-fields.js'
import type { Rare } from '../../gateway/faults/rare-faults.js'
import type { RouteName } from '../../gateway/wire/routes.js'
import { armed, callbackAim, requestAim, requestFault } from './faults.js'
import { type Control, type ControlGroup, type Given, picked } from './spec.js'
import { clockLines, faultLines } from './state-lines.js'
import { routeLines, routeOption, signedSpan, span } from './values.js'

/** Everything but what a command is called. */
type Unnamed = Omit<Control, 'name'>

const statusRoutes: readonly RouteName[] = ['GET /payins/{idPayin}', 'GET /payouts/{idPayout}']

/** `sandbox.rare`, a command for each. One that is missing here does not compile. */
const rare: { readonly [Name in keyof Rare]: Unnamed } = {
  answerLost: onRequest('drop-after', 'The request is processed, and the answer is lost.'),
  bodyStalled: onRequest('stall-body', 'Half of the answer comes, and then nothing.'),
  callbackBeforeAnswer: onRequest('callback-first', 'The callback comes before the create is answered.'),
  callbackTwice: onCallback('A callback comes two times.', () => ({ kind: 'twice' })),
  callbackLate: onCallback(
    'A callback comes late.',
    ({ by }) => ({ kind: 'late', ms: by }),
    () => [new Option('--by <SPAN>', 'how late').argParser(span).default(60_000, '1min')],
  ),
  callbacksOutOfOrder: onCallback('A callback comes after the next one.', () => ({ kind: 'swapped' })),
  callbackMissing: onCallback('A callback does not come.', () => ({ kind: 'missing' })),
  foundLater: onRequest(
    'hide',
    'A payment is not found while it is young: 404.',
    ({ afterMs }) => ({ ms: afterMs }),
    () => [new Option('--after-ms <SPAN>', 'from which age it is found').argParser(span).default(1000, '1s')],
    { places: statusRoutes, times: Number.POSITIVE_INFINITY },
  ),
  unknownStatus: onRequest(
    'mutate',
    'The answer has a status that nobody has heard of.',
    ({ status }) => ({ showStatus: status }),
    () => [new Option('--status <STATUS>', 'which').argParser(someText).default('UNDER_REVIEW')],
    { places: statusRoutes },
  ),
  nullForString: onRequest(
    'mutate',
    'The answer has null where a string was.',
    ({ field }) => ({ nullAt: field }),
    () => [
      new Option('--field <PATH>', 'where; the default is in every answer about a payment')
        .argParser(someText)
        .default('paymentMethodResponse.paymentMethodCode'),
    ],
  ),
  extraFields: onRequest('mutate', 'Every object of the answer has fields nobody knows.', () => ({
    extraFields: true,
  })),
  createsRace: onRequest('overtaken', 'Another create with this id and content wins: 409.'),
  tooManyRequests: onRequest(
    'rate-limit',
    '429, and nothing is processed.',
    (given) => picked(given, 'retryAfterSecs', 'as'),
    () => [
      new Option('--retry-after-secs <SECS>', 'Retry-After (default: none)').argParser(
        wholeNumber(0, 86_400),
      ),
      new Option('--as <FORM>', 'how Retry-After is written').choices(['seconds', 'date']),
    ],
  ),
  clockSkewed: {
    does: "The gateway's clock is wrong.",
    options: () => [
      new Option('--by <SPAN>', 'how far ahead; -1h is behind')
        .argParser(signedSpan)
        .default(3_600_000, '1h'),
    ],
    order: ({ by }) => ({ method: 'POST', path: 'clock', body: { skewMs: by } }),
    lines: clockLines,
  },
  tokensRevoked: {
    does: 'Every token that was made until now is refused: 401.',
    order: () => ({ method: 'DELETE', path: 'tokens' }),
    lines: () => ['all tokens are revoked'],
  },
}

export const rareGroup: ControlGroup = {
  name: 'rare',
  does: 'What happens once a year, by its name.',
  controls: Object.entries(rare).map(([name, control]) => ({ name: inKebab(name), ...control })),
}

/** `answerLost` as it is typed: `answer-lost`. */
function inKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function onRequest(
  kind: FaultAction['kind'],
  does: string,
  parameters: (given: Given) => Readonly<Record<string, unknown>> = () => ({}),
  options: () => readonly Option[] = () => [],
  { places = placesOf(kind), times }: { places?: readonly (RouteName | '*')[]; times?: number } = {},
): Unnamed {
  return {
    does,
    options: () => [routeOption(places, false), ...options(), ...requestAim()],
    more: routeLines(places),
    order: (given) =>
      requestFault({ ...(times === undefined ? {} : { times }), ...given }, { kind, ...parameters(given) }),
    lines: faultLines,
  }
}

function onCallback(
  does: string,
  action: (given: Given) => Readonly<Record<string, unknown>>,
  options: () => readonly Option[] = () => [],
): Unnamed {
  return {
    does,
    options: () => [...options(), ...callbackAim()],
    order: (given) =>
      armed({ at: 'callback', ...picked(given, 'kind', 'id', 'times'), action: action(given) }),
    lines: faultLines,
  }
}
