import { randomBytes } from 'node:crypto'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import type { Environment } from '../io.js'
import { check } from './check.js'
import { type Judged, ok, skip, warn, wrongSetting } from './finding.js'
import { isLocal, isSet, problemOf, standIns } from './settings.js'

export const callbackChecks = [
  check('callbacks', [], ({ env }) =>
    isWanted(env)
      ? undefined
      : warn(
          'neither GATEWAY_CALLBACK_SECRET nor GATEWAY_CALLBACK_URL is set: statuses are found by polling alone',
          'Set both to receive callbacks; "openssl rand -hex 32" makes a secret.',
        ),
  ),
  check('callback key', [], ({ env }) => (isWanted(env) ? judgeSecrets(secretsOf(env)) : undefined)),
  check('callback URL', [], ({ env }) => (isWanted(env) ? judgeUrl(env) : undefined)),
]

function isWanted(env: Environment): boolean {
  return secretsOf(env).length > 0 || isSet(env.GATEWAY_CALLBACK_URL)
}

function judgeSecrets(secrets: readonly string[]): Judged {
  const { length } = secrets
  const problem = length === 0 ? 'GATEWAY_CALLBACK_SECRET is not set' : problemOfReceiver('', secrets)
  const fix = 'Set GATEWAY_CALLBACK_SECRET to 32 random bytes or more; "openssl rand -hex 32" makes them.'
  if (problem !== undefined) return wrongSetting(problem, fix)
  return ok(length === 1 ? 'one, long enough' : `${length}, long enough; the first one signs`)
}

async function judgeUrl({ GATEWAY_BASE_URL: baseUrl = '', GATEWAY_CALLBACK_URL: url }: Environment) {
  if (!isSet(url))
    return skip('GATEWAY_CALLBACK_URL is not set; that is right where the program gives publicUrl itself')
  const isElsewhere = isLocal(url) && URL.canParse(baseUrl) && !isLocal(baseUrl)
  const problem =
    problemOfReceiver(url, [randomBytes(32)]) ??
    (isElsewhere ? 'leads to this machine, where the gateway is not' : undefined)
  const fix = 'Set GATEWAY_CALLBACK_URL to the https address under which the gateway reaches your handler.'
  // HEAD makes nothing happen.
  return problem === undefined ? judgeHandler(await ask(url.trim(), 'HEAD')) : wrongSetting(problem, fix)
}

function judgeHandler(reply: number | string): Judged {
  if (typeof reply === 'string') {
    return warn(
      reply,
      'Start your handler, and check GATEWAY_CALLBACK_URL: the gateway sends callbacks there.',
    )
  }
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

/** What is wrong with a receiver of these; it only signs URLs. */
function problemOfReceiver(publicUrl: string, secrets: readonly (string | Uint8Array)[]): string | undefined {
  const client = new GatewayClient(standIns)
  return problemOf(() => receiver(client, publicUrl === '' ? standIns.baseUrl : publicUrl, secrets))
}

function receiver(client: GatewayClient, publicUrl: string, secrets: readonly (string | Uint8Array)[]) {
  const nothing = () => undefined
  return new CallbackReceiver({ client, publicUrl, secrets, onPayin: nothing, onPayout: nothing })
}

/** The receiver that signs as the merchant's own does; undefined where a setting for it is missing or wrong. */
export function receiverOf(env: Environment, client: GatewayClient): CallbackReceiver | undefined {
  const { GATEWAY_CALLBACK_URL: url } = env
  const secrets = secretsOf(env)
  if (!isSet(url) || secrets.length === 0 || problemOfReceiver(url, secrets) !== undefined) return undefined
  return receiver(client, url, secrets)
}

/** As the receiver reads them. */
function secretsOf({ GATEWAY_CALLBACK_SECRET = '' }: Environment): readonly string[] {
  return GATEWAY_CALLBACK_SECRET.split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}
