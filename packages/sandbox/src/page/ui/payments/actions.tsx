import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { attempt } from '../parts/announce.js'
import { Choice, Field, onSubmit, textOf } from '../parts/fields.js'
import { sendCallback, setStatus } from '../server/server.js'

type Payment = PaymentHistory['payment']

const outcomes = [
  { status: 'SUCCESS', label: 'Pay' },
  { status: 'FAILED', label: 'Fail' },
  { status: 'EXPIRED', label: 'Expire' },
] as const

/** What the reader can do to a payment. A button that can't do anything keeps its place and the focus. */
export function Actions({ payment }: { payment: Payment }) {
  const { kind, id, status, callbackUrl, processedAt } = payment
  const set = (status: string) =>
    attempt(() => setStatus(kind, id, { status }), `The ${kind} is now ${status}.`)
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="actions" role="group" aria-label="What to do with this payment">
      {outcomes.map((outcome) => (
        <button
          key={outcome.status}
          type="button"
          class={outcome.status === 'SUCCESS' && processedAt === null ? 'primary' : undefined}
          title={`Sets the status ${outcome.status}`}
          aria-disabled={status === outcome.status}
          onClick={() => status !== outcome.status && set(outcome.status)}
        >
          {outcome.label}
        </button>
      ))}
      <button
        type="button"
        disabled={callbackUrl === null}
        title={callbackUrl === null ? 'The payment has no callbackUrl: create one that has' : undefined}
        onClick={() => attempt(() => sendCallback(kind, id), 'The callback was sent again.')}
      >
        Send the callback again
      </button>
    </div>
  )
}

const processedChoices = [
  ['auto', 'when the status is final'],
  ['yes', 'yes'],
  ['no', 'no'],
] as const

export function StatusForm({ payment: { kind, id } }: { payment: Payment }) {
  const submit = onSubmit((form) => {
    const status = textOf(form, 'status')
    const processed = textOf(form, 'processed')
    const body = { status, ...(processed === 'auto' ? {} : { processed: processed === 'yes' }) }
    void attempt(() => setStatus(kind, id, body), `The ${kind} is now ${status}.`)
  })
  return (
    <details class="card">
      <summary>Set any status</summary>
      <form class="fields" onSubmit={submit}>
        <Field name="status" label="Status" defaultValue="UNDER_REVIEW" required />
        <Choice name="processed" label="Has processedAt" choices={processedChoices} />
        <button type="submit">Set</button>
      </form>
    </details>
  )
}
