import { useSignal } from '@preact/signals'
import type { FaultForm as Form } from '../../api/controls/page-faults.js'
import { Check, Choice, NumberField, TextField, textOf } from '../parts/fields.js'
import { sandboxInfo } from '../server/sandbox-info.js'
import { act } from '../server/sandbox-state.js'
import { armFault } from '../server/server.js'
import { faultOrder } from './fault-order.js'
import { ParameterFields } from './fault-parameters.js'

const about = [
  ['*', 'Any payment'],
  ['payin', 'Payins'],
  ['payout', 'Payouts'],
] as const

/** Arms a fault wherever it means something. */
export function FaultForm() {
  const { faults = [] } = sandboxInfo.value ?? {}
  const chosen = useSignal('')
  const problem = useSignal('')
  const form = faults.find((one) => keyOf(one) === chosen.value) ?? faults[0]
  if (form === undefined) return null
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { currentTarget } = event
    if (!(currentTarget instanceof HTMLFormElement)) return
    const order = faultOrder(form, (name) => textOf(currentTarget, name))
    problem.value = ''
    await act(async () => {
      try {
        return await armFault(order)
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error)
        throw error
      }
    }, 'The fault is armed.')
  }
  const isCallback = form.at === 'callback'
  return (
    <form class="fault-form" onSubmit={submit}>
      <KindField offered={faults} chosen={form} choose={(key) => (chosen.value = key)} />
      {isCallback ? (
        <Choice name="about" label="About" choices={about} />
      ) : (
        <Choice
          name="route"
          label="At"
          choices={form.places.map((route): [string, string] => [
            route,
            route === '*' ? 'Any request' : route,
          ])}
        />
      )}
      <TextField name="id" label="Only for the id" placeholder="any" />
      <ParameterFields key={keyOf(form)} fields={form.fields} />
      <NumberField name="times" label="How often" value={1} min={1} max={100_000} />
      <Check name="every">Every time</Check>
      {!isCallback && (
        <>
          <NumberField name="skip" label="Let pass first" value={0} min={0} max={100_000} />
          <NumberField
            name="percent"
            label="Hits with a chance of, in %"
            value={100}
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
      <button type="submit">Arm</button>
    </form>
  )
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
