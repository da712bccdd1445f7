import { createPublicKey } from 'node:crypto'
import { statSync } from 'node:fs'
import { GatewayClient, isGatewayError, privateKeyFromEnv } from 'merchant-gateway'
import { exitCodes } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { fingerprintOf } from '../keygen.js'
import { type Finding, fail, ok, warn } from './finding.js'
import type { TimestampUnit } from './gateway-checks.js'

/** In place of all settings, for a client that is asked for what needs no gateway. */
export const standIns = {
  baseUrl: 'https://gateway.invalid',
  merchantCode: 'none',
  signer: { sign: async () => new Uint8Array() },
  timestampUnit: 'seconds',
} as const

/** What the client itself says of one setting of the environment; stand-ins take the place of all others. */
export function problemWith(setting: keyof typeof standIns, env: Environment): string | undefined {
  return problemOf(() => GatewayClient.fromEnv({ ...standIns, [setting]: undefined }, env))
}

/** What an error of ours says is wrong; undefined where there is none. */
export function problemOf(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (isGatewayError(error)) return error.message
    throw error
  }
}

/** As `fromEnv` has it: an empty variable is none. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

const least = [20, 19] as const

export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > least[0] || (major === least[0] && minor >= least[1])
  if (isEnough) return ok('node', version)
  return fail('node', `${version} is too old`, `Install Node ${least.join('.')} or newer.`, exitCodes.usage)
}

export function judgeMerchant(env: Environment): Finding {
  const problem = problemWith('merchantCode', env)
  // The code itself is not shown: somebody may have put a secret in its place.
  if (problem === undefined) return ok('merchant code', 'set')
  const fix = 'Set GATEWAY_MERCHANT_CODE to the merchant ID of your enrolment.'
  return fail('merchant code', problem, fix, exitCodes.usage)
}

export function judgeAddress(env: Environment): Finding {
  const problem = problemWith('baseUrl', env)
  if (problem !== undefined) {
    const fix =
      'Set GATEWAY_BASE_URL to the address from your enrolment, such as https://gateway.example/api.'
    return fail('base URL', problem, fix, exitCodes.usage)
  }
  const url = new URL(env.GATEWAY_BASE_URL ?? '')
  if (url.protocol !== 'https:') {
    return ok('base URL', `plain http, which is right for this machine only, host ${url.host}`)
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return ok('base URL', `https, host ${url.host}`)
  return fail(
    'base URL',
    'NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way can read tokens',
    'Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
    exitCodes.usage,
  )
}

export function timestampUnitOf(env: Environment): TimestampUnit {
  return env.GATEWAY_TIMESTAMP_UNIT?.trim() === 'milliseconds' ? 'milliseconds' : 'seconds'
}

/** A line only where it is wrong: the line on the signature says which unit is right. */
export function judgeTimestampUnit(env: Environment): Finding[] {
  const problem = problemWith('timestampUnit', env)
  if (problem === undefined) return []
  const fix = 'Unset GATEWAY_TIMESTAMP_UNIT for seconds, or set it to milliseconds.'
  return [fail('timestamp', problem, fix, exitCodes.usage)]
}

/** How token requests say who asks. */
export function credentialOf(env: Environment): 'key' | 'secret' {
  const { GATEWAY_MERCHANT_SECRET, GATEWAY_PRIVATE_KEY, GATEWAY_PRIVATE_KEY_FILE } = env
  const hasKey = isSet(GATEWAY_PRIVATE_KEY) || isSet(GATEWAY_PRIVATE_KEY_FILE)
  return isSet(GATEWAY_MERCHANT_SECRET) && !hasKey ? 'secret' : 'key'
}

export function judgeKey(env: Environment): Finding {
  const problem = problemWith('signer', env)
  if (problem !== undefined) {
    return fail(
      'key',
      problem,
      'Give the private RSA key in GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE; "merchant-gateway keygen" makes one.',
      exitCodes.usage,
    )
  }
  if (credentialOf(env) === 'secret') {
    return warn(
      'key',
      'none: the merchant secret is used, which the gateway has deprecated',
      'Make a key with "merchant-gateway keygen", hand its public half to the platform, and unset GATEWAY_MERCHANT_SECRET.',
    )
  }
  const privateKey = privateKeyFromEnv(env)
  if (privateKey === undefined) return ok('key', 'set')
  const bits = privateKey.asymmetricKeyDetails?.modulusLength
  const described = `RSA, ${bits} bits, SHA-256 of the public half ${fingerprintOf(createPublicKey(privateKey))}`
  const { GATEWAY_PRIVATE_KEY_FILE: file } = env
  // Windows keeps permissions elsewhere.
  const mode = isSet(file) && process.platform !== 'win32' ? statSync(file).mode & 0o777 : 0
  if ((mode & 0o077) === 0) return ok('key', described)
  const shown = mode.toString(8).padStart(4, '0')
  return warn('key', `${described}; its file is open to others (mode ${shown})`, 'chmod 600 the file.')
}

/** As the receiver reads them. */
export function callbackSecretsOf({ GATEWAY_CALLBACK_SECRET = '' }: Environment): readonly string[] {
  return GATEWAY_CALLBACK_SECRET.split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}
