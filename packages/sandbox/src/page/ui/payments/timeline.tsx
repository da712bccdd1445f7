import { useState } from 'preact/hooks'
import type { Entry } from '../../api/payments/entries.js'
import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { span } from '../../api/text/span.js'
import { count } from '../parts/format.js'
import { folded, type Step } from './fold.js'
import { CallbackStep, RequestStep, StatusStep } from './timeline-steps.js'

/** Everything that happened to a payment, the oldest first. */
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

function Steps({ entries, begin }: { entries: readonly Entry[]; begin: number }) {
  const keys = keysOf(entries)
  return (
    <>
      {folded(entries).map((step) =>
        step.type === 'entry' ? (
          <One key={keys.get(step.entry)} entry={step.entry} begin={begin} />
        ) : (
          <Fold key={`fold ${keys.get(step.entries[0] ?? null)}`} fold={step} begin={begin} keys={keys} />
        ),
      )}
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

interface FoldProps {
  readonly fold: Extract<Step, { type: 'fold' }>
  readonly begin: number
  readonly keys: ReadonlyMap<Entry | null, string>
}

function Fold({ fold, begin, keys }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <li class="fold">
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {titleOf(fold)}
        </button>
      </li>
      {isOpen && fold.entries.map((entry) => <One key={keys.get(entry)} entry={entry} begin={begin} />)}
    </>
  )
}

/** Such as "12 more look-ups, 8 s". */
function titleOf({ entries, lookups, callbacks }: FoldProps['fold']): string {
  const parts = [
    ...(lookups === 0 ? [] : [`${lookups} more ${lookups === 1 ? 'look-up' : 'look-ups'}`]),
    ...(callbacks === 0 ? [] : [`${callbacks} more ${callbacks === 1 ? 'callback' : 'callbacks'}`]),
  ]
  const lasts = (entries.at(-1)?.at ?? 0) - (entries[0]?.at ?? 0)
  return `${parts.join(' and ')}, ${span(lasts)}`
}

/** Keys that stay when steps are added, so that what the reader has opened stays open. */
function keysOf(entries: readonly Entry[]): Map<Entry | null, string> {
  const seen = new Map<string, number>()
  const keys = new Map<Entry | null, string>()
  for (const entry of entries) {
    const name = `${entry.type} ${entry.at}`
    const nth = seen.get(name) ?? 0
    seen.set(name, nth + 1)
    keys.set(entry, `${name} ${nth}`)
  }
  return keys
}
