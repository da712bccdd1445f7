import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { WaitingFaults } from '../faults/faults.js'
import { attempt, CopyButton } from '../parts/announce.js'
import { Choice, Field, onSubmit, textOf } from '../parts/fields.js'
import { amount, dateTime } from '../parts/format.js'
import { StatusChip } from '../parts/marks.js'
import { OpenedPane } from '../parts/opened-pane.js'
import { Fact } from '../parts/step-parts.js'
import { linkTo, linkToRequestsOf, opened } from '../route/route.js'
import type { Opened } from '../route/route-hash.js'
import { loadOpened } from '../server/live.js'
import { paymentHistory, sendCallback, setStatus } from '../server/server.js'
import { Timeline } from './timeline.js'

export const current = loadOpened(opened, ({ kind, id }) => paymentHistory(kind, id))

export function Detail({ kind, id }: Opened) {
  const gone = (
    <>
      The sandbox holds no {kind} with the id{' '}
      <code>
        <bdi>{id}</bdi>
      </code>
      .
    </>
  )
  const list = linkTo({ view: 'payments', payment: null })
  return (
    <OpenedPane thing="payment" list={list} current={current} gone={gone}>
      {(history) => <OpenedPayment history={history} />}
    </OpenedPane>
  )
}

function OpenedPayment({ history }: { history: PaymentHistory }) {
  const { payment, magic } = history
  const { kind, id, currencyCode, status } = payment
  return (
    <article>
      <div class="title">
        <p class="eyebrow fine">
          {kind === 'payin' ? 'Payin' : 'Payout'}{' '}
          <code>
            <bdi>{id}</bdi>
          </code>{' '}
          <CopyButton text={() => id}>Copy the id</CopyButton>
        </p>
        <h2 id="payment">{`${amount(payment.amount, currencyCode)} ${currencyCode}`}</h2>
        <StatusChip status={status} />
      </div>
      <p class="summary">{history.summary}</p>
      {magic !== null && (
        <p class="note">
          <b>Magic {magic.by}</b> {magic.meaning}
        </p>
      )}
      {history.notes.map((note) => (
        <p key={note} class="note" data-tone="waiting">
          {note}
        </p>
      ))}
      <WaitingFaults kind={kind} id={id} />
      <Actions payment={payment} />
      <Facts payment={payment} />
      <p>
        <a href={linkToRequestsOf(kind, id)}>Requests of this {kind}</a>
      </p>
      <Timeline history={history} />
      <StatusForm payment={payment} />
    </article>
  )
}

function Facts({ payment }: { payment: PaymentHistory['payment'] }) {
  const { kind, method, operator, account, reference, createdAt, processedAt, expireAt } = payment
  const facts: readonly (readonly [string, string | null])[] = [
    ['Method', operator === null ? method : `${method} · ${operator}`],
    ['Reference', kind === 'payin' ? reference : null],
    ['Account', account],
    ['Created', dateTime(createdAt)],
    ['Processed', processedAt === null ? null : dateTime(processedAt)],
    ['Expires', expireAt === null || processedAt !== null ? null : dateTime(expireAt)],
    ['Callback URL', payment.callbackUrl],
    ['Return URL', payment.returnUrl],
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <Fact key={name} name={name} isWide={name.endsWith('URL')}>
            <bdi>{value}</bdi>
          </Fact>
        ),
      )}
    </dl>
  )
}

type Payment = PaymentHistory['payment']

const outcomes = [
  { status: 'SUCCESS', label: 'Pay' },
  { status: 'FAILED', label: 'Fail' },
  { status: 'EXPIRED', label: 'Expire' },
] as const

/** What the reader can do to a payment. A button that can't do anything keeps its place and the focus. */
function Actions({ payment }: { payment: Payment }) {
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

function StatusForm({ payment: { kind, id } }: { payment: Payment }) {
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
