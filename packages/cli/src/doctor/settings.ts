import { createPublicKey } from 'node:crypto'
import { statSync } from 'node:fs'
import { GatewayClient, isGatewayError, privateKeyFromEnv } from 'merchant-gateway'
import type { Environment } from '../io.js'
import { fingerprintOf } from '../keygen.js'
import { type Judged, ok, type Say, type TimestampUnit, warn, wrongSetting } from './finding.js'
import { Gateway, standIns } from './gateway.js'

/** Which variables say what the stand-ins stand for. */
const variablesOf = {
  baseUrl: /^GATEWAY_(?:BASE_URL|ALLOW_INSECURE_HTTP)$/,
  merchantCode: /^GATEWAY_MERCHANT_CODE$/,
  signer: /^GATEWAY_(?:PRIVATE_KEY|MERCHANT_SECRET)/,
}

/** What token requests are, by the environment. */
export interface Asked {
  readonly credential: 'key' | 'secret'
  readonly timestampUnit: TimestampUnit
  readonly tokenValiditySecs: number
}

/** Reads the settings. What a wrong one keeps from being used is undefined. */
export function readSettings(env: Environment, say: Say) {
  const isRight = (
    name: string,
    setting: Setting | undefined,
    fix: string,
    judge: () => Judged | undefined,
  ) => {
    const problem = problemIn(env, setting)
    const judged = problem === undefined ? judge() : wrongSetting(problem, fix)
    say(name, judged)
    return judged?.verdict !== 'fail'
  }
  say('node', judgeNode(process.versions.node))
  const hasKey = isRight(
    'key',
    'signer',
    'Give the private RSA key in GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE; "merchant-gateway keygen" makes one.',
    () => judgeKey(env),
  )
  const hasCode = isRight(
    'merchant code',
    'merchantCode',
    'Set GATEWAY_MERCHANT_CODE to the merchant ID of your enrolment.',
    // The code itself is not shown: somebody may have put a secret in its place.
    () => ok('set'),
  )
  const hasOptions = isRight(
    'options',
    undefined,
    'Set it right, or unset it; "merchant-gateway help environment" lists the variables.',
    () => undefined,
  )
  const { GATEWAY_BASE_URL = '', NODE_USE_ENV_PROXY } = env
  const hasUrl = isRight(
    'base URL',
    'baseUrl',
    'Set GATEWAY_BASE_URL to the address from your enrolment, such as https://gateway.example/api.',
    () => judgeAddress(new URL(GATEWAY_BASE_URL), env),
  )
  // Options that are wrong would keep even a client from being made that needs none of them.
  const usable = hasOptions ? env : { NODE_USE_ENV_PROXY }
  const { GATEWAY_TIMESTAMP_UNIT: unit, GATEWAY_TOKEN_VALIDITY_SECS: secs } = env
  const asked = (): Asked => ({
    credential: privateKeyFromEnv(env) === undefined ? 'secret' : 'key',
    timestampUnit: unit?.trim() === 'milliseconds' ? 'milliseconds' : 'seconds',
    tokenValiditySecs: Number(secs?.trim() || 900),
  })
  return {
    gateway: hasUrl ? new Gateway(new URL(GATEWAY_BASE_URL), usable) : undefined,
    asked: hasKey && hasCode && hasOptions ? asked() : undefined,
  }
}

type Setting = keyof typeof variablesOf

/** What the client itself says of one setting of the environment, or of all others than these. */
function problemIn(env: Environment, setting: Setting | undefined): string | undefined {
  const patterns = setting === undefined ? Object.values(variablesOf) : [variablesOf[setting]]
  const isMeant = (variable: string) => patterns.some((one) => one.test(variable)) === (setting !== undefined)
  const others = setting === undefined ? standIns : { ...standIns, [setting]: undefined }
  const meant = Object.fromEntries(Object.entries(env).filter(([variable]) => isMeant(variable)))
  return problemOf(() => GatewayClient.fromEnv(others, meant))
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

const least = [20, 19] as const

export function judgeNode(version: string): Judged {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > least[0] || (major === least[0] && minor >= least[1])) return ok(version)
  return wrongSetting(`${version} is too old`, `Install Node ${least.join('.')} or newer.`)
}

function judgeKey(env: Environment): Judged {
  const file = env.GATEWAY_PRIVATE_KEY_FILE?.trim() ?? ''
  const privateKey = privateKeyFromEnv(env)
  if (privateKey === undefined) {
    return warn(
      'none: the merchant secret is used, which the gateway has deprecated',
      'Make a key with "merchant-gateway keygen", hand its public half to the platform, and unset GATEWAY_MERCHANT_SECRET.',
    )
  }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength
  const described = `RSA, ${bits} bits, SHA-256 of the public half ${fingerprintOf(createPublicKey(privateKey))}`
  // Windows keeps permissions elsewhere.
  const mode = file !== '' && process.platform !== 'win32' ? statSync(file).mode & 0o777 : 0
  if ((mode & 0o077) === 0) return ok(described)
  const shown = mode.toString(8).padStart(4, '0')
  return warn(`${described}; its file is open to others (mode ${shown})`, 'chmod 600 the file.')
}

export function judgeAddress({ protocol, host, href }: URL, env: Environment): Judged {
  const isPlain = protocol === 'http:'
  if (isPlain && isLocal(href)) return ok(`plain http, which is right for this machine only, host ${host}`)
  if (isPlain) {
    return warn(
      `plain http, which GATEWAY_ALLOW_INSECURE_HTTP allows, host ${host}`,
      'Use https: anybody on the way can read tokens.',
    )
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return ok(`https, host ${host}`)
  return wrongSetting(
    'NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way can read tokens',
    'Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
  )
}

export function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(new URL(url).hostname)
}
