import type { FaultForm } from '../../api/actions/faults.js'

/** A fault as `sandbox.fault` or `sandbox.callbackFault` takes it; those check it. */
export type FaultBody = ReturnType<typeof faultBody>

/** What is in a field of the form, trimmed; `''` for a field that is not there. */
export type Fields = (name: string) => string

export function faultBody({ at, kind, fields: inputs }: FaultForm, fields: Fields) {
  const id = fields('id')
  // Fields that are empty and flags that are not set are left out.
  const parameters = inputs.flatMap(({ name, input }) => {
    const text = fields(name)
    return text === '' ? [] : [[name, parsed(input, text)]]
  })
  const body = {
    at,
    ...(id === '' ? {} : { id }),
    // JSON has no Infinity.
    times: fields('always') === '' ? Number(fields('times')) : null,
    action: { ...Object.fromEntries(parameters), kind },
  }
  if (at === 'callback') return { ...body, ...(fields('about') === '*' ? {} : { kind: fields('about') }) }
  const probability = Number(fields('percent')) / 100
  return { ...body, route: fields('route'), skip: Number(fields('skip')), probability }
}

function parsed(input: FaultForm['fields'][number]['input'], text: string): unknown {
  if (input === 'number') return Number(text)
  if (input === 'flag') return true
  if (input !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    // A text that is no JSON goes as it is.
    return text
  }
}
