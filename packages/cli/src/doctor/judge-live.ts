import { type Payin, statusOf } from 'merchant-gateway'
import { fail, type Judged, ok, skip, wrongSetting } from './finding.js'
import type { CheckResult } from './gateway.js'
import { isLocal } from './settings.js'

export function judgeLiveGateway(url: URL | undefined): Judged {
  if (url?.protocol === 'https:' && !isLocal(url.href)) return ok(`https, host ${url.host}`)
  const fix = 'Set GATEWAY_BASE_URL to the https address of the live gateway.'
  return wrongSetting('the base URL is no https address of another machine', fix)
}

export function judgeLiveOption(live: string | undefined): Judged {
  if (live?.trim() === 'true') return ok('GATEWAY_LIVE=true: a test payment never counts as paid')
  const fix = 'Set GATEWAY_LIVE=true; without it a test payment counts as paid.'
  return wrongSetting('GATEWAY_LIVE is not true', fix)
}

export function judgeLivePayin(result: (CheckResult & { readonly value?: Payin }) | undefined): Judged {
  if (result === undefined)
    return skip('not checked: give --payin ID of a payin that you have paid yourself at this gateway')
  const { value: payin, said } = result
  if (payin === undefined)
    return fail(said, 'Give the id of a payin that was paid with this key at this gateway.')
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
    return fail(answered, 'See the log of the shop: its lookup or its function failed.')
  const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches the shop.'
  if (isLocalUrl) return wrongSetting(`${answered}, but at an address of this machine`, fix)
  return ok(`${answered} to a signed callback, asked from this machine`)
}
