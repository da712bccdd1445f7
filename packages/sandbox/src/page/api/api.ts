import type { SandboxParts } from '../../gateway/assemble.js'
import { disarmAll, reset } from '../../gateway/assemble.js'
import { MOST_BODY_BYTES } from '../../gateway/callbacks/delivery.js'
import type { Payment } from '../../gateway/payments/payment.js'
import { createPayment, PageClient, resend } from './actions/client.js'
import { addFault, removeFault } from './actions/faults.js'
import { changeLimiter, infoOf, liveStateOf, moveClock, stateOf } from './actions/state.js'
import {
  balanceBody,
  callbackBody,
  callbackResult,
  clockBody,
  createBody,
  faultBody,
  limiterBody,
  paymentQuery,
  requestQuery,
  statusBody,
} from './bodies.js'
import {
  asRefusal,
  type Endpoint,
  endpoint,
  nothing,
  PageRefusal,
  type PageRequest,
  respondBy,
} from './http/endpoint.js'
import { Mask } from './mask.js'
import { listing } from './payments/listing.js'
import { historyOf } from './payments/payment-history.js'
import { requestDetail, requestListing } from './requests/requests.js'

/** @throws {@link PageRefusal}. */
export type PageApi = (request: PageRequest) => unknown

const MOST_ERROR_LENGTH = 200

/** Everything that the page and other programs can ask of a sandbox: a row for each endpoint. */
export function createApi(parts: SandboxParts, keyFile: string | undefined): PageApi {
  const { balances, callbackFaults, forwarder, ledger, log, onChange, settings, tokens } = parts
  const mask = new Mask([settings.merchantSecret])
  const client = new PageClient(parts)

  const payment = ([kind, id = '']: readonly string[]): Payment => {
    if (kind !== 'payin' && kind !== 'payout') throw new PageRefusal(404, 'There are payins and payouts.')
    const found = ledger.store(kind).find(id)
    if (found === undefined) throw new PageRefusal(404, 'The sandbox holds no payment with this id.')
    return found
  }
  const request = ([key = '']: readonly string[]) => {
    const found = log.toArray().find(({ number }) => number === Number(key))
    if (found === undefined) throw new PageRefusal(404, 'The sandbox holds no request with this number.')
    return found
  }
  const state = () => stateOf(parts, mask)
  const changed = (_work: unknown) => {
    onChange()
    return state()
  }

  const table: readonly Endpoint[] = [
    endpoint('GET info', nothing, (_, __, origin) => infoOf(parts, origin, keyFile)),
    endpoint('GET live', nothing, () => liveStateOf(parts)),
    endpoint('GET state', nothing, state),
    endpoint('GET idle', nothing, () => callbackFaults.idle().then(state)),

    endpoint('GET payments', paymentQuery, (query) => listing(parts, query)),
    endpoint('GET payments/*/*', nothing, (_, at) => historyOf(payment(at), parts, mask)),
    endpoint('POST payments/*/*/status', statusBody, ({ status, ...options }, at) => {
      const target = payment(at)
      target.change(status, 'page', options)
      return { status: target.status }
    }),
    endpoint('POST payments/*/*/callback', callbackBody, (form, at) => {
      const target = payment(at)
      if (target.callbackUrl === undefined) throw new PageRefusal(409, NO_CALLBACK_URL)
      asRefusal(() => target.sendCallbackFromPage(form))
      return { sent: true }
    }),
    endpoint('POST create', createBody, (body) => createPayment(body, client, parts)),

    endpoint('GET requests', requestQuery, (query) => requestListing(parts, mask, query)),
    endpoint('GET requests/*', nothing, (_, at) => requestDetail(request(at), parts, mask)),
    endpoint('POST requests/*/resend', nothing, (_, at) => resend(request(at), client, settings)),

    endpoint('POST faults', faultBody, (fault) => changed(addFault(fault, parts))),
    endpoint('DELETE faults', nothing, () => changed(disarmAll(parts))),
    endpoint('DELETE faults/*', nothing, (_, [key = '']) => changed(removeFault(key, parts))),
    endpoint('POST clock', clockBody, async (body) => changed(await moveClock(body, parts))),
    endpoint('POST limiter', limiterBody, (body) => changed(changeLimiter(body, parts))),
    endpoint('POST balances', balanceBody, (balance) => changed(asRefusal(() => balances.set(balance)))),
    endpoint('DELETE tokens', nothing, () => changed(tokens.revokeAll())),
    endpoint('POST reset', nothing, () => changed(reset(parts))),

    endpoint('POST callbacks/*', callbackResult, (result, [key]) => ({
      taken: forwarder.answer(Number(key), shortened(result)),
    })),
  ]
  return (request) => respondBy(table, request)
}

const NO_CALLBACK_URL =
  'The payment has no callbackUrl, so no callback was sent: create one that has a callbackUrl.'

type CallbackResult =
  | { readonly status: number; readonly body?: string | undefined }
  | { readonly error: string }

function shortened(result: CallbackResult): CallbackResult {
  if ('error' in result) return { error: result.error.slice(0, MOST_ERROR_LENGTH) }
  const { status, body } = result
  return { status, body: body && Buffer.from(body).subarray(0, MOST_BODY_BYTES).toString('utf8') }
}
