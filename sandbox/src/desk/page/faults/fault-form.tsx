import { useSignal } from '@preact/signals'
import type { FaultForm as Form } from '../../control/controls/page-faults.js'
import type { Kind } from '../../control/payments/listing.js'
import { Check, Choice, NumberField, TextField, textOf } from '../parts/fields.js'
import { sandboxInfo } from '../server/sandbox-info.js'
import { act } from '../server/sandbox-state.js'
import { armFault } from '../server/server.js'
import { faultOrder } from './fault-order.js'
import { ParameterFields } from './fault-parameters.js'

type Target = { readonly kind: Kind; readonly id: string }

/** Words for the endpoints where faults are put most; the others go by their names. */
const words: Readonly<Record<string, string>> = {
  '*': 'Any request',
  'POST /payins/{idPayin}': 'Create a payin',
  'GET /payins/{idPayin}': 'Read a payin',
  'POST /payouts/{idPayout}': 'Create a payout',
  'GET /payouts/{idPayout}': 'Read a payout',
  'POST /auth-tokens': 'Get a token',
  'POST /auth-tokens-by-action': 'Get a token by action',
  'POST /payins/!availablePaymentOptions': 'Payment options',
  'GET /payins/{idPayin}/customer-account': 'Read a customer’s account',
}

/** Arms a fault: for this payment where there is one, else wherever it means something. */
export function FaultForm({ payment }: { payment: Target | undefined }) {
  const { faults = [] } = sandboxInfo.value ?? {}
  const offered = faults.filter((one) => one.at === 'callback' || placesFor(one, payment).length > 0)
  const chosen = useSignal('')
  const problem = useSignal('')
  const form = offered.find((one) => keyOf(one) === chosen.value) ?? offered[0]
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
      <KindField offered={offered} chosen={form} choose={(key) => (chosen.value = key)} />
      {isCallback ? <AboutField payment={payment} /> : <PlaceField form={form} payment={payment} />}
      {payment === undefined && <TextField name="id" label="Only for the id" placeholder="any" />}
      <ParameterFields key={keyOf(form)} fields={form.fields} />
      <NumberField name="times" label="How often" value={1} min={1} max={100_000} />
      <Check name="every">Every time</Check>
      {payment !== undefined && <input type="hidden" name="id" value={payment.id} />}
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

function PlaceField({ form, payment }: { form: Form; payment: Target | undefined }) {
  const choices = placesFor(form, payment).map((route): [string, string] => [route, words[route] ?? route])
  return <Choice name="route" label="At" choices={choices} />
}

function AboutField({ payment }: { payment: Target | undefined }) {
  if (payment !== undefined) return <input type="hidden" name="about" value={payment.kind} />
  const choices = [
    ['*', 'Any payment'],
    ['payin', 'Payins'],
    ['payout', 'Payouts'],
  ] as const
  return <Choice name="about" label="About" choices={choices} />
}

/** Where a fault means something; for a payment, only where its id is. */
function placesFor({ places }: Form, payment: Target | undefined): readonly string[] {
  if (payment === undefined) return places
  const id = payment.kind === 'payin' ? '{idPayin}' : '{idPayout}'
  // Read before create: the payment is there already.
  return places.filter((route) => route.includes(id)).sort()
}
