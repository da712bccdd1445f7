import type { ComponentChildren } from 'preact'
import type { CallbackEntry, RequestEntry, StatusEntry, Token } from '../control/messages.js'
import { Code } from './code.js'
import { after, dateTime, time } from './format.js'
import { StatusChip } from './status-chip.js'

type Tone = 'good' | 'bad' | 'calm' | 'waiting'

function Frame(props: { type: string; at: number; begin: number; children: ComponentChildren }) {
  const { type, at, begin, children } = props
  return (
    <li class="step" data-type={type}>
      <p class="when">
        <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
          {time(at)}
        </time>
        <span>{after(at - begin)}</span>
      </p>
      <div class="what">{children}</div>
    </li>
  )
}

function Mark({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="mark" data-tone={tone}>
      {children}
    </span>
  )
}

export function StatusStep({ entry, begin }: { entry: StatusEntry; begin: number }) {
  return (
    <Frame type="status" at={entry.at} begin={begin}>
      <p class="headline">
        {entry.before === null ? 'Accepted as' : `${entry.before} became`}{' '}
        <StatusChip status={entry.status} />
      </p>
    </Frame>
  )
}

export function CallbackStep({ entry, begin }: { entry: CallbackEntry; begin: number }) {
  const { attempt, answer, error, url, paymentStatus } = entry
  const isGood = answer !== null && answer >= 200 && answer < 300
  return (
    <Frame type="callback" at={entry.at} begin={begin}>
      <p class="headline">
        Callback for {paymentStatus}
        {attempt > 1 && `, delivery ${attempt}`}
        {answer !== null && <Mark tone={isGood ? 'good' : 'bad'}>answered {answer}</Mark>}
        {error !== null && <Mark tone="bad">no answer</Mark>}
        {answer === null && error === null && <Mark tone="waiting">waiting for the answer</Mark>}
      </p>
      <p class="fine">
        <code>POST {url}</code>
      </p>
      {error !== null && <p class="fine">{error}</p>}
    </Frame>
  )
}

export function RequestStep({ entry, begin }: { entry: RequestEntry; begin: number }) {
  const { method, path, fault, signature, token } = entry
  return (
    <Frame type="request" at={entry.at} begin={begin}>
      <p class="headline">
        <code>
          <b>{method}</b> {path}
        </code>
        <ResponseLine entry={entry} />
        {fault !== null && <Mark tone="bad">fault: {fault}</Mark>}
        {signature !== null && (
          <Mark
            tone={signature.verdict === 'valid' ? 'good' : signature.verdict === 'wrong' ? 'bad' : 'calm'}
          >
            signature {signature.verdict}
          </Mark>
        )}
      </p>
      {signature !== null && <p class="fine">{signature.why}</p>}
      <details>
        <summary>
          Headers{entry.body !== null && ', body'}
          {token !== null && ', token claims'}
        </summary>
        <HeaderList headers={entry.headers} />
        {entry.body !== null && <Code label="Body">{entry.body}</Code>}
        {token !== null && <Claims token={token} />}
      </details>
    </Frame>
  )
}

function ResponseLine({ entry: { status, verdict } }: { entry: RequestEntry }) {
  if (status === null) return <Mark tone="waiting">no answer</Mark>
  const isGood = status < 400
  return (
    <Mark tone={isGood ? 'good' : 'bad'}>
      {status} {verdict}
    </Mark>
  )
}

function HeaderList({ headers }: { headers: RequestEntry['headers'] }) {
  return (
    <dl class="headers">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-masked={value === '[redacted]'}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Claims({ token }: { token: Token }) {
  const label = `${token.made ? 'The token that it made' : 'The token that it came with'}, valid until ${time(token.expiresAt)}`
  return <Code label={label}>{token.claims}</Code>
}
