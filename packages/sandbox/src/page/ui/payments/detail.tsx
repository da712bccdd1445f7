import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { WaitingFaults } from '../faults/fault-list.js'
import { CopyButton } from '../parts/copy-button.js'
import { amount, dateTime } from '../parts/format.js'
import { OpenedPane } from '../parts/opened-pane.js'
import { StatusChip } from '../parts/status-chip.js'
import { Fact } from '../parts/step-parts.js'
import { linkTo, linkToRequestsOf } from '../route/route.js'
import type { Opened } from '../route/route-hash.js'
import { Actions, StatusForm } from './actions.js'
import { current } from './payment-model.js'
import { Timeline } from './timeline.js'

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
