import * as z from 'zod/mini'
import { MOST_BODY_BYTES } from '../../gateway/callbacks/delivery.js'
import { callbackFormShape } from '../../gateway/callbacks/form.js'
import { disarmAll, reset } from '../../gateway/engine/reset.js'
import { exactly, number, whole } from '../../gateway/input/check.js'
import type { Payment } from '../../gateway/payments/payment.js'
import { infoOf, moveClock, stateOf } from './controls/controls.js'
import { PageClient } from './controls/page-client.js'
import { createPayment } from './controls/page-create.js'
import { armFault, disarmFault } from './controls/page-faults.js'
import { resend } from './controls/resend.js'
import { answerBy, type Endpoint, endpoint, nothing, type PageRequest } from './http/endpoint.js'
import { asRefusal, PageRefusal } from './http/responses.js'
import { liveStateOf } from './live.js'
import { Mask } from './mask.js'
import {
  balanceOrder,
  callbackAnswer,
  clockOrder,
  createOrder,
  faultOrder,
  limiterOrder,
  resendOrder,
  settleOrder,
} from './orders.js'
import type { PageParts } from './parts.js'
import { listing } from './payments/listing.js'
import { historyOf } from './payments/payment-history.js'
import { deliveries } from './requests/deliveries.js'
import { type RequestDetail, requestDetail } from './requests/request-detail.js'
import { requestListing } from './requests/request-listing.js'
import { deliveryQuery, paymentQuery, requestQuery } from './requests/request-query.js'

/** @throws PageRefusal */
export type PageApi = (request: PageRequest) => unknown

const MOST_TIMES = 1000
const LONGEST_GAP_MS = 60_000
const MOST_ERROR_LENGTH = 200

/** The form of a callback, as by code, and never so many or so slow that the page would wait for ever. */
const callbackOrder = exactly({
  ...callbackFormShape,
  times: z.optional(whole(`a whole number from 1 to ${MOST_TIMES}`, 1, MOST_TIMES)),
  chunks: z.optional(whole(`a whole number from 1 to ${MOST_TIMES}`, 1, MOST_TIMES)),
  chunkGapMs: z.optional(number(`a number of milliseconds up to ${LONGEST_GAP_MS}`, 0, LONGEST_GAP_MS)),
})

/** Everything that the page and `control` can ask of a sandbox: a row for each endpoint. */
export function createApi(parts: PageParts): PageApi {
  const { balances, callbackFaults, callbacks, changes, forwarder, ledger, limiter, log, tokens } = parts
  const mask = new Mask([parts.settings.merchantSecret])
  const client = new PageClient(parts)

  const payment = ([kind, id = '']: readonly string[]): Payment => {
    if (kind !== 'payin' && kind !== 'payout') throw new PageRefusal(404, 'There are payins and payouts.')
    const found = ledger.store(kind).find(id)
    if (found === undefined) throw new PageRefusal(404, 'The sandbox holds no payment with this id.')
    return found
  }
  const request = ([key = '']: readonly string[]): RequestDetail => {
    const logged = log.toArray().find(({ number }) => number === Number(key))
    if (logged === undefined) throw new PageRefusal(404, 'The sandbox holds no request with this number.')
    return requestDetail(logged, parts, mask)
  }
  const state = () => stateOf(parts, mask)
  const changed = (_work: unknown) => {
    changes.notify()
    return state()
  }

  const table: readonly Endpoint[] = [
    endpoint('GET info', nothing, () => infoOf(parts)),
    endpoint('GET live', nothing, () => liveStateOf(parts)),

    endpoint('GET payments', paymentQuery, (query) => listing(parts, query)),
    endpoint('GET payments/*/*', nothing, (_, at) => historyOf(payment(at), parts, mask)),
    endpoint('POST payments/*/*/settle', settleOrder, ({ status, ...options }, at) => {
      const target = payment(at)
      target.change(status, 'page', options)
      return { status: target.status }
    }),
    endpoint('POST payments/*/*/callback', callbackOrder, (form, at) => {
      const target = payment(at)
      if (target.callbackUrl === undefined) throw new PageRefusal(409, NO_CALLBACK_URL)
      asRefusal(() => target.sendCallbackFromPage(form))
      return { sent: true }
    }),
    endpoint('POST create', createOrder, (order) => createPayment(order, client, parts)),

    endpoint('GET requests', requestQuery, (query) => requestListing(parts, mask, query)),
    endpoint('GET requests/*', nothing, (_, at) => request(at)),
    endpoint('POST requests/*/resend', resendOrder, (change, [key]) =>
      resend(Number(key), change, client, parts, mask),
    ),
    endpoint('DELETE requests', nothing, () => changed([log.clear(), callbacks.clearLog()])),
    endpoint('GET deliveries', deliveryQuery, (query) => deliveries(callbacks.log, query, mask)),

    endpoint('GET state', nothing, state),
    endpoint('GET idle', nothing, () => callbackFaults.idle().then(state)),
    endpoint('GET faults', nothing, state),
    endpoint('POST faults', faultOrder, (fault) => changed(armFault(fault, parts))),
    endpoint('DELETE faults', nothing, () => changed(disarmAll(parts))),
    endpoint('DELETE faults/*', nothing, (_, [key = '']) => changed(disarmFault(key, parts))),
    endpoint('POST clock', clockOrder, async (order) => changed(await moveClock(order, parts))),
    endpoint('POST limiter', limiterOrder, ({ limit, ...kind }) =>
      changed(
        asRefusal(() =>
          limiter.change({ ...kind, ...(limit === undefined ? {} : { limit: limit ?? false }) }),
        ),
      ),
    ),
    endpoint('POST balances', balanceOrder, (balance) => changed(asRefusal(() => balances.set(balance)))),
    endpoint('DELETE tokens', nothing, () => changed(tokens.revokeAll())),
    endpoint('POST reset', nothing, () => changed(reset(parts))),

    endpoint('POST callbacks/*', callbackAnswer, (answer, [key]) => {
      const short =
        'error' in answer
          ? { error: answer.error.slice(0, MOST_ERROR_LENGTH) }
          : { status: answer.status, body: beginning(answer.body) }
      return { taken: forwarder.answer(Number(key), short) }
    }),
  ]
  return (request) => answerBy(table, request)
}

const NO_CALLBACK_URL =
  'The payment has no callbackUrl, so no callback was sent: create one that has a callbackUrl.'

function beginning(text: string | undefined): string | undefined {
  return text && Buffer.from(text).subarray(0, MOST_BODY_BYTES).toString('utf8')
}
