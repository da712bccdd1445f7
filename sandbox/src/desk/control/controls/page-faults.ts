import type { Armed } from '../../../gateway/faults/armed-list.js'
import type { CallbackFaultOptions } from '../../../gateway/faults/callback-fault.js'
import { checkCallbackFault, checkFault, ownFault } from '../../../gateway/faults/check-fault.js'
import type { FaultOptions } from '../../../gateway/faults/fault.js'
import { nullAt, statusOf, withExtraFields } from '../../../gateway/faults/response-changes.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { asRefusal, PageRefusal } from '../http/responses.js'
import type { Mask } from '../mask/mask.js'
import type { ArmedFault } from '../messages/controls.js'
import type { PageParts } from '../parts/parts.js'

type FaultParts = Pick<PageParts, 'faults' | 'callbackFaults'>

const MOST_ARMED = 200
const MOST_SHOWN = 300

/** All faults that are armed, by the page or by code. */
export function armedFaults({ faults, callbackFaults }: FaultParts, mask: Mask): ArmedFault[] {
  return [
    ...faults.list().map((fault) => ({ ...shown(fault, mask), ...requestPlace(fault.options) })),
    ...callbackFaults.list().map((fault) => ({ ...shown(fault, mask), ...callbackPlace(fault.options) })),
  ].map(({ number, ...fault }) => ({ ...fault, key: `${fault.at}-${number}` }))
}

/**
 * Arms what the page asks for, checked as by code.
 * @throws PageRefusal that says what is wrong
 */
export function armFault(order: unknown, { faults, callbackFaults }: FaultParts): void {
  if (!isRecord(order)) throw new PageRefusal(400, 'A fault is an object.')
  const { at, ...given } = order
  if (faults.list().length + callbackFaults.list().length >= MOST_ARMED) {
    throw new PageRefusal(409, 'Too many faults are armed; disarm some.')
  }
  asRefusal(() => {
    const fault = ownFault({ ...given, ...timesOf(given), action: actionOf(given.action) })
    if (at === 'callback') {
      checkCallbackFault(fault)
      callbackFaults.arm(fault)
    } else {
      checkFault(fault)
      faults.arm(fault)
    }
  })
}

/** Disarms one by the key that it is shown with; nothing when it has gone already. */
export function disarmFault(key: string, { faults, callbackFaults }: FaultParts): void {
  const [at, number] = key.split('-')
  if (at === 'callback') callbackFaults.disarm(Number(number))
  else faults.disarm(Number(number))
}

function shown({ key, options, hits, toSkip }: Armed<FaultOptions | CallbackFaultOptions>, mask: Mask) {
  const { id = null, times = 1, action } = options
  const { kind, ...parameters } = action
  return {
    number: key,
    id: id === null ? null : mask.text(id),
    kind,
    parameters: Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, valueText(mask.value(name, value))]),
    hits,
    times: times === Number.POSITIVE_INFINITY ? null : times,
    toSkip,
    probability: 1,
  }
}

function requestPlace({ route, probability = 1 }: FaultOptions) {
  return { at: 'request' as const, place: route, probability }
}

function callbackPlace({ kind }: CallbackFaultOptions) {
  return { at: 'callback' as const, place: kind ?? '*' }
}

function valueText(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'by a function' : value.name
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** JSON has no Infinity. */
function timesOf({ times }: Record<string, unknown>): { times?: unknown } {
  return times === null ? { times: Number.POSITIVE_INFINITY } : {}
}

/** JSON has no functions: what code does by one is named. */
function actionOf(action: unknown): unknown {
  if (!isRecord(action) || action.kind !== 'mutate') return action
  const { nullAt: field, extraFields, showStatus, ...rest } = action
  if (typeof field === 'string' && field !== '') return { change: nullAt(field), ...rest }
  if (typeof showStatus === 'string' && showStatus !== '') return { change: statusOf(showStatus), ...rest }
  return extraFields === true ? { change: withExtraFields, ...rest } : rest
}
