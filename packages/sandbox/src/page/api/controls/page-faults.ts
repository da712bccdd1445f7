import type { Armed } from '../../../gateway/faults/armed-list.js'
import { callbackFaults as callbackKinds } from '../../../gateway/faults/callback-fault-kinds.js'
import { checkCallbackFault, checkFault } from '../../../gateway/faults/check-fault.js'
import type { CallbackFaultOptions, FaultOptions } from '../../../gateway/faults/fault.js'
import { type FaultField, keysOf } from '../../../gateway/faults/fault-field.js'
import { placesOf, requestFaults } from '../../../gateway/faults/fault-kinds.js'
import { asRefusal, PageRefusal } from '../http/responses.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'

type FaultParts = Pick<PageParts, 'faults' | 'callbackFaults'>

/** A fault that is armed, on the page or by code. */
export type ArmedFault = ReturnType<typeof armedFaults>[number]
/** A kind of fault, and what a form asks for to arm it. */
export type FaultForm = (typeof faultForms)[number]

const MOST_ARMED = 200
const MOST_SHOWN = 300

/** Every kind of fault that can be armed, and what a form has to ask for. */
export const faultForms = [
  ...keysOf(requestFaults).map((kind) => {
    const { label, fields } = requestFaults[kind]
    return { at: 'request' as const, kind, label, places: placesOf(kind), fields: formOf(fields) }
  }),
  ...keysOf(callbackKinds).map((kind) => {
    const { label, fields } = callbackKinds[kind]
    return { at: 'callback' as const, kind, label, places: [], fields: formOf(fields) }
  }),
]

function formOf(fields: Readonly<Record<string, FaultField<unknown>>>) {
  return Object.entries(fields).map(([name, { check: _, ...form }]) => ({ name, ...form }))
}

/** All faults that are armed, by the page or by code. */
export function armedFaults({ faults, callbackFaults }: FaultParts, mask: Mask) {
  return [
    ...faults.list().map((fault) => ({ ...shown(fault, mask), ...requestPlace(fault.options) })),
    ...callbackFaults.list().map((fault) => ({ ...shown(fault, mask), ...callbackPlace(fault.options) })),
  ].map(({ number, ...fault }) => ({ ...fault, key: `${fault.at}-${number}` }))
}

/**
 * Arms what the page asks for, checked as by code.
 * @throws PageRefusal that says what is wrong
 */
export function armFault(
  { at, ...options }: Readonly<Record<string, unknown>>,
  { faults, callbackFaults }: FaultParts,
): void {
  if (faults.list().length + callbackFaults.list().length >= MOST_ARMED) {
    throw new PageRefusal(409, 'Too many faults are armed; disarm some.')
  }
  asRefusal(() => {
    const fault = { ...options, ...timesOf(options) }
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
    /** Null for all: JSON has no Infinity. */
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
  if (typeof value === 'function') return 'by a function'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** JSON has no Infinity. */
function timesOf({ times }: Record<string, unknown>): { times?: unknown } {
  return times === null ? { times: Number.POSITIVE_INFINITY } : {}
}
