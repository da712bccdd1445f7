import { isFromPage } from '../../api/controls/page-agent.js'
import type { RequestDetail, ShownMessage } from '../../api/requests/request-detail.js'
import { Code } from '../parts/code.js'
import { count, dateTime } from '../parts/format.js'
import { Heading, OpenedPane } from '../parts/opened-pane.js'
import { HeaderList } from '../parts/step-parts.js'
import { openedEntry } from '../route/route.js'
import { loadOpened } from '../server/load-opened.js'
import { request } from '../server/server.js'
import { RefusedNotice } from './refused-notice.js'
import { RequestActions } from './request-actions.js'
import { RequestFacts } from './request-facts.js'
import { requestList } from './request-model.js'
import { ResultMark, toneOf } from './result-mark.js'

/** The request that is open. */
const current = loadOpened(openedEntry, request)

/** The request that is open, or what the list is for. */
export function RequestPane() {
  return openedEntry.value === null ? <About /> : <Opened key={openedEntry.value} />
}

function About() {
  const isEmpty = requestList.listing.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Nothing has arrived yet' : 'Choose a request'}</h2>
      <p class="lead">
        {isEmpty
          ? 'Every request appears here by itself as soon as it arrives, refused ones too.'
          : 'What it means opens here, and how to fix it: headers and bodies of both sides, the token, the signature, and the time it took.'}
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
  const gone = `The sandbox holds no request ${openedEntry.value}.`
  return (
    <OpenedPane thing="request" current={current} gone={gone}>
      {(found) => <Content found={found} />}
    </OpenedPane>
  )
}

function Content({ found }: { found: RequestDetail }) {
  const { number, method, path, at, code, fault, what, fix } = found
  return (
    <article class="exchange">
      <p class="eyebrow fine">
        Request {number} · {dateTime(at)}
      </p>
      <Heading id="request">{`${method} ${path}`}</Heading>
      <p class="headline">
        <ResultMark row={found} />
        {code !== null && <code>{code}</code>}
        {fault !== null && <span class="pill">fault: {fault}</span>}
        {isFromPage(Object.fromEntries(found.request.headers)) && <span class="mark">from the page</span>}
      </p>
      <div class="meaning" data-tone={toneOf(found)}>
        <p>{what}</p>
        {fix !== null && (
          <p>
            <b>{found.isHarmless ? 'What to do:' : 'How to fix it:'}</b> {fix}
          </p>
        )}
      </div>
      <RequestFacts found={found} />
      <RequestActions key={number} request={{ number, method, path, body: found.request.body }} />
      <Message title="Request" message={found.request} />
      <Message title="Answer" message={found.answer} />
    </article>
  )
}

/** One side of an exchange: its body, and its headers for who wants them. */
function Message({ title, message }: { title: string; message: ShownMessage | null }) {
  return (
    <section class="message">
      <h3>{title}</h3>
      {message === null ? (
        <p class="lead">None arrived.</p>
      ) : (
        <>
          {message.body === null ? (
            <p class="lead">No body.</p>
          ) : (
            <Code label={`${title} body`}>{message.body}</Code>
          )}
          {message.headers.length > 0 && (
            <details>
              <summary>{count(message.headers.length, 'header')}</summary>
              <HeaderList headers={message.headers} />
            </details>
          )}
        </>
      )}
    </section>
  )
}
