import type { RequestDetail } from '../../api/requests/request-detail.js'
import { span } from '../../api/text/span.js'
import { Fact } from '../parts/fact.js'
import { dateTime, elapsed } from '../parts/format.js'

/** What is known of a request beside its texts. */
export function RequestFacts({ found }: { found: RequestDetail }) {
  const { route, signature, scope } = found
  return (
    <dl class="facts">
      {found.payment !== null && (
        <Fact name={found.payment.kind === 'payin' ? 'Payin' : 'Payout'}>
          <PaymentLinks found={found} />
        </Fact>
      )}
      <Fact name="Took">{took(found)}</Fact>
      <Fact name="Endpoint">{route ?? 'none of the gateway’s'}</Fact>
      {signature !== null && (
        <Fact name="Signature" isWide>
          <b>{signature.verdict}</b>. {signature.why}
        </Fact>
      )}
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

function PaymentLinks({ found: { payment, isPaymentHeld } }: { found: RequestDetail }) {
  if (payment === null) return null
  const { kind, id } = payment
  return (
    <>
      {isPaymentHeld ? (
        <a href={`#/${kind}/${encodeURIComponent(id)}`}>{<bdi>{id}</bdi>}</a>
      ) : (
        <bdi>{id}</bdi>
      )}
      <br />
      <a class="fine" href={requestsOf(kind, id)}>
        All its requests
      </a>
    </>
  )
}

/** The address of the list with the requests of one payment. */
export function requestsOf(kind: string, id: string): string {
  return `#/requests?${new URLSearchParams({ payment: `${kind}/${id}` })}`
}

function took({ tookMs, tookOnClockMs }: RequestDetail): string {
  if (tookMs === null) return 'not over yet'
  const onClock = tookOnClockMs === null ? '' : `, and ${span(tookOnClockMs)} by the sandbox’s clock`
  return elapsed(tookMs) + onClock
}
