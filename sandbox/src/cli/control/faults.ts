import { Option } from 'commander'
import { someText, wholeNumber } from '../../../../src/cli/arguments.js'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import { callbackKinds, requestKinds } from '../../desk/page/faults/fault-inputs.js'
import type { FaultAction } from '../../gateway/faults/fault.js'
import { placesOf } from '../../gateway/faults/fault-fields.js'
import type { ControlRequest } from '../sandbox-control.js'
import { callbackParameters, faultParameters } from './fault-parameters.js'
import { type Control, type ControlGroup, type Given, picked } from './spec.js'
import { faultLines } from './state-lines.js'
import { chance, routeLines, routeOption, timesOrAll } from './values.js'

/** Which requests or callbacks, of those that it could hit. */
const timesOption = () =>
  new Option('--times <N>', 'how many it hits, or all (default: 1)').argParser(timesOrAll)
const idOption = () => new Option('--id <ID>', 'only for this idPayin or idPayout').argParser(someText)
export const requestAim = () => [
  idOption(),
  timesOption(),
  new Option('--skip <N>', 'how many it lets pass first (default: 0)').argParser(wholeNumber(0, 1_000_000)),
  new Option('--probability <P>', 'hits with this chance only (default: 1)').argParser(chance),
]
export const callbackAim = () => [
  new Option('--kind <KIND>', 'only callbacks about these').choices(['payin', 'payout']),
  idOption(),
  timesOption(),
]

/** `faults` with what arms one. */
export function armed(fault: Readonly<Record<string, unknown>>): ControlRequest {
  return { method: 'POST', path: 'faults', body: fault }
}

/** `sandbox.fault`, a command for each kind. */
export const faultGroup: ControlGroup = {
  name: 'fault',
  does: 'Make requests go wrong.',
  controls: kindsOf(faultParameters).map(faultControl),
}

/** `sandbox.callbackFault`, a command for each kind. */
export const callbackFaultGroup: ControlGroup = {
  name: 'callback-fault',
  does: 'Make callbacks go wrong.',
  controls: kindsOf(callbackParameters).map((kind): Control => {
    const parameters = Object.entries<() => readonly Option[]>(callbackParameters[kind])
    return {
      name: kind,
      does: sentence(callbackKinds[kind].what),
      options: () => [...parameters.flatMap(([, options]) => options()), ...callbackAim()],
      order: (given) => {
        const action = { kind, ...picked(given, ...parameters.map(([name]) => name)) }
        return armed({ at: 'callback', ...picked(given, 'kind', 'id', 'times'), action })
      },
      lines: faultLines,
    }
  }),
}

function faultControl(kind: FaultAction['kind']): Control {
  const parameters = Object.entries<() => readonly Option[]>(faultParameters[kind])
  const places = placesOf(kind)
  return {
    name: kind,
    does: sentence(requestKinds[kind].what),
    options: () => [routeOption(places), ...parameters.flatMap(([, options]) => options()), ...requestAim()],
    more: routeLines(places),
    order: (given) =>
      requestFault(
        given,
        actionOf(
          kind,
          given,
          parameters.map(([name]) => name),
        ),
      ),
    lines: faultLines,
  }
}

/** A fault of requests, aimed as the options say. */
export function requestFault(given: Given, action: Readonly<Record<string, unknown>>): ControlRequest {
  const aim = picked(given, 'id', 'times', 'skip', 'probability')
  return armed({ at: 'request', route: given.route ?? '*', ...aim, action })
}

const changes = ['change', 'nullAt', 'extraFields', 'showStatus']

function actionOf(
  kind: FaultAction['kind'],
  given: Given,
  names: readonly string[],
): Record<string, unknown> {
  if (kind !== 'mutate') return { kind, ...picked(given, ...names) }
  const change = picked(given, ...changes)
  if (Object.keys(change).length === 1) return { kind, ...change }
  throw new CommandFailed('give one of --change, --null-at, --extra-fields and --show-status.')
}

function sentence(what: string): string {
  return `${what.replaceAll('’', "'")}.`
}

/** The kinds of a table, in its order. */
function kindsOf<Kind extends string>(table: { readonly [K in Kind]: unknown }): Kind[] {
  const kinds: Kind[] = []
  for (const kind in table) kinds.push(kind)
  return kinds
}
