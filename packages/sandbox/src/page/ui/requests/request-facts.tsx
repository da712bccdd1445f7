import type { RequestDetail } from '../../api/requests/request-detail.js'
import { span } from '../../api/text/span.js'
import { dateTime, elapsed } from '../parts/format.js'
import { Fact } from '../parts/step-parts.js'
import { linkToPayment, linkToRequestsOf } from '../route/route.js'

/** What is known of a request beside its texts. */
export function RequestFacts({ found }: { found: RequestDetail }) {
  const { route, signature, scope } = found
  return (
    <dl class="facts">
      <PaymentFact found={found} />
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

function PaymentFact({ found: { payment, isPaymentHeld } }: { found: RequestDetail }) {
  if (payment === null) return null
  const { kind, id } = payment
  return (
    <Fact name={kind === 'payin' ? 'Payin' : 'Payout'}>
      {isPaymentHeld ? <a href={linkToPayment(payment)}>{<bdi>{id}</bdi>}</a> : <bdi>{id}</bdi>}
      <br />
      <a class="fine" href={linkToRequestsOf(kind, id)}>
        All its requests
      </a>
    </Fact>
  )
}

function took({ tookMs, tookOnClockMs }: RequestDetail): string {
  if (tookMs === null) return 'not over yet'
  const onClock = tookOnClockMs === null ? '' : `, and ${span(tookOnClockMs)} by the sandbox’s clock`
  return elapsed(tookMs) + onClock
}
