import { useState } from 'preact/hooks'
import type { Entry } from '../../api/payments/entries.js'
import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { span } from '../../api/text.js'
import { count } from '../parts/format.js'
import { type Fold, folded, madeToken } from './fold.js'
import { CallbackStep, RequestStep, StatusStep } from './timeline-steps.js'

export function Timeline({ history }: { history: PaymentHistory }) {
  const { entries, omitted, omittedAt, payment } = history
  const begin = payment.createdAt
  const before = omitted === 0 ? entries : entries.slice(0, omittedAt)
  const after = omitted === 0 ? [] : entries.slice(omittedAt)
  return (
    <section aria-labelledby="history">
      <h3 id="history">History</h3>
      <ol class="timeline">
        <Steps entries={before} begin={begin} />
        {omitted > 0 && <li class="gap">{count(omitted, 'step')} left out here.</li>}
        <Steps entries={after} begin={begin} />
      </ol>
    </section>
  )
}

interface StepsProps {
  readonly entries: readonly Entry[]
  readonly begin: number
}

function Steps({ entries, begin }: StepsProps) {
  return (
    <>
      {folded(entries).map((step, index) => {
        // A step keeps its place when others are added, so that what the reader has opened stays open.
        const key = `${step.type} ${index}`
        return step.type === 'fold' ? (
          <Folded key={key} fold={step} begin={begin} />
        ) : (
          <One key={key} entry={step} begin={begin} />
        )
      })}
    </>
  )
}

function One({ entry, begin }: { entry: Entry; begin: number }) {
  switch (entry.type) {
    case 'request':
      return <RequestStep entry={entry} begin={begin} />
    case 'status':
      return <StatusStep entry={entry} begin={begin} />
    case 'callback':
      return <CallbackStep entry={entry} begin={begin} />
  }
}

function Folded({ fold, begin }: { fold: Fold; begin: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <li class="fold">
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {titleOf(fold)}
        </button>
      </li>
      {isOpen && fold.entries.map((entry, index) => <One key={index} entry={entry} begin={begin} />)}
    </>
  )
}

/** Such as "1 token request and 12 more status requests, 8 s". */
function titleOf({ entries }: Fold): string {
  const tokens = entries.filter(madeToken).length
  const callbacks = entries.filter(({ type }) => type === 'callback').length
  const parts = [
    [tokens, 'token request'],
    [entries.length - tokens - callbacks, 'more status request'],
    [callbacks, 'more callback'],
  ] as const
  const lasts = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0)
  const words = parts.filter(([number]) => number > 0).map(([number, what]) => count(number, what))
  return words.join(' and ') + (lasts > 0 ? `, ${span(lasts)}` : '')
}
