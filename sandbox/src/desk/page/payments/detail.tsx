import { useEffect, useRef } from 'preact/hooks'
import type { PaymentHistory } from '../../control/messages/payments.js'
import { CopyButton } from '../parts/copy-button.js'
import { amount, dateTime } from '../parts/format.js'
import { leaveField } from '../parts/leave-field.js'
import { StatusChip } from '../parts/status-chip.js'
import { requestsOf } from '../requests/request-facts.js'
import { closePayment, opened, wantsFocus } from '../route/route.js'
import { Actions } from './actions.js'
import { FaultPanel } from './fault-panel.js'
import { current } from './payment-model.js'
import { Strip } from './strip.js'
import { Timeline } from './timeline.js'

function toList(): void {
  closePayment()
  requestAnimationFrame(() => document.getElementById('payments')?.focus())
}

/** A payment that is open. */
export function Detail() {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !leaveField(event)) toList()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [])
  return (
    <div class="detail">
      <button type="button" class="back" onClick={toList}>
        ← All payments
      </button>
      <Content />
    </div>
  )
}

function Content() {
  const history = current.value
  if (history === null) return <Heading key="loading">Loading…</Heading>
  if (history === 'away') {
    return (
      <>
        <Heading key="away">No connection</Heading>
        <p class="lead">The sandbox does not answer. The payment appears here when it does.</p>
      </>
    )
  }
  if (history !== 'gone') return <OpenedPayment history={history} />
  return (
    <>
      <Heading>Not here</Heading>
      <p class="lead">
        The sandbox holds no {opened.value?.kind} with the id{' '}
        <code>
          <bdi>{opened.value?.id}</bdi>
        </code>
        . It keeps the newest ones only, and forgets all of them when it ends.
      </p>
    </>
  )
}

function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!wantsFocus.peek()) return
    heading.current?.focus()
    // The heading of a payment that is still loading passes the focus on to the next one.
    if (current.peek() !== null) wantsFocus.value = false
  }, [])
  return (
    <h2 id="payment" tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}

function OpenedPayment({ history }: { history: PaymentHistory }) {
  const { payment, magic } = history
  const { kind, currencyCode, status } = payment
  return (
    <article>
      <div class="title">
        <p class="eyebrow">
          {kind === 'payin' ? 'Payin' : 'Payout'}{' '}
          <code>
            <bdi>{payment.id}</bdi>
          </code>{' '}
          <CopyButton text={() => payment.id}>Copy the id</CopyButton>
        </p>
        <Heading>{`${amount(payment.amount, currencyCode)} ${currencyCode}`}</Heading>
        <StatusChip status={status} />
      </div>
      <p class="sentence">{history.sentence}</p>
      {magic !== null && (
        <p class="magic-note">
          <b>Magic {magic.by}</b> {magic.meaning}
        </p>
      )}
      {history.notes.map((note) => (
        <p key={note} class="mistake-note">
          {note}
        </p>
      ))}
      <Actions payment={payment} />
      <Strip entries={history.entries} />
      <Facts payment={payment} />
      <p class="links">
        <a href={requestsOf(kind, payment.id)}>Requests of this {kind}</a>
      </p>
      <Timeline history={history} />
      <FaultPanel payment={payment} />
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
          <div key={name} data-wide={name.endsWith('URL')}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}
