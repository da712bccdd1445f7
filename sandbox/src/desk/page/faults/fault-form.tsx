import { useSignal } from '@preact/signals'
import { placesOf } from '../../../gateway/faults/fault-fields.js'
import type { Kind } from '../../control/messages/payments.js'
import { Check, Choice, NumberField, TextField, textOf } from '../parts/fields.js'
import { armFault } from '../server/controls-server.js'
import { act } from '../server/sandbox-state.js'
import { callbackKinds, faultLabel, requestKinds } from './fault-inputs.js'
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
  const chosen = useSignal('request/drop-after')
  const problem = useSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    problem.value = ''
    try {
      const order = faultOrder((name) => textOf(form, name))
      await act(() => armFault(order), 'The fault is armed.')
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }
  const isCallback = chosen.value.startsWith('callback/')
  return (
    <form class="fault-form" onSubmit={submit}>
      <KindField payment={payment} chosen={chosen} />
      {isCallback ? (
        <AboutField payment={payment} />
      ) : (
        <PlaceField kind={chosen.value.slice('request/'.length)} payment={payment} />
      )}
      {payment === undefined && <TextField name="id" label="Only for the id" placeholder="any" />}
      <ParameterFields key={chosen.value} chosen={chosen.value} />
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

function KindField({ payment, chosen }: { payment: Target | undefined; chosen: { value: string } }) {
  return (
    <label>
      What happens
      <select
        name="kind"
        value={chosen.value}
        onChange={(event) => {
          chosen.value = event.currentTarget.value
        }}
      >
        <optgroup label="To a request">
          {Object.entries(requestKinds).map(([kind, one]) =>
            placesFor(kind, payment).length === 0 ? null : (
              <option key={kind} value={`request/${kind}`}>
                {faultLabel(kind, one)}
              </option>
            ),
          )}
        </optgroup>
        <optgroup label="To a callback">
          {Object.entries(callbackKinds).map(([kind, one]) => (
            <option key={kind} value={`callback/${kind}`}>
              {faultLabel(kind, one)}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  )
}

function PlaceField({ kind, payment }: { kind: string; payment: Target | undefined }) {
  const choices = placesFor(kind, payment).map((route): [string, string] => [route, words[route] ?? route])
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
function placesFor(kind: string, payment: Target | undefined): readonly string[] {
  const known = kindsOf(requestKinds).find((one) => one === kind)
  if (known === undefined) return []
  const places = placesOf(known)
  if (payment === undefined) return places
  const id = payment.kind === 'payin' ? '{idPayin}' : '{idPayout}'
  // Read before create: the payment is there already.
  return places.filter((route) => route.includes(id)).sort()
}

function kindsOf<Key extends string>(kinds: { readonly [K in Key]: unknown }): Key[] {
  const keys: Key[] = []
  for (const key in kinds) keys.push(key)
  return keys
}
