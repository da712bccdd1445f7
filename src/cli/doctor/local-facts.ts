import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { CallbackReceiver } from '../../callbacks/index.js'
import { type ClientOptions, GatewayClient, isGatewayError } from '../../index.js'
import type { Environment } from '../io.js'
import { fingerprintOf } from '../keys.js'
import type { TimestampUnit } from './gateway-checks.js'

/** What can be known without a request. Nothing in it is secret. */
export interface LocalFacts {
  readonly nodeVersion: string
  readonly checksCertificates: boolean
  readonly address: Setting
  readonly merchant: Setting
  readonly key: KeyFacts
  /** The unit of the timestamp that the environment asks for, where it is right. */
  readonly timestamp: Setting & { readonly unit: TimestampUnit }
  readonly callbacks: CallbackFacts
}

/** A setting as the client judges it: what is wrong with it, if anything is. */
export interface Setting {
  readonly problem?: string
}

export interface KeyFacts extends Setting {
  readonly kind: 'key' | 'secret'
  readonly bits?: number | undefined
  readonly fingerprint?: string
  /** Permission bits of the file that holds the key, where there is one. */
  readonly fileMode?: number
}

export interface CallbackFacts {
  readonly secrets: number
  readonly secretProblem?: string
  readonly hasUrl: boolean
  readonly urlProblem?: string
  readonly urlIsLocal: boolean
  /** False where nobody can tell, because the base URL is no address. */
  readonly gatewayIsElsewhere: boolean
}

const standIns = {
  baseUrl: 'https://gateway.invalid',
  merchantCode: 'none',
  signer: { sign: async () => new Uint8Array() },
  timestampUnit: 'seconds',
} as const

export function localFacts(env: Environment): LocalFacts {
  const { baseUrl, merchantCode, signer, timestampUnit } = standIns
  return {
    nodeVersion: process.versions.node,
    checksCertificates: env.NODE_TLS_REJECT_UNAUTHORIZED !== '0',
    address: setting({ merchantCode, signer, timestampUnit }, env),
    merchant: setting({ baseUrl, signer, timestampUnit }, env),
    key: keyFacts(env),
    timestamp: {
      ...setting({ baseUrl, merchantCode, signer }, env),
      unit: env.GATEWAY_TIMESTAMP_UNIT?.trim() === 'milliseconds' ? 'milliseconds' : 'seconds',
    },
    callbacks: callbackFacts(env),
  }
}

/** Judges one setting by the client's own checks; stand-ins take the place of all others. */
function setting(others: Partial<ClientOptions>, env: Environment): Setting {
  const problem = problemOf(() => GatewayClient.fromEnv(others, env))
  return problem === undefined ? {} : { problem }
}

function keyFacts(env: Environment): KeyFacts {
  const { baseUrl, merchantCode, timestampUnit } = standIns
  const { GATEWAY_PRIVATE_KEY: inline, GATEWAY_PRIVATE_KEY_FILE: file } = env
  const kind = isSet(env.GATEWAY_MERCHANT_SECRET) && !isSet(inline) && !isSet(file) ? 'secret' : 'key'
  const facts = { kind, ...setting({ baseUrl, merchantCode, timestampUnit }, env) } as const
  if (kind === 'secret' || facts.problem !== undefined) return facts
  // Windows keeps permissions elsewhere.
  const hasMode = file !== undefined && isSet(file) && process.platform !== 'win32'
  const mode = hasMode ? { fileMode: statSync(file).mode & 0o777 } : {}
  const key = publicHalf(env)
  if (key === undefined) return { ...facts, ...mode }
  const bits = key.asymmetricKeyDetails?.modulusLength
  return { ...facts, ...mode, bits, fingerprint: fingerprintOf(key) }
}

/** The public half of a key that the client has accepted; undefined where this code can't read it. */
function publicHalf(env: Environment): KeyObject | undefined {
  const key = privateKeyIn(env)
  return key && createPublicKey(key)
}

/** The key itself. */
export function privateKeyIn(env: Environment): KeyObject | undefined {
  const { GATEWAY_PRIVATE_KEY = '', GATEWAY_PRIVATE_KEY_FILE: file, GATEWAY_PRIVATE_KEY_PASSPHRASE } = env
  try {
    const text = file !== undefined && isSet(file) ? readFileSync(file, 'utf8') : GATEWAY_PRIVATE_KEY
    const pem = /-----BEGIN[\s\S]*-----END[A-Z ]*-----/.exec(text.replace(/\\r\\n|\\n/g, '\n'))?.[0] ?? ''
    const passphrase = isSet(GATEWAY_PRIVATE_KEY_PASSPHRASE) ? GATEWAY_PRIVATE_KEY_PASSPHRASE : undefined
    return createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase })
  } catch {
    return undefined
  }
}

function callbackFacts(env: Environment): CallbackFacts {
  const { GATEWAY_CALLBACK_SECRET = '', GATEWAY_CALLBACK_URL: url, GATEWAY_BASE_URL = '' } = env
  const secrets = GATEWAY_CALLBACK_SECRET.split(',')
    .map((secret) => secret.trim())
    .filter(isSet)
  const client = new GatewayClient(standIns)
  const receive = (publicUrl: string, own: readonly (string | Uint8Array)[]) =>
    problemOf(() => new CallbackReceiver({ client, publicUrl, secrets: own }))
  const secretProblem = secrets.length === 0 ? undefined : receive(standIns.baseUrl, secrets)
  const urlProblem = url !== undefined && isSet(url) ? receive(url, [randomBytes(32)]) : undefined
  return {
    secrets: secrets.length,
    ...(secretProblem === undefined ? {} : { secretProblem }),
    hasUrl: isSet(url),
    ...(urlProblem === undefined ? {} : { urlProblem }),
    urlIsLocal: isLocal(url),
    gatewayIsElsewhere: URL.canParse(GATEWAY_BASE_URL) && !isLocal(GATEWAY_BASE_URL),
  }
}

/** Whether an address leads to this machine. */
export function isLocal(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  return /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(new URL(url).hostname)
}

/** As `fromEnv` has it: an empty variable is none. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

function problemOf(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (isGatewayError(error)) return error.message
    throw error
  }
}
