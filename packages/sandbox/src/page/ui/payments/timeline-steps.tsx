import type { CallbackEntry, RequestEntry, StatusEntry } from '../../api/payments/entries.js'
import { span } from '../../api/text.js'
import { CodeText } from '../parts/code-text.js'
import { time } from '../parts/format.js'
import { StatusChip } from '../parts/status-chip.js'
import { Code, Fault, Frame, HeaderList, Mark } from '../parts/step-parts.js'
import { callbackTone, requestTone } from '../parts/tones.js'

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

export function StatusStep({ entry: { at, before, status, cause }, begin }: Props<StatusEntry>) {
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

export function RequestStep({ entry, begin }: Props<RequestEntry>) {
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

export function CallbackStep({ entry, begin }: Props<CallbackEntry>) {
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
