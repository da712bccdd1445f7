import type { RequestDetail } from '../../api/requests/request-detail.js'
import { dateTime, elapsed } from '../parts/format.js'
import { Fact } from '../parts/step-parts.js'
import { linkToPayment, linkToRequestsOf } from '../route/route.js'

export function RequestFacts({ found }: { found: RequestDetail }) {
  const { route, scope, tookMs } = found
  return (
    <dl class="facts">
      <PaymentFact found={found} />
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
