import type { RequestDetail, ShownMessage } from '../../api/requests/requests.js'
import { announce, CopyButton } from '../parts/announce.js'
import { count, dateTime, elapsed } from '../parts/format.js'
import { CodeText, ResultMark, toneOf } from '../parts/marks.js'
import { OpenedPane } from '../parts/opened-pane.js'
import { Code, Fact, HeaderList } from '../parts/step-parts.js'
import { linkTo, linkToPayment, linkToRequestsOf, openedRequest } from '../route/route.js'
import { loadOpened, sandboxInfo } from '../server/live.js'
import { request, resendRequest } from '../server/server.js'
import { asCode, asCurl, asTest, type Copied, type CopiedFault } from './copy.js'
import { RefusedNotice } from './refused-notice.js'
import { requestList } from './request-list.js'

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

function RequestFacts({ found }: { found: RequestDetail }) {
  const { payment, route, scope, tookMs } = found
  return (
    <dl class="facts">
      {payment !== null && (
        <Fact name={payment.kind === 'payin' ? 'Payin' : 'Payout'}>
          {found.isPaymentHeld ? (
            <a href={linkToPayment(payment)}>{<bdi>{payment.id}</bdi>}</a>
          ) : (
            <bdi>{payment.id}</bdi>
          )}
          <br />
          <a class="fine" href={linkToRequestsOf(payment.kind, payment.id)}>
            All its requests
          </a>
        </Fact>
      )}
      <Fact name="Took">{tookMs === null ? 'not over yet' : elapsed(tookMs)}</Fact>
      <Fact name="Endpoint">{route ?? 'none of the gateway’s'}</Fact>
      {scope !== null && (
        <Fact name={scope.isMade ? 'The token that it made allows' : 'Its token allows'} isWide>
          <ul class="scope">
            {scope.allows.map((line) => (
              <li key={line}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
          <span class="fine">until {dateTime(scope.expiresAt)}</span>
        </Fact>
      )}
    </dl>
  )
}

interface Props {
  readonly number: number
  readonly request: Copied
  /** The fault that was added and that it met, and where. */
  readonly fault: Pick<CopiedFault, 'kind' | 'route'> | null
}

function RequestActions({ number, request, fault }: Props) {
  const send = async () => {
    try {
      const resent = await resendRequest(number)
      const isSent = resent.number !== null
      announce(
        `${isSent ? 'Sent again under the same id. ' : ''}${resent.message}`,
        !isSent || !resent.arrived,
      )
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error), true)
    }
  }
  const place = sandboxInfo.value
  const form = place?.faults.find(({ at, kind }) => at === 'request' && kind === fault?.kind)
  const met = fault && { ...fault, hasParameters: form?.fields.length !== 0 }
  const link = () => `${location.origin}${location.pathname}#/request/${number}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="toolbar-row" role="group" aria-label={`What to do with ${request.method} ${request.path}`}>
      <button
        type="button"
        class="small"
        title="Under the same id, with a token of its own: a create that was accepted gets 409"
        onClick={send}
      >
        Send again
      </button>
      {place !== null && (
        <>
          <CopyButton text={() => asCurl(request, place)}>Copy as curl</CopyButton>
          <CopyButton text={() => asCode(request, place)}>Copy as code</CopyButton>
          <CopyButton text={() => asTest(request, place.basePath, met)}>Copy as a test</CopyButton>
        </>
      )}
      <CopyButton text={link}>Copy the link</CopyButton>
    </div>
  )
}
