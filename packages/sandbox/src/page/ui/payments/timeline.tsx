import { useState } from 'preact/hooks'
import type { CallbackEntry, Entry, RequestEntry, StatusEntry } from '../../api/payments/entries.js'
import type { PaymentHistory } from '../../api/payments/payment-history.js'
import { span } from '../../api/text.js'
import { count, time } from '../parts/format.js'
import { CodeText, callbackTone, requestTone, StatusChip } from '../parts/marks.js'
import { Code, Fault, Frame, HeaderList, Mark } from '../parts/step-parts.js'
import { type Fold, folded, madeToken } from './fold.js'

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

interface Props<Entry> {
  readonly entry: Entry
  readonly begin: number
}

const causes: Readonly<Record<StatusEntry['cause'], string | null>> = {
  gateway: null,
  magic: 'by a magic value',
  fault: 'by a fault',
  page: 'by hand',
  code: 'by code',
}

function StatusStep({ entry: { at, before, status, cause }, begin }: Props<StatusEntry>) {
  return (
    <Frame type="status" at={at} begin={begin}>
      <p class="headline">
        {before === null ? (
          'Accepted as'
        ) : (
          <span>
            <bdi>{before}</bdi> became
          </span>
        )}
        <StatusChip status={status} />
        {causes[cause] !== null && <Mark tone="forced">{causes[cause]}</Mark>}
      </p>
    </Frame>
  )
}

function RequestStep({ entry, begin }: Props<RequestEntry>) {
  const { method, path, fault, tookMs } = entry
  const tone = requestTone(entry)
  return (
    <Frame type="request" tone={tone} at={entry.at} begin={begin}>
      <p class="headline">
        <a href={`#/request/${entry.number}`}>
          <code>
            <b>{method}</b> <bdi>{path}</bdi>
          </code>
        </a>
        <Mark tone={tone}>
          <CodeText>{responseOf(entry)}</CodeText>
        </Mark>
        <Fault fault={fault} />
        {entry.isFromPage && <Mark tone="calm">from the page</Mark>}
        {tookMs !== null && tookMs >= 1 && <span class="fine">{span(tookMs)}</span>}
      </p>
      {tone !== 'good' && <p class="fine">{entry.what}</p>}
    </Frame>
  )
}

/** What the client got. A response that never arrived is none, whatever the gateway had decided. */
function responseOf({ status, verdict, arrival }: RequestEntry): string {
  if (arrival === 'waiting') return 'no response yet'
  if (arrival !== 'whole') return verdict === 'OK' ? 'response lost' : 'no response'
  const isForced = verdict === 'OK' && status !== null && status >= 400
  return isForced ? String(status) : `${status ?? ''} ${verdict ?? ''}`.trim()
}

function CallbackStep({ entry, begin }: Props<CallbackEntry>) {
  const { attempt, error, fix, source } = entry
  const tone = callbackTone(entry)
  return (
    <Frame type="callback" tone={tone} at={entry.at} begin={begin}>
      <p class="headline">
        <span>
          Callback for <bdi>{entry.paymentStatus}</bdi>
          {attempt > 1 && `, attempt ${attempt}`}
        </span>
        <Mark tone={tone}>{deliveryOf(entry)}</Mark>
        {source !== 'change' && <Mark tone="forced">{source === 'page' ? 'by hand' : 'by code'}</Mark>}
        <Fault fault={entry.fault} />
        {entry.isGivenUp && <Mark tone="bad">not sent again</Mark>}
      </p>
      <p class="fine">
        <code>
          {entry.method} <bdi>{entry.url}</bdi>
        </code>
        {timesOf(entry)}
      </p>
      {error !== null && (
        <p class="fine">
          <bdi>{error}</bdi>
        </p>
      )}
      {fix !== null && <p class="fine">{fix}</p>}
      <CallbackTexts entry={entry} isOpen={tone === 'bad'} />
    </Frame>
  )
}

function CallbackTexts({ entry, isOpen }: { entry: CallbackEntry; isOpen: boolean }) {
  const { headers, body, responseBody, isWithheld } = entry
  if (isWithheld) return null
  const response = responseBody !== null && <Code label="The merchant’s response">{responseBody}</Code>
  return (
    <>
      {isOpen && response}
      <details>
        <summary>Headers{body !== null && ', body'}</summary>
        <HeaderList headers={headers} />
        {body !== null && <Code label="Body">{body}</Code>}
        {!isOpen && response}
      </details>
    </>
  )
}

function deliveryOf({ response, error, isWithheld }: CallbackEntry): string {
  if (isWithheld) return 'not sent'
  if (response !== null) return `response ${response}`
  return error === null ? 'waiting for the response' : 'no response'
}

function timesOf({ tookMs, nextTryAt }: CallbackEntry): string {
  const took = tookMs === null ? '' : ` · the merchant took ${span(tookMs)}`
  return nextTryAt === null ? took : `${took} · next attempt at ${time(nextTryAt)}`
}
