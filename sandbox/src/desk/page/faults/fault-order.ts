import { jsonOf } from '../../../../../src/client/input/json-of.js'
import { checkCallbackFault, checkFault, ownFault } from '../../../gateway/faults/check-fault.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import type { FaultOrder, MutateOrder } from '../../control/messages/controls.js'
import { callbackKinds, type Input, requestKinds } from './fault-inputs.js'

/** What stands in a field of the form, trimmed; `''` for a field that is not there. */
export type Fields = (name: string) => string

/**
 * The fault that a form asks for, checked as the sandbox checks it.
 * @throws Error that names what is wrong with it
 */
export function faultOrder(fields: Fields): FaultOrder {
  const [at, kind = ''] = fields('kind').split('/')
  const id = fields('id')
  const times = fields('every') === '' ? Number(fields('times')) : Number.POSITIVE_INFINITY
  const aim = { times, ...(id === '' ? {} : { id }) }
  // JSON has no word for Infinity.
  const sentTimes = times === Number.POSITIVE_INFINITY ? null : times
  if (at === 'callback') {
    const about = fields('about')
    const action = { kind, ...parametersOf(callbackKinds, kind, fields) }
    const fault = ownFault({ ...aim, ...(about === '*' ? {} : { kind: about }), action })
    checkCallbackFault(fault)
    return { at, ...fault, times: sentTimes }
  }
  const change = kind === 'mutate' ? mutateOrder(fields) : undefined
  const fault = ownFault({
    ...aim,
    route: fields('route'),
    skip: Number(fields('skip')),
    probability: Number(fields('percent')) / 100,
    action: change === undefined ? { kind, ...parametersOf(requestKinds, kind, fields) } : checkable(change),
  })
  checkFault(fault)
  const { action, ...rest } = fault
  const sent = { at: 'request' as const, ...rest, times: sentTimes }
  return action.kind === 'mutate' ? { ...sent, action: change ?? mutateOrder(fields) } : { ...sent, action }
}

type KindInputs = Readonly<Record<string, { readonly inputs: Readonly<Record<string, Input>> }>>

/** What the kind was given; fields that are empty and flags that are not set are left out. */
function parametersOf(kinds: KindInputs, kind: string, fields: Fields): Record<string, unknown> {
  const inputs = Object.entries(kinds[kind]?.inputs ?? {})
  return Object.fromEntries(
    inputs.flatMap(([name, input]) => {
      const text = fields(name)
      return text === '' ? [] : [[name, parsed(input, text)]]
    }),
  )
}

function parsed(input: Input, text: string): unknown {
  switch (input.as) {
    case 'number':
      return Number(text)
    case 'flag':
      return true
    case 'object':
      return objectOf(input.label, text)
    case 'body':
      return jsonOf(text) ?? text
    default:
      return text
  }
}

/** One of three ways: a merge patch, null in a field, or fields that nobody has heard of. */
function mutateOrder(fields: Fields): MutateOrder {
  const way = fields('change')
  if (way === 'extra') return { kind: 'mutate', extraFields: true }
  if (way !== 'null') return { kind: 'mutate', change: objectOf('The merge patch', fields('patch')) }
  const nullAt = fields('nullAt')
  if (nullAt === '') throw new Error('Name the field that is to be null, such as process.status.')
  return { kind: 'mutate', nullAt }
}

/** Code does by a function what the page names. */
function checkable({ change }: MutateOrder): { kind: string; change: unknown } {
  return { kind: 'mutate', change: change ?? (() => undefined) }
}

function objectOf(label: string, text: string): Record<string, unknown> {
  const value = jsonOf(text)
  if (isRecord(value)) return value
  throw new Error(`${label} must be an object of JSON, such as { "process": { "status": "UNDER_REVIEW" } }.`)
}
