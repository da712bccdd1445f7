import { statusOf } from 'merchant-gateway'
import { ask, receiverOf } from './callbacks.js'
import { check } from './check.js'
import { fail, type Judged, ok, skip, wrongSetting } from './finding.js'
import { resultOf } from './gateway.js'
import type { With } from './known.js'
import { isLocal, problemOf } from './settings.js'

/** The rows of docs/go-live.md that the other checks don't have. They create and change nothing at the gateway. */
export const liveChecks = [
  check('live gateway', ['live'], ({ gateway }) => {
    const url = gateway?.url
    if (url?.protocol === 'https:' && !isLocal(url.href)) return ok(`https, host ${url.host}`)
    const fix = 'Set GATEWAY_BASE_URL to the https address of the live gateway.'
    return wrongSetting('the base URL is no https address of another machine', fix)
  }),
  check('live option', ['live'], ({ env }) => {
    if (env.GATEWAY_LIVE?.trim() === 'true')
      return ok('GATEWAY_LIVE=true: a test payment never counts as paid')
    const fix = 'Set GATEWAY_LIVE=true; without it a test payment counts as paid.'
    return wrongSetting('GATEWAY_LIVE is not true', fix)
  }),
  check('live payin', ['live'], judgeLivePayin),
  check('live callback', ['live'], async (known) => {
    const { callbacks, liveClient, live } = known
    const isRight = callbacks !== undefined && problemOf(() => receiverOf(callbacks)) === undefined
    if (!isRight || liveClient === undefined || live.idPayin === undefined)
      return skip('not checked: it needs the payin, GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL')
    // What the gateway would send: a callback of that payin, to the shop that runs.
    const url = receiverOf(callbacks, liveClient).urlFor({ idPayin: live.idPayin })
    return judgeLiveCallback(await ask(url, 'POST'), isLocal(callbacks.url))
  }),
  check('budget', ['live'], () =>
    skip('not checked: that all processes share one budget; a single process needs none'),
  ),
  check('alarms', ['live'], () =>
    skip('not checked: that somebody is called for the alarms of docs/alerts.md'),
  ),
]

export async function judgeLivePayin(known: With<'live'>): Promise<Judged> {
  const { env, gateway, credential, hasMerchantCode, asked, live } = known
  const canAsk = credential !== undefined && hasMerchantCode !== undefined && asked !== undefined
  if (live.idPayin === undefined || gateway === undefined || !canAsk)
    return skip('not checked: give --payin ID of a payin that you have paid yourself at this gateway')
  // Without `live` the client shows a test payment too, which the finding then names.
  const client = gateway.client({}, { ...env, GATEWAY_LIVE: '' })
  const { value: payin, said } = await resultOf(client.payins.retrieve(live.idPayin))
  if (payin === undefined)
    return fail(said, 'Give the id of a payin that was paid with this key at this gateway.')
  known.liveClient = client
  const isTest: unknown = payin.process?.isTest ?? Reflect.get(payin, 'isTest') ?? undefined
  const status = statusOf(payin) ?? 'no status'
  if (isTest === false) return ok(`${status}, and real money (isTest: false)`)
  if (isTest === undefined)
    return skip(`not checked: ${status}, but it shows no isTest; ask the platform whether it is live`)
  const fix = 'Use the address and the key that the platform has enrolled for live payments.'
  return fail(`${status}, but a test payment (isTest: true): no money moves here`, fix)
}

/** @param reply the status of the shop's response, or why there is none. */
export function judgeLiveCallback(reply: number | string, isLocalUrl: boolean): Judged {
  if (typeof reply === 'string') return fail(reply, 'Start the shop, and check GATEWAY_CALLBACK_URL.')
  const answered = `the shop answered ${reply}`
  if (reply === 404) {
    const fix = 'Give the shop the same GATEWAY_CALLBACK_SECRET, publicUrl and environment.'
    return fail(`${answered}: it does not know the signature of the address`, fix)
  }
  if (reply < 200 || reply > 299)
    return fail(answered, 'See the log of the shop: its look-up or its function failed.')
  const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches the shop.'
  if (isLocalUrl) return wrongSetting(`${answered}, but at an address of this machine`, fix)
  return ok(`${answered} to a signed callback, asked from this machine`)
}
