import { type ClientOptions, GatewayClient, type Payin, statusOf } from 'merchant-gateway'
import { exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { isLocal, receiverOf } from './callbacks.js'
import { type Finding, fail, ok, skip } from './finding.js'
import { resultOf } from './gateway-checks.js'
import { ask, networkProblem, type PacedFetch, type Reply, timeoutMs } from './network.js'

/** What `doctor --live` is told: a payin that was paid at the live gateway, where there is one. */
export interface LiveCheck {
  readonly idPayin?: string
}

/**
 * The rows of docs/go-live.md that the other checks don't have. Creates and changes nothing at the gateway.
 *
 * @param paced undefined where the gateway can't be asked, since a setting is wrong.
 */
export async function* examineLive(
  env: Environment,
  url: URL | undefined,
  paced: PacedFetch | undefined,
  { idPayin }: LiveCheck,
): AsyncGenerator<Finding> {
  yield judgeLiveGateway(url)
  yield judgeLiveOption(env.GATEWAY_LIVE)
  let looked: Looked | undefined
  let answer: Reply | undefined
  if (idPayin !== undefined && paced !== undefined) {
    // Without `live` the client shows a test payment too, which the finding then names.
    const options: Partial<ClientOptions> = { fetch: paced.fetch, rateLimit: false, retries: 1, timeoutMs }
    const client = GatewayClient.fromEnv(options, { ...env, GATEWAY_LIVE: '' })
    looked = await resultOf(client.payins.retrieve(idPayin))
    const receiver = looked.value === undefined ? undefined : receiverOf(env, client)
    // What the gateway would send: a callback of that payin, to the shop that runs.
    answer = receiver && (await ask(receiver.urlFor({ idPayin }), { method: 'POST' }))
  }
  yield judgeLivePayin(looked)
  yield judgeLiveCallback({ urlIsLocal: isLocal(env.GATEWAY_CALLBACK_URL ?? '') }, answer)
  yield skip('budget', 'not checked: that all processes share one budget; a single process needs none')
  yield skip('alarms', 'not checked: that somebody is called for the alarms of docs/alerts.md')
}

/** The payin as it was found, or why it was not. */
type Looked = Awaited<ReturnType<typeof resultOf<Payin>>>

export function judgeLiveGateway(url: URL | undefined): Finding {
  const check = 'live gateway'
  if (url?.protocol === 'https:' && !isLocal(url.href)) return ok(check, `https, host ${url.host}`)
  const fix = 'Set GATEWAY_BASE_URL to the https address of the live gateway.'
  return fail(check, 'the base URL is no https address of another machine', fix, exitCodes.usage)
}

export function judgeLiveOption(value: string | undefined): Finding {
  const check = 'live option'
  if (value?.trim() === 'true') return ok(check, 'GATEWAY_LIVE=true: a test payment never counts as paid')
  const fix = 'Set GATEWAY_LIVE=true; without it a test payment counts as paid.'
  return fail(check, 'GATEWAY_LIVE is not true', fix, exitCodes.usage)
}

export function judgeLivePayin(looked: Looked | undefined): Finding {
  const check = 'live payin'
  if (looked === undefined) {
    return skip(check, 'not checked: give --payin ID of a payin that you have paid yourself at this gateway')
  }
  const { value: payin, said } = looked
  if (payin === undefined) {
    return fail(check, said, 'Give the id of a payin that was paid with this key at this gateway.')
  }
  const isTest: unknown = payin.process?.isTest ?? Reflect.get(payin, 'isTest')
  const status = statusOf(payin) ?? 'no status'
  if (isTest === false) return ok(check, `${status}, and real money (isTest: false)`)
  if (isTest === undefined || isTest === null) {
    return skip(check, `not checked: ${status}, but it shows no isTest; ask the platform whether it is live`)
  }
  const fix = 'Use the address and the key that the platform has enrolled for live payments.'
  return fail(check, `${status}, but a test payment (isTest: true): no money moves here`, fix)
}

export function judgeLiveCallback(
  { urlIsLocal }: { readonly urlIsLocal: boolean },
  reply: Reply | undefined,
): Finding {
  const check = 'live callback'
  if (reply === undefined) {
    return skip(check, 'not checked: it needs the payin, GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL')
  }
  if (reply.kind === 'none') {
    const fix = 'Start the shop, and check GATEWAY_CALLBACK_URL.'
    return fail(check, `${networkProblem(reply.code)}, asked from this machine`, fix)
  }
  const answered = `the shop answered ${reply.status}`
  if (reply.status === 404) {
    const fix = 'Give the shop the same GATEWAY_CALLBACK_SECRET, publicUrl and environment.'
    return fail(check, `${answered}: it does not know the signature of the address`, fix)
  }
  if (reply.status < 200 || reply.status > 299) {
    return fail(check, answered, 'See the log of the shop: its look-up or its function failed.')
  }
  if (urlIsLocal) {
    const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches the shop.'
    return fail(check, `${answered}, but at an address of this machine`, fix, exitCodes.usage)
  }
  return ok(check, `${answered} to a signed callback, asked from this machine`)
}
