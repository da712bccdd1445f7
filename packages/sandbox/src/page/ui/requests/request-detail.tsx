import type { RequestDetail, ShownMessage } from '../../api/requests/request-detail.js'
import { CodeText } from '../parts/code-text.js'
import { count, dateTime } from '../parts/format.js'
import { OpenedPane } from '../parts/opened-pane.js'
import { Code, HeaderList } from '../parts/step-parts.js'
import { linkTo, openedRequest } from '../route/route.js'
import { loadOpened } from '../server/load-opened.js'
import { request } from '../server/server.js'
import { RefusedNotice } from './refused-notice.js'
import { RequestActions } from './request-actions.js'
import { RequestFacts } from './request-facts.js'
import { requestList } from './request-list.js'
import { ResultMark, toneOf } from './result-mark.js'

const current = loadOpened(openedRequest, request)

export function RequestPane() {
  const number = openedRequest.value
  if (number === null) return <About />
  const list = linkTo({ view: 'requests', request: null })
  const gone = `The sandbox holds no request ${number}.`
  return (
    <OpenedPane key={number} thing="request" list={list} current={current} gone={gone}>
      {(found) => <Content found={found} />}
    </OpenedPane>
  )
}

function About() {
  const isEmpty = requestList.listing.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Nothing has arrived yet' : 'Choose a request'}</h2>
      <p class="lead">
        {isEmpty
          ? 'Every request appears here by itself as soon as it arrives, refused ones too.'
          : 'What it means opens here, and how to fix it: headers and bodies of both sides, the token, and the time it took.'}
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

function Content({ found }: { found: RequestDetail }) {
  const { number, method, path, at, code, fault, what, fix } = found
  return (
    <article class="exchange">
      <p class="eyebrow fine">
        Request {number} · {dateTime(at)}
      </p>
      <h2 id="request">{`${method} ${path}`}</h2>
      <p class="headline">
        <ResultMark row={found} />
        {code !== null && (
          <code>
            <CodeText>{code}</CodeText>
          </code>
        )}
        {fault !== null && <span class="pill">fault: {fault}</span>}
        {found.isFromPage && <span class="mark">from the page</span>}
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
      <RequestActions
        number={number}
        request={{ method, path, body: found.request.body }}
        fault={fault === null || found.isMagic ? null : { kind: fault, route: found.route ?? '*' }}
      />
      <Message title="Request" message={found.request} />
      <Message title="Response" message={found.response} />
    </article>
  )
}

function Message({ title, message }: { title: string; message: ShownMessage | null }) {
  const { body = null, headers = [] } = message ?? {}
  return (
    <section class="message">
      <h3>{title}</h3>
      {body === null ? (
        <p class="lead">{message === null ? 'None arrived.' : 'No body.'}</p>
      ) : (
        <Code label={`${title} body`}>{body}</Code>
      )}
      {headers.length > 0 && (
        <details>
          <summary>{count(headers.length, 'header')}</summary>
          <HeaderList headers={headers} />
        </details>
      )}
    </section>
  )
}
