import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { CopyButton } from '../parts/copy-button.js'
import { Fact } from '../parts/fact.js'
import { amount, dateTime } from '../parts/format.js'
import { Heading, OpenedPane } from '../parts/opened-pane.js'
import { StatusChip } from '../parts/status-chip.js'
import { requestsOf } from '../requests/request-facts.js'
import { opened } from '../route/route.js'
import { Actions } from './actions.js'
import { CallbackForms, StatusForm } from './payment-forms.js'
import { current } from './payment-model.js'
import { Timeline } from './timeline.js'

/** A payment that is open. */
export function Detail() {
  const { kind, id } = opened.value ?? {}
  const gone = (
    <>
      The sandbox holds no {kind} with the id{' '}
      <code>
        <bdi>{id}</bdi>
      </code>
      .
    </>
  )
  return (
    <OpenedPane thing="payment" current={current} gone={gone}>
      {(history) => <OpenedPayment history={history} />}
    </OpenedPane>
  )
}

function OpenedPayment({ history }: { history: PaymentHistory }) {
  const { payment, magic } = history
  const { kind, currencyCode, status } = payment
  return (
    <article>
      <div class="title">
        <p class="eyebrow fine">
          {kind === 'payin' ? 'Payin' : 'Payout'}{' '}
          <code>
            <bdi>{payment.id}</bdi>
          </code>{' '}
          <CopyButton text={() => payment.id}>Copy the id</CopyButton>
        </p>
        <Heading id="payment">{`${amount(payment.amount, currencyCode)} ${currencyCode}`}</Heading>
        <StatusChip status={status} />
      </div>
      <p class="sentence">{history.sentence}</p>
      {magic !== null && (
        <p class="magic-note">
          <b>Magic {magic.by}</b> {magic.meaning}
        </p>
      )}
      {history.notes.map((note) => (
        <p key={note} class="mistake-note" data-tone="waiting">
          {note}
        </p>
      ))}
      <Actions payment={payment} />
      <Facts payment={payment} />
      <p>
        <a href={requestsOf(kind, payment.id)}>Requests of this {kind}</a>
      </p>
      <Timeline history={history} />
      <StatusForm kind={kind} id={payment.id} />
      <CallbackForms kind={kind} id={payment.id} />
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
