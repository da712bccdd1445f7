import { useEffect, useRef } from 'preact/hooks'
import { isFromPage } from '../../control/controls/page-agent.js'
import type { RequestDetail } from '../../control/messages/requests.js'
import { dateTime } from '../parts/format.js'
import { leaveField } from '../parts/leave-field.js'
import { goTo, openedEntry, wantsFocus } from '../route/route.js'
import { RefusedNotice } from './refused-notice.js'
import { RequestActions } from './request-actions.js'
import { currentRequest } from './request-detail-model.js'
import { RequestFacts } from './request-facts.js'
import { Message } from './request-message.js'
import { listing } from './request-model.js'
import { ResultMark, toneOf } from './result-mark.js'

function toList(): void {
  goTo({ view: 'requests', entry: null })
  requestAnimationFrame(() => document.getElementById('requests')?.focus())
}

/** The request that is open, or what the list is for. */
export function RequestPane() {
  return openedEntry.value === null ? <About /> : <Opened key={openedEntry.value} />
}

function About() {
  const isEmpty = listing.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Nothing has arrived yet' : 'Choose a request'}</h2>
      <p class="lead">
        {isEmpty
          ? 'Every request appears here by itself as soon as it arrives, refused ones too.'
          : 'What it means opens here, and how to mend it: headers and bodies of both sides, the token, the signature, and the time it took.'}
      </p>
      {isEmpty && (
        <p class="lead">
          <a href="#/">How to create a payment</a>
        </p>
      )}
      <RefusedNotice />
    </div>
  )
}

function Opened() {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !leaveField(event)) toList()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [])
  const found = currentRequest.value
  return (
    <div class="detail">
      <button type="button" class="back" onClick={toList}>
        ← All requests
      </button>
      {found === null && <Heading key="loading">Loading…</Heading>}
      {found === 'away' && (
        <>
          <Heading key="away">No connection</Heading>
          <p class="lead">The sandbox does not answer. The request appears here when it does.</p>
        </>
      )}
      {found === 'gone' && (
        <>
          <Heading key="gone">Not here</Heading>
          <p class="lead">
            The sandbox holds no request {openedEntry.value}. It keeps the newest ones only, and forgets all
            of them when it ends.
          </p>
        </>
      )}
      {found !== null && typeof found !== 'string' && <Content found={found} />}
    </div>
  )
}

function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!wantsFocus.peek()) return
    heading.current?.focus()
    // The heading of a request that is still loading passes the focus on to the next one.
    if (currentRequest.peek() !== null) wantsFocus.value = false
  }, [])
  return (
    <h2 id="request" tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}

function Content({ found }: { found: RequestDetail }) {
  const { key, method, path, at, code, fault, what, mend } = found
  const isCallback = found.callback !== null
  return (
    <article class="exchange">
      <p class="eyebrow">
        {isCallback ? `Failed callback ${key.slice(1)}` : `Request ${key}`} · {dateTime(at)}
      </p>
      <Heading>{`${method} ${path}`}</Heading>
      <p class="exchange-marks">
        <ResultMark row={found} />
        {code !== null && <code>{code}</code>}
        {fault !== null && <span class="pill">fault: {fault}</span>}
        {isFromPage(Object.fromEntries(found.request.headers)) && <span class="mark">from the page</span>}
      </p>
      <div class="meaning" data-result={toneOf(found)}>
        <p>{what}</p>
        {mend !== null && (
          <p>
            <b>{found.isHarmless ? 'What to do:' : 'How to mend it:'}</b> {mend}
          </p>
        )}
      </div>
      <RequestFacts found={found} />
      {isCallback && found.answer !== null && (
        <Message title="Answer of the merchant’s server" message={found.answer} />
      )}
      {!isCallback && (
        <>
          <RequestActions
            key={key}
            request={{ number: Number(key), method, path, body: found.request.body }}
          />
          <Message title="Request" message={found.request} />
          <Message title="Answer" message={found.answer} />
        </>
      )}
    </article>
  )
}
