import { keysOf } from '../../../common/json.js'
import type { SandboxParts } from '../../../gateway/assemble.js'
import type { Armed } from '../../../gateway/faults/armed-faults.js'
import { checkCallbackFault, checkFault } from '../../../gateway/faults/check-fault.js'
import type { CallbackFaultOptions, FaultOptions } from '../../../gateway/faults/fault.js'
import type { FaultField } from '../../../gateway/faults/fault-field.js'
import {
  callbackFaults as callbackKinds,
  placesOf,
  requestFaults,
} from '../../../gateway/faults/fault-kinds.js'
import { asRefusal, PageRefusal } from '../http/endpoint.js'
import type { Mask } from '../mask.js'

type FaultParts = Pick<SandboxParts, 'faults' | 'callbackFaults'>

export type AddedFault = ReturnType<typeof faultsOf>[number]
export type FaultForm = (typeof faultForms)[number]

const MOST_FAULTS = 200
const MOST_SHOWN = 300

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

export function faultsOf({ faults, callbackFaults }: FaultParts, mask: Mask) {
  const atRequests = faults.list().map((fault) => {
    const { route, probability = 1 } = fault.options
    return { ...shown('request', fault, mask), place: route as string, probability }
  })
  const atCallbacks = callbackFaults.list().map((fault) => {
    return { ...shown('callback', fault, mask), place: fault.options.kind ?? '*', probability: 1 }
  })
  return [...atRequests, ...atCallbacks]
}

function shown(
  at: 'request' | 'callback',
  { key, options, hits, toSkip }: Armed<FaultOptions | CallbackFaultOptions>,
  mask: Mask,
) {
  const { id = null, times = 1, action } = options
  const { kind, ...parameters } = action
  return {
    at,
    key: `${at}-${key}`,
    id: id === null ? null : mask.text(id),
    kind,
    parameters: Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, valueText(mask.value(name, value))]),
    hits,
    /** Null for all: JSON has no Infinity. */
    times: times === Number.POSITIVE_INFINITY ? null : times,
    toSkip,
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'function') return 'by a function'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** @throws saying what is wrong ({@link PageRefusal}). */
export function addFault(
  { at, ...options }: Readonly<Record<string, unknown>>,
  { faults, callbackFaults }: FaultParts,
): void {
  if (faults.list().length + callbackFaults.list().length >= MOST_FAULTS) {
    throw new PageRefusal(409, 'There are too many faults; remove some.')
  }
  const times = options.times === null ? { times: Number.POSITIVE_INFINITY } : {}
  const fault = { ...options, ...times }
  asRefusal(() => {
    if (at === 'callback') {
      checkCallbackFault(fault)
      callbackFaults.arm(fault)
    } else {
      checkFault(fault)
      faults.arm(fault)
    }
  })
}

export function removeFault(key: string, { faults, callbackFaults }: FaultParts): void {
  const [at, number] = key.split('-')
  if (at === 'callback') callbackFaults.disarm(Number(number))
  else faults.disarm(Number(number))
}
