import type { ReasonRow as Reason, RunRow as Run } from '../../control/messages/payments.js'
import { count, time } from '../parts/format.js'
import { statusTone } from '../parts/status-chip.js'

const counts = new Intl.NumberFormat('en')

/** What is in the row of a run of payouts. */
export function RunRow({ run }: { run: Run }) {
  const { accepted, refused, createdAt, isOpen } = run
  return (
    <>
      <span class="row-kind" data-kind="run">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={isOpen ? 'M4 6l4 4 4-4' : 'M6 4l4 4-4 4'} />
        </svg>
        <span>Run</span>
      </span>
      <span class="row-amount">
        {count(accepted, 'payout')} <small>{rateOf(run)}</small>
      </span>
      <span class="hidden">{isOpen ? ', open, Enter closes it' : ', closed, Enter opens it'}</span>
      <time class="row-time" dateTime={new Date(createdAt).toISOString()}>
        {time(createdAt)}
      </time>
      <span class="row-run">
        <span class="run-bar" aria-hidden="true">
          {parts(run).map(({ name, tone, size }) => (
            <span key={name} data-tone={tone} style={{ flexGrow: size }} />
          ))}
        </span>
        <span class="run-states">
          {parts(run).map(({ name, tone, size }) => (
            <span key={name} data-tone={tone}>
              {counts.format(size)} {name}
            </span>
          ))}
          {accepted === 0 && refused === 0 && 'nothing'}
        </span>
      </span>
    </>
  )
}

/** What became of the creates of a run, the largest part first. */
function parts({ statuses, refused }: Run): { name: string; tone: string; size: number }[] {
  const accepted = statuses.map(([name, size]) => ({ name, tone: statusTone(name), size }))
  return refused === 0 ? accepted : [...accepted, { name: 'refused', tone: 'refused', size: refused }]
}

function rateOf({ rate }: Run): string {
  if (rate === null) return 'all at once'
  return rate >= 0.1 ? `${rate.toFixed(1)} a second` : `${(rate * 60).toFixed(1)} a minute`
}

/** Why creates of a run were refused: in the gateway's words, with the first of the ids. */
export function ReasonRow({ reason: { creates, status, reason, ids } }: { reason: Reason }) {
  const more = creates - ids.length
  return (
    <>
      <span class="row-kind" data-kind="reason">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M4 4l8 8M12 4l-8 8" />
        </svg>
        <span>{status}</span>
      </span>
      <span class="row-id">
        <bdi>{ids.join(', ')}</bdi>
        {more > 0 && `, and ${count(more, 'more', 'more')}`}
      </span>
      <span class="row-count">{counts.format(creates)} refused</span>
      <span class="row-reason" title={reason}>
        {reason}
      </span>
    </>
  )
}
