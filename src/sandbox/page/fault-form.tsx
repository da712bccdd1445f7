import { useSignal } from '@preact/signals'
import type { FaultOrder, Kind } from '../control/messages.js'
import { attempt } from './announce.js'
import { armFault } from './server.js'

type Target = { readonly kind: Kind; readonly id: string }

const kinds: readonly (readonly [kind: string, what: string])[] = [
  ['drop-before', 'Reset the connection, nothing processed'],
  ['drop-after', 'Process it, then reset the connection'],
  ['cut-body', 'Break the answer off in its body'],
  ['stall-body', 'Stop in the middle of the answer'],
  ['stall', 'Never answer'],
  ['delay', 'Answer late'],
  ['status', 'Answer with an HTTP status'],
  ['html', 'Answer with a proxy’s HTML page'],
  ['rate-limit', 'Answer 429, nothing processed'],
  ['overtaken', 'The same request was there a moment before'],
  ['callback-first', 'The callback comes before the answer'],
  ['hide', 'Answer 404 while the payment is young'],
  ['revoke-token', 'Revoke its token first'],
]

/** Where a fault can be put: at this payment, when there is one, and at endpoints. */
function places(payment: Target | undefined): readonly (readonly [route: string, where: string])[] {
  if (payment === undefined) {
    return [
      ['*', 'Any request'],
      ['POST /payins/{idPayin}', 'Create a payin'],
      ['GET /payins/{idPayin}', 'Read a payin'],
      ['POST /payouts/{idPayout}', 'Create a payout'],
      ['GET /payouts/{idPayout}', 'Read a payout'],
      ['POST /auth-tokens', 'Get a token'],
      ['POST /payins/!availablePaymentOptions', 'Payment options'],
    ]
  }
  const path = payment.kind === 'payin' ? '/payins/{idPayin}' : '/payouts/{idPayout}'
  return [
    [`GET ${path}`, `Read this ${payment.kind}`],
    [`POST ${path}`, `Create this ${payment.kind} again`],
  ]
}

export function FaultForm({ payment, onArmed }: { payment: Target | undefined; onArmed: () => void }) {
  const kind = useSignal('drop-after')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const order = orderOf(new FormData(event.currentTarget), payment)
    if (await attempt(() => armFault(order), 'The fault is armed.')) onArmed()
  }
  return (
    <form class="fault-form" onSubmit={submit}>
      <label>
        At
        <select name="route">
          {places(payment).map(([route, where]) => (
            <option key={route} value={route}>
              {where}
            </option>
          ))}
        </select>
      </label>
      <label>
        What happens
        <select
          name="kind"
          value={kind.value}
          onChange={(event) => {
            kind.value = event.currentTarget.value
          }}
        >
          {kinds.map(([name, what]) => (
            <option key={name} value={name}>
              {what}
            </option>
          ))}
        </select>
      </label>
      {kind.value === 'status' && (
        <NumberField name="status" label="HTTP status" value={503} min={200} max={599} />
      )}
      {(kind.value === 'delay' || kind.value === 'hide') && (
        <NumberField name="ms" label="Milliseconds" value={2000} min={0} max={600_000} />
      )}
      <NumberField name="times" label="How often" value={1} min={1} max={1000} />
      <button type="submit">Arm</button>
    </form>
  )
}

interface NumberFieldProps {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
}

function NumberField({ name, label, value, min, max }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input type="number" name={name} defaultValue={String(value)} min={min} max={max} required />
    </label>
  )
}

function orderOf(form: FormData, payment: Target | undefined): FaultOrder {
  const text = (name: string) => String(form.get(name) ?? '')
  return {
    route: text('route'),
    kind: text('kind'),
    times: Number(text('times')),
    ...(payment === undefined ? {} : { id: payment.id }),
    ...(form.has('status') ? { status: Number(text('status')) } : {}),
    ...(form.has('ms') ? { ms: Number(text('ms')) } : {}),
  }
}
