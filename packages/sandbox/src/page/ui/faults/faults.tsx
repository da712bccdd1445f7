import { useSignal } from '@preact/signals'
import type { AddedFault, FaultForm as Form } from '../../api/actions/faults.js'
import { Check, Choice, Field, onSubmit, textOf } from '../parts/fields.js'
import type { Opened } from '../route/route-hash.js'
import { act, sandboxInfo, sandboxState } from '../server/live.js'
import { addFault, removeAllFaults, removeFault } from '../server/server.js'

export function FaultList({ faults }: { faults: readonly AddedFault[] }) {
  return (
    <>
      <div class="toolbar-head">
        <h2>Faults</h2>
        {faults.length > 0 && (
          <button
            type="button"
            onClick={() => act(removeAllFaults, 'All faults were removed, and the clock is right.')}
          >
            Remove all
          </button>
        )}
      </div>
      {faults.length === 0 ? (
        <p class="fine">There is none. Those that code adds are shown here too.</p>
      ) : (
        <Rows faults={faults} />
      )}
    </>
  )
}

/** The faults that the next request or callback of this payment may meet. */
export function WaitingFaults({ kind, id }: Opened) {
  const { faults = [] } = sandboxState.value ?? {}
  const places = ['*', 'create', kind]
  const waiting = faults.filter((fault) => {
    const isHere = places.includes(fault.place) || fault.place.includes(`/${kind}s/{`)
    return isHere && (fault.id === null || fault.id === id)
  })
  if (waiting.length === 0) return null
  return (
    <section class="note" data-tone="waiting">
      <h3>{waiting.length === 1 ? 'A fault waits' : `${waiting.length} faults wait`}</h3>
      <Rows faults={waiting} />
    </section>
  )
}

function Rows({ faults }: { faults: readonly AddedFault[] }) {
  return (
    <ul class="added" aria-label="Faults">
      {faults.map((fault) => (
        <FaultRow key={fault.key} fault={fault} />
      ))}
    </ul>
  )
}

function FaultRow({ fault }: { fault: AddedFault }) {
  const { key, kind, id, parameters } = fault
  return (
    <li>
      <div>
        <b>{kind}</b> {placeOf(fault)}
        {id !== null && (
          <>
            {' '}
            for <code>{id}</code>
          </>
        )}
        <p class="fine">
          {[...parameters.map(([name, value]) => `${name} ${value}`), ...countsOf(fault)].join(' · ')}
        </p>
      </div>
      <button type="button" onClick={() => act(() => removeFault(key), 'The fault was removed.')}>
        Remove
      </button>
    </li>
  )
}

function placeOf({ at, place }: AddedFault): string {
  if (at === 'callback') return place === '*' ? 'to any callback' : `to a callback about a ${place}`
  if (place === 'create') return 'at the create of a payin or payout'
  return place === '*' ? 'at any request' : `at ${place}`
}

function countsOf({ hits, times, toSkip, probability }: AddedFault): string[] {
  return [
    times === null ? `hit ${hits}, always` : `hit ${hits} of ${times}`,
    ...(toSkip === 0 ? [] : [`skips ${toSkip} first`]),
    ...(probability === 1 ? [] : [`probability ${probability * 100} %`]),
  ]
}

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
