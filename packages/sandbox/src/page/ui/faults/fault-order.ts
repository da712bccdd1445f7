import { jsonOf } from '../../../../../../src/client/input/json.js'
import type { FaultForm } from '../../api/controls/page-faults.js'

/** A fault as `sandbox.fault` or `sandbox.callbackFault` takes it; those check it. */
export type FaultOrder = ReturnType<typeof faultOrder>

/** What stands in a field of the form, trimmed; `''` for a field that is not there. */
export type Fields = (name: string) => string

/** The fault that a form describes. The sandbox checks it. */
export function faultOrder({ at, kind, fields: inputs }: FaultForm, fields: Fields) {
  const id = fields('id')
  // Fields that are empty and flags that are not set are left out.
  const parameters = inputs.flatMap(({ name, input }) => {
    const text = fields(name)
    return text === '' ? [] : [[name, parsed(input, text)]]
  })
  const order = {
    at,
    ...(id === '' ? {} : { id }),
    // JSON has no word for Infinity.
    times: fields('every') === '' ? Number(fields('times')) : null,
    action: { ...Object.fromEntries(parameters), kind },
  }
  if (at === 'callback') return { ...order, ...(fields('about') === '*' ? {} : { kind: fields('about') }) }
  const probability = Number(fields('percent')) / 100
  return { ...order, route: fields('route'), skip: Number(fields('skip')), probability }
}

function parsed(input: FaultForm['fields'][number]['input'], text: string): unknown {
  switch (input) {
    case 'number':
      return Number(text)
    case 'flag':
      return true
    case 'json':
      // A text that is no JSON goes as it stands.
      return jsonOf(text) ?? text
    default:
      return text
  }
}
