import type { CallbackEntry } from '../../control/messages/payments.js'
import { span } from '../../control/text/span.js'
import { Code } from '../parts/code.js'
import { time } from '../parts/format.js'
import { Fault, Frame, HeaderList, Mark, type Tone } from '../parts/step-parts.js'
import { WhatIfCallback } from './what-if.js'

/** One attempt to deliver a callback. */
export function CallbackStep({ entry, begin }: { entry: CallbackEntry; begin: number }) {
  const { attempt, error, url, paymentStatus, method, headers, body, answerBody, isWithheld } = entry
  const tone = toneOf(entry)
  return (
    <Frame type="callback" tone={tone} at={entry.at} begin={begin}>
      <p class="headline">
        <span>
          Callback for <bdi>{paymentStatus}</bdi>
          {attempt > 1 && `, delivery ${attempt}`}
        </span>
        <Mark tone={tone}>{answerOf(entry)}</Mark>
        {entry.source !== 'change' && (
          <Mark tone="forced">{entry.source === 'page' ? 'sent by hand' : 'sent by code'}</Mark>
        )}
        <Fault fault={entry.fault} />
        <WhatIfCallback />
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

function toneOf({ answer, error, isWithheld }: CallbackEntry): Tone {
  if (isWithheld) return 'lost'
  if (answer === null && error === null) return 'waiting'
  return answer !== null && answer >= 200 && answer < 300 ? 'good' : 'bad'
}

function answerOf({ answer, error, isWithheld }: CallbackEntry): string {
  if (isWithheld) return 'not sent'
  if (answer !== null) return `answered ${answer}`
  return error === null ? 'waiting for the answer' : 'no answer'
}

/** How long the merchant took, and when the next try is. */
function timesOf({ tookMs, nextTryAt }: CallbackEntry): string {
  const took = tookMs === null ? '' : ` · the merchant took ${span(tookMs)}`
  return nextTryAt === null ? took : `${took} · next try at ${time(nextTryAt)}`
}
