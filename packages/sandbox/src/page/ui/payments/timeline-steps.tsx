import type { CallbackEntry, RequestEntry, StatusEntry } from '../../api/payments/entries.js'
import { span } from '../../api/text/span.js'
import { Code } from '../parts/code.js'
import { time } from '../parts/format.js'
import { StatusChip } from '../parts/status-chip.js'
import { Fault, Frame, HeaderList, Mark } from '../parts/step-parts.js'
import { callbackTone, requestTone } from '../parts/tones.js'

const causes: Readonly<Record<StatusEntry['cause'], string | null>> = {
  gateway: null,
  magic: 'asked for by a magic value',
  fault: 'hurried by a fault',
  page: 'by hand',
  code: 'by code',
}

interface StatusProps {
  readonly entry: StatusEntry
  readonly begin: number
}

export function StatusStep({ entry: { at, before, status, cause }, begin }: StatusProps) {
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

export function RequestStep({ entry, begin }: { entry: RequestEntry; begin: number }) {
  const { method, path, fault, signature, tookMs } = entry
  const tone = requestTone(entry)
  return (
    <Frame type="request" tone={tone} at={entry.at} begin={begin}>
      <p class="headline">
        <a href={`#/request/${entry.number}`}>
          <code>
            <b>{method}</b> <bdi>{path}</bdi>
          </code>
        </a>
        <Mark tone={tone}>{answerOf(entry)}</Mark>
        <Fault fault={fault} />
        {entry.isFromPage && <Mark tone="calm">from the page</Mark>}
        {signature !== null && (
          <Mark
            tone={signature.verdict === 'valid' ? 'good' : signature.verdict === 'wrong' ? 'bad' : 'calm'}
          >
            signature {signature.verdict}
          </Mark>
        )}
        {tookMs !== null && tookMs >= 1 && <span class="fine">{span(tookMs)}</span>}
      </p>
      {tone !== 'good' && <p class="fine">{entry.what}</p>}
      {signature !== null && <p class="fine">{signature.why}</p>}
    </Frame>
  )
}

/** What the client got. An answer that never arrived is none, whatever the gateway had decided. */
function answerOf({ status, verdict, arrival }: RequestEntry): string {
  if (arrival === 'waiting') return 'no answer yet'
  if (arrival !== 'whole') return verdict === 'OK' ? 'answer lost' : 'no answer'
  const isHidden = verdict === 'OK' && status !== null && status >= 400
  return isHidden ? String(status) : `${status ?? ''} ${verdict ?? ''}`.trim()
}

/** One attempt to deliver a callback. */
export function CallbackStep({ entry, begin }: { entry: CallbackEntry; begin: number }) {
  const { attempt, error, fix, url, paymentStatus, method, headers, body, answerBody, isWithheld } = entry
  const tone = callbackTone(entry)
  return (
    <Frame type="callback" tone={tone} at={entry.at} begin={begin}>
      <p class="headline">
        <span>
          Callback for <bdi>{paymentStatus}</bdi>
          {attempt > 1 && `, delivery ${attempt}`}
        </span>
        <Mark tone={tone}>{deliveryOf(entry)}</Mark>
        {entry.source !== 'change' && (
          <Mark tone="forced">{entry.source === 'page' ? 'sent by hand' : 'sent by code'}</Mark>
        )}
        <Fault fault={entry.fault} />
        {entry.isGivenUp && (
          <Mark tone="bad">{attempt === 1 ? 'given up at once' : `gave up after ${attempt}`}</Mark>
        )}
      </p>
      <p class="fine">
        <code>
          {method} <bdi>{url}</bdi>
        </code>
        {timesOf(entry)}
      </p>
      {error !== null && (
        <p class="fine">
          <bdi>{error}</bdi>
        </p>
      )}
      {fix !== null && <p class="fine">{fix}</p>}
      {answerBody !== null && tone === 'bad' && <Code label="The merchant’s answer">{answerBody}</Code>}
      {!isWithheld && (
        <details>
          <summary>Headers{body !== null && ', body'}</summary>
          <HeaderList headers={headers} />
          {body !== null && <Code label="Body">{body}</Code>}
          {answerBody !== null && tone !== 'bad' && <Code label="The merchant’s answer">{answerBody}</Code>}
        </details>
      )}
    </Frame>
  )
}

function deliveryOf({ answer, error, isWithheld }: CallbackEntry): string {
  if (isWithheld) return 'not sent'
  if (answer !== null) return `answered ${answer}`
  return error === null ? 'waiting for the answer' : 'no answer'
}

/** How long the merchant took, and when the next try is. */
function timesOf({ tookMs, nextTryAt }: CallbackEntry): string {
  const took = tookMs === null ? '' : ` · the merchant took ${span(tookMs)}`
  return nextTryAt === null ? took : `${took} · next try at ${time(nextTryAt)}`
}
