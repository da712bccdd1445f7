import { CallbackReceiver } from '../../callbacks/index.js'
import { type ClientOptions, GatewayClient, type Payin, statusOf } from '../../index.js'
import type { Reply } from '../answer.js'
import { exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { whatIsSaidOfTests } from '../learn/is-test.js'
import { networkProblem } from '../network-problem.js'
import { newAgent, sendQuestion } from '../send-question.js'
import { type Finding, fail, ok, skip } from './finding.js'
import { type CheckResult, resultOf } from './gateway-checks.js'
import { isLocal, type LocalFacts } from './local-facts.js'
import { type PacedFetch, timeoutMs } from './paced-fetch.js'

/** What `doctor --live` is told: a payin that was paid at the live gateway, where there is one. */
export interface LiveCheck {
  readonly idPayin?: string
}

/** The rows of docs/go-live.md that the other checks don't have. Creates and changes nothing at the gateway. */
export async function* examineLive(
  env: Environment,
  { callbacks, key, merchant, timestamp }: LocalFacts,
  url: URL | undefined,
  paced: PacedFetch,
  { idPayin }: LiveCheck,
): AsyncGenerator<Finding> {
  yield judgeLiveGateway(url)
  yield judgeLiveOption(env.GATEWAY_LIVE)
  const isRight = [key, merchant, timestamp].every(({ problem }) => problem === undefined)
  if (idPayin === undefined || url === undefined || !isRight) {
    yield judgeLivePayin(undefined)
    yield judgeLiveCallback(callbacks, undefined)
  } else {
    const { fetch } = paced
    // Without `live` the client shows a test payment too, which the finding then names.
    const options: Partial<ClientOptions> = { fetch, rateLimit: false, retries: 1, timeoutMs }
    const client = GatewayClient.fromEnv(options, { ...env, GATEWAY_LIVE: '' })
    const looked = await lookUp(client, idPayin)
    yield judgeLivePayin(looked)
    const canCall = callbacks.hasUrl && callbacks.urlProblem === undefined && callbacks.secrets > 0
    const isCalled = looked.payin !== undefined && canCall && callbacks.secretProblem === undefined
    yield judgeLiveCallback(callbacks, isCalled ? await callBack(client, env, idPayin) : undefined)
  }
  yield skip('budget', 'not checked: that all processes share one budget; a single process needs none')
  yield skip('alarms', 'not checked: that somebody is called for the alarms of docs/go-live.md')
}

interface Looked {
  readonly result: CheckResult
  readonly payin?: Payin
}

async function lookUp({ payins }: GatewayClient, idPayin: string): Promise<Looked> {
  let payin: Payin | undefined
  const result = await resultOf(
    payins.retrieve(idPayin).then((found) => {
      payin = found
    }),
  )
  return payin === undefined ? { result } : { result, payin }
}

/** Sends what the gateway would: a callback of that payin, to the shop that runs. */
async function callBack(client: GatewayClient, env: Environment, idPayin: string): Promise<Reply> {
  const { GATEWAY_CALLBACK_SECRET = '', GATEWAY_CALLBACK_URL = '' } = env
  const secrets = GATEWAY_CALLBACK_SECRET.split(',').flatMap((one) => one.trim() || [])
  const receiver = new CallbackReceiver({ client, publicUrl: GATEWAY_CALLBACK_URL, secrets })
  const agent = await newAgent()
  try {
    const url = new URL(receiver.urlFor({ idPayin }))
    return await sendQuestion(url, { method: 'POST', path: '' }, { agent, timeoutMs })
  } finally {
    await agent.destroy()
  }
}

export function judgeLiveGateway(url: URL | undefined): Finding {
  const check = 'live gateway'
  if (url?.protocol === 'https:' && !isLocal(url.href)) return ok(check, `https, host ${url.host}`)
  const mend = 'Set GATEWAY_BASE_URL to the https address of the live gateway.'
  return fail(check, 'the base URL is not a right https address of another machine', mend, exitCodes.usage)
}

export function judgeLiveOption(value: string | undefined): Finding {
  const check = 'live option'
  if (value?.trim() === 'true') return ok(check, 'GATEWAY_LIVE=true: a test payment never counts as paid')
  const mend = 'Set GATEWAY_LIVE=true; without it a test payment counts as paid.'
  return fail(check, 'GATEWAY_LIVE is not true', mend, exitCodes.usage)
}

export function judgeLivePayin(looked: Looked | undefined): Finding {
  const check = 'live payin'
  if (looked === undefined) {
    return skip(check, 'not checked: give --payin ID of a payin that you have paid yourself at this gateway')
  }
  const { result, payin } = looked
  if (payin === undefined) {
    return fail(check, result.said, 'Give the id of a payin that was paid with this key at this gateway.')
  }
  const said = whatIsSaidOfTests(payin)
  const status = statusOf(payin) ?? 'no status'
  if (said === 'real') return ok(check, `${status}, and real money (isTest: false)`)
  if (said === 'nothing') {
    return skip(check, `not checked: ${status}, but it shows no isTest; ask the platform whether it is live`)
  }
  const mend = 'Use the address and the key that the platform has enrolled for live payments.'
  return fail(check, `${status}, but a test payment (isTest: true): no money moves here`, mend)
}

export function judgeLiveCallback(
  { urlIsLocal }: Pick<LocalFacts['callbacks'], 'urlIsLocal'>,
  reply: Reply | undefined,
): Finding {
  const check = 'live callback'
  if (reply === undefined) {
    return skip(check, 'not checked: it needs the payin, GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL')
  }
  if (reply.kind === 'none') {
    const mend = 'Start the shop, and check GATEWAY_CALLBACK_URL.'
    return fail(check, `${networkProblem(reply.code)}, asked from this machine`, mend)
  }
  const answered = `the shop answered ${reply.status}`
  if (reply.status === 404) {
    const mend = 'Give the shop the same GATEWAY_CALLBACK_SECRET, publicUrl and environment.'
    return fail(check, `${answered}: it does not know the signature of the address`, mend)
  }
  if (reply.status < 200 || reply.status > 299) {
    return fail(check, answered, 'See the log of the shop: its look-up or its function failed.')
  }
  if (urlIsLocal) {
    const mend = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches the shop.'
    return fail(check, `${answered}, but at an address of this machine`, mend, exitCodes.usage)
  }
  return ok(check, `${answered} to a signed callback, asked from this machine`)
}
