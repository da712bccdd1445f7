import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { attempt } from '../parts/announce.js'
import { sendCallback, settle } from '../server/server.js'

const outcomes = [
  { status: 'SUCCESS', label: 'Settle' },
  { status: 'FAILED', label: 'Fail' },
  { status: 'EXPIRED', label: 'Expire' },
] as const

/** What the reader can do to a payment. A button that can't do anything keeps its place and the focus. */
export function Actions({ payment }: { payment: PaymentHistory['payment'] }) {
  const { kind, id, status, callbackUrl } = payment
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="actions" role="group" aria-label="What to do with this payment">
      {outcomes.map((outcome) => (
        <button
          key={outcome.status}
          type="button"
          data-outcome={outcome.status}
          class={outcome.status === 'SUCCESS' && status !== 'SUCCESS' ? 'primary' : undefined}
          aria-disabled={status === outcome.status}
          onClick={() =>
            status !== outcome.status &&
            attempt(
              () => settle(kind, id, { status: outcome.status }),
              `The ${kind} is now ${outcome.status}.`,
            )
          }
        >
          {outcome.label} <small>{outcome.status}</small>
        </button>
      ))}
      <button
        type="button"
        disabled={callbackUrl === null}
        title={callbackUrl === null ? 'The payment has no callbackUrl: create one that has' : undefined}
        onClick={() => attempt(() => sendCallback(kind, id), 'The callback goes out again.')}
      >
        Send the callback again
      </button>
    </div>
  )
}
