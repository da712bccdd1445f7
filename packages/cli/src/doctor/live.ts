import type { Environment } from '../io.js'
import { ask, type CallbackSettings, receiverOf } from './callbacks.js'
import { type Say, skip } from './finding.js'
import { resultOf } from './gateway.js'
import { judgeLiveCallback, judgeLiveGateway, judgeLiveOption, judgeLivePayin } from './judge-live.js'
import { isLocal, problemOf, type readSettings } from './settings.js'

/** The rows of docs/go-live.md that the other checks don't have. They create and change nothing at the gateway. */
export async function checkLive(
  env: Environment,
  { gateway, asked }: ReturnType<typeof readSettings>,
  callbacks: CallbackSettings | undefined,
  idPayin: string | undefined,
  say: Say,
): Promise<void> {
  say('live gateway', judgeLiveGateway(gateway?.url))
  say('live option', judgeLiveOption(env.GATEWAY_LIVE))
  // Without `live` the client shows a test payment too, which the finding then names.
  const client = asked && gateway?.client({}, { ...env, GATEWAY_LIVE: '' })
  const result =
    idPayin === undefined ? undefined : client && (await resultOf(client.payins.retrieve(idPayin)))
  say('live payin', judgeLivePayin(result))
  const isRight = callbacks !== undefined && problemOf(() => receiverOf(callbacks)) === undefined
  if (isRight && idPayin !== undefined && result?.value !== undefined) {
    // What the gateway would send: a callback of that payin, to the shop that runs.
    const url = receiverOf(callbacks, client).urlFor({ idPayin })
    say('live callback', judgeLiveCallback(await ask(url, 'POST'), isLocal(callbacks.url)))
  } else {
    const why = 'it needs the payin, GATEWAY_CALLBACK_SECRET and GATEWAY_CALLBACK_URL'
    say('live callback', skip(`not checked: ${why}`))
  }
  say('budget', skip('not checked: that all processes share one budget; a single process needs none'))
  say('alarms', skip('not checked: that somebody is called for the alarms of docs/alerts.md'))
}
