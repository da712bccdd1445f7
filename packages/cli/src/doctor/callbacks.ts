import { randomBytes } from 'node:crypto'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { type Finding, fail, ok, skip, warn } from './finding.js'
import { networkProblem, type Reply } from './network.js'
import { callbackSecretsOf, isSet, problemOf, standIns } from './settings.js'

/** @param whoListens asks an address who answers there. */
export async function* judgeCallbacks(
  env: Environment,
  whoListens: (url: string) => Promise<Reply>,
): AsyncGenerator<Finding> {
  const { GATEWAY_CALLBACK_URL: url } = env
  const secrets = callbackSecretsOf(env)
  if (secrets.length === 0 && !isSet(url)) {
    yield warn(
      'callbacks',
      'neither GATEWAY_CALLBACK_SECRET nor GATEWAY_CALLBACK_URL is set: statuses are found by polling alone',
      'Set both to receive callbacks; "openssl rand -hex 32" makes a secret.',
    )
    return
  }
  yield judgeSecret(secrets)
  yield isSet(url)
    ? await judgeUrl(url, env, whoListens)
    : skip(
        'callback URL',
        'GATEWAY_CALLBACK_URL is not set; that is right where the program gives publicUrl itself',
      )
}

function judgeSecret(secrets: readonly string[]): Finding {
  const check = 'callback key'
  const problem =
    secrets.length === 0 ? 'GATEWAY_CALLBACK_SECRET is not set' : problemOfReceiver(standIns.baseUrl, secrets)
  if (problem !== undefined) {
    const fix = 'Set GATEWAY_CALLBACK_SECRET to 32 random bytes or more; "openssl rand -hex 32" makes them.'
    return fail(check, problem, fix, exitCodes.usage)
  }
  const { length } = secrets
  return ok(check, length === 1 ? 'one, long enough' : `${length}, long enough; the first one signs`)
}

async function judgeUrl(
  url: string,
  { GATEWAY_BASE_URL: baseUrl = '' }: Environment,
  whoListens: (url: string) => Promise<Reply>,
): Promise<Finding> {
  const check = 'callback URL'
  const isElsewhere = isLocal(url) && URL.canParse(baseUrl) && !isLocal(baseUrl)
  const problem =
    problemOfReceiver(url, [randomBytes(32)]) ??
    (isElsewhere ? 'leads to this machine, where the gateway is not' : undefined)
  if (problem !== undefined) {
    const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches your handler.'
    return fail(check, problem, fix, exitCodes.usage)
  }
  const reply = await whoListens(url.trim())
  if (reply.kind === 'none') {
    return warn(
      check,
      `${networkProblem(reply.code)}, asked from this machine`,
      'Start your handler, and check GATEWAY_CALLBACK_URL: the gateway sends callbacks there.',
    )
  }
  if (reply.status >= 500) {
    return warn(
      check,
      `answered ${reply.status}`,
      'Look at your handler, and at what stands before it: the gateway would be answered the same.',
    )
  }
  return ok(check, `somebody answers there (${reply.status})`)
}

/** This receiver only signs URLs. */
const nobody = { onPayin: () => undefined, onPayout: () => undefined }

function problemOfReceiver(publicUrl: string, secrets: readonly (string | Uint8Array)[]): string | undefined {
  const client = new GatewayClient(standIns)
  return problemOf(() => new CallbackReceiver({ client, publicUrl, secrets, ...nobody }))
}

/** The receiver that signs as the merchant's own does; undefined where a setting for it is missing or wrong. */
export function receiverOf(env: Environment, client: GatewayClient): CallbackReceiver | undefined {
  const { GATEWAY_CALLBACK_URL: publicUrl } = env
  const secrets = callbackSecretsOf(env)
  if (!isSet(publicUrl) || secrets.length === 0) return undefined
  if (problemOfReceiver(publicUrl, secrets) !== undefined) return undefined
  return new CallbackReceiver({ client, publicUrl, secrets, ...nobody })
}

/** Whether an address leads to this machine. */
export function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(new URL(url).hostname)
}
