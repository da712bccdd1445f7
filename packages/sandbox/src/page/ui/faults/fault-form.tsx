import { useSignal } from '@preact/signals'
import type { FaultForm as Form } from '../../api/actions/faults.js'
import { Check, Choice, Field, onSubmit, textOf } from '../parts/fields.js'
import { act, sandboxInfo } from '../server/live.js'
import { addFault } from '../server/server.js'

const MOST_TIMES = 100_000
const numeric = { type: 'number', required: true } as const

const about = [
  ['*', 'Any payment'],
  ['payin', 'Payins'],
  ['payout', 'Payouts'],
] as const

export function FaultForm() {
  const { faults = [] } = sandboxInfo.value ?? {}
  const chosen = useSignal('')
  const problem = useSignal('')
  const form = faults.find((one) => keyOf(one) === chosen.value) ?? faults[0]
  if (form === undefined) return null
  const submit = onSubmit((fields) => {
    problem.value = ''
    const added = addFault(faultBody(form, (name) => textOf(fields, name)))
    added.catch((error: unknown) => {
      problem.value = error instanceof Error ? error.message : String(error)
    })
    void act(() => added, 'The fault was added.')
  })
  return (
    <form class="fields" onSubmit={submit}>
      <KindField offered={faults} chosen={form} choose={(key) => (chosen.value = key)} />
      {form.at === 'callback' ? (
        <Choice name="about" label="About" choices={about} />
      ) : (
        <EndpointField key={keyOf(form)} places={form.places} />
      )}
      <Field name="id" label="Only for the id" placeholder="any" />
      {form.fields.map((field) => (
        <ParameterField key={`${keyOf(form)} ${field.name}`} {...field} />
      ))}
      <Field {...numeric} name="times" label="Times" defaultValue="1" min={1} max={MOST_TIMES} />
      <Check name="always">Always</Check>
      {form.at === 'request' && (
        <>
          <Field {...numeric} name="skip" label="Skip first" defaultValue="0" min={0} max={MOST_TIMES} />
          <Field
            {...numeric}
            name="percent"
            label="Probability, in %"
            defaultValue="100"
            min={0}
            max={100}
            step="any"
          />
        </>
      )}
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit">Add fault</button>
    </form>
  )
}

function ParameterField({ input, value, choices = [], isOptional, ...field }: Form['fields'][number]) {
  const { name, label, unit, placeholder = '', min, max } = field
  const text = value === undefined ? '' : String(value)
  const shared = { name, required: !isOptional, placeholder }
  switch (input) {
    case 'number': {
      const withUnit = unit === undefined ? label : `${label}, in ${unit}`
      return <Field {...shared} type="number" label={withUnit} defaultValue={text} min={min} max={max} />
    }
    case 'flag':
      return <Check name={name}>{label}</Check>
    case 'choice':
      return <Choice name={name} label={label} choices={choices} />
    case 'text':
      return <Field {...shared} label={label} defaultValue={text} />
    case 'json':
      return (
        <label class="long-field">
          {label}
          <textarea {...shared} rows={3} spellcheck={false}>
            {text}
          </textarea>
        </label>
      )
  }
}

/** The creates come first: a fault there is about money, and one at any request may only lose a token. */
const placeNames: Readonly<Record<string, string>> = {
  create: 'Create of a payin or payout',
  '*': 'Any request',
}

function EndpointField({ places }: { places: readonly string[] }) {
  const choices = places.map((place) => [place, placeNames[place] ?? place] as const)
  return <Choice name="route" label="Endpoint" choices={choices} />
}

interface KindFieldProps {
  readonly offered: readonly Form[]
  readonly chosen: Form
  readonly choose: (key: string) => void
}

function KindField({ offered, chosen, choose }: KindFieldProps) {
  return (
    <label>
      What happens
      <select value={keyOf(chosen)} onChange={(event) => choose(event.currentTarget.value)}>
        {(['request', 'callback'] as const).map((at) => (
          <optgroup key={at} label={`To a ${at}`}>
            {offered
              .filter((one) => one.at === at)
              .map((one) => (
                <option key={one.kind} value={keyOf(one)}>
                  {`${one.label} (${one.kind})`}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

function keyOf({ at, kind }: Form): string {
  return `${at}/${kind}`
}

/** What is in a field of the form, trimmed; `''` for a field that is not there. */
type Fields = (name: string) => string

/** A fault as `sandbox.fault` or `sandbox.callbackFault` takes it; those check it. */
function faultBody({ at, kind, fields: inputs }: Form, fields: Fields) {
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

function parsed(input: Form['fields'][number]['input'], text: string): unknown {
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
