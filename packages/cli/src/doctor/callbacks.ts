import { randomBytes } from 'node:crypto'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import type { Environment } from '../io.js'
import { type Judged, ok, type Say, skip, warn, wrongSetting } from './finding.js'
import { type Gateway, standIns } from './gateway.js'
import { isLocal, problemOf } from './settings.js'

/** What the environment says of the merchant's receiver, as that reads it. */
export interface CallbackSettings {
  readonly secrets: readonly (string | Uint8Array)[]
  /** Empty where there is none. */
  readonly url: string
}

export async function checkCallbacks(
  env: Environment,
  gateway: Gateway | undefined,
  say: Say,
): Promise<CallbackSettings | undefined> {
  const { GATEWAY_CALLBACK_SECRET: texts = '', GATEWAY_CALLBACK_URL = '' } = env
  const secrets = texts.split(',').flatMap((text) => text.trim() || [])
  const url = GATEWAY_CALLBACK_URL.trim()
  if (secrets.length > 0 || url !== '') {
    say('callback key', judgeSecrets(secrets))
    say('callback URL', await judgeUrl(url, gateway))
    return { secrets, url }
  }
  const none =
    'neither GATEWAY_CALLBACK_SECRET nor GATEWAY_CALLBACK_URL is set: statuses are found by polling alone'
  say('callbacks', warn(none, 'Set both to receive callbacks; "openssl rand -hex 32" makes a secret.'))
  return undefined
}

function judgeSecrets(secrets: readonly string[]): Judged {
  const { length } = secrets
  const problem = problemOf(() => receiverOf({ secrets, url: standIns.baseUrl }))
  const fix = 'Set GATEWAY_CALLBACK_SECRET to 32 random bytes or more; "openssl rand -hex 32" makes them.'
  if (length === 0) return wrongSetting('GATEWAY_CALLBACK_SECRET is not set', fix)
  if (problem !== undefined) return wrongSetting(problem, fix)
  return ok(length === 1 ? 'one, long enough' : `${length}, long enough; the first one signs`)
}

async function judgeUrl(url: string, gateway: Gateway | undefined): Promise<Judged> {
  if (url === '')
    return skip('GATEWAY_CALLBACK_URL is not set; that is right where the program gives publicUrl itself')
  const isElsewhere = isLocal(url) && gateway !== undefined && !isLocal(gateway.url.href)
  const problem =
    problemOf(() => receiverOf({ url, secrets: [randomBytes(32)] })) ??
    (isElsewhere ? 'leads to this machine, where the gateway is not' : undefined)
  const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches your handler.'
  // HEAD makes nothing happen.
  return problem === undefined ? judgeHandler(await ask(url, 'HEAD')) : wrongSetting(problem, fix)
}

function judgeHandler(reply: number | string): Judged {
  if (typeof reply === 'string')
    return warn(
      reply,
      'Start your handler, and check GATEWAY_CALLBACK_URL: the gateway sends callbacks there.',
    )
  if (reply < 500) return ok(`somebody answers there (${reply})`)
  return warn(
    `answered ${reply}`,
    'Look at your handler, and at what stands before it: the gateway would be answered the same.',
  )
}

const handlerMs = 10_000

/** Asks the merchant's handler. @returns the status of its response, or why there is none. */
export async function ask(url: string, method: 'HEAD' | 'POST'): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(handlerMs)
    const { status, body } = await fetch(url, { method, redirect: 'manual', signal })
    await body?.cancel()
    return status
  } catch (error) {
    return `nobody answers there (${codeOf(error)}), asked from this machine`
  }
}

/** Of the innermost error that has one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection'
  if (error.name === 'TimeoutError') return `within ${handlerMs / 1000} s`
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}

/**
 * A receiver that only signs URLs, as the merchant's own does.
 *
 * @throws naming the setting that is wrong ({@link ConfigurationError}).
 */
export function receiverOf(
  { secrets, url }: CallbackSettings,
  client = new GatewayClient(standIns),
): CallbackReceiver {
  const nothing = () => undefined
  return new CallbackReceiver({ client, publicUrl: url, secrets, onPayin: nothing, onPayout: nothing })
}
