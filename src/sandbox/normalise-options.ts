import type { KeyObject } from 'node:crypto'
import { rsaPrivateKey, rsaPublicKey } from './auth/credentials.js'
import { deliverByFetch } from './callbacks/delivery.js'
import { magicAmounts } from './faults/magic-amounts.js'
import { limiterKinds } from './gateway/limiter.js'
import type { SandboxOptions } from './options.js'
import { defaultBalances } from './payments/balances.js'
import { defaultOperators } from './payments/operators.js'
import { isRecord } from './wire/json-body.js'

/** The options of a sandbox, checked and with their defaults. */
export interface SandboxSettings
  extends Required<Omit<SandboxOptions, OptionalStill | 'publicKeys' | 'startAt'>> {
  readonly merchantSecret: string | undefined
  readonly publicKeys: readonly KeyObject[]
  readonly privateKey: KeyObject | undefined
  readonly startAt: number | undefined
  readonly seed: number | string | undefined
  readonly customerAccountPath: string | undefined
}

type OptionalStill = 'merchantSecret' | 'privateKey' | 'seed' | 'customerAccountPath'

const DAY_MS = 24 * 60 * 60 * 1000

type Check = readonly [isRight: (value: unknown) => boolean, expected: string]

const text: Check = [(value) => typeof value === 'string' && value !== '', 'a string that is not empty']
const duration: Check = [(value) => isNumber(value) && value >= 0, 'a number of at least 0']
const count: Check = [(value) => isWhole(value) && value >= 1, 'a whole number of at least 1']
const fn: Check = [(value) => typeof value === 'function', 'a function']
const oneOf = (...values: unknown[]): Check => [
  (value) => values.includes(value),
  `one of: ${values.join(', ')}`,
]
const orFalse = ([isRight, expected]: Check): Check => [
  (value) => value === false || isRight(value),
  `${expected}, or false`,
]
const listOf = (isRight: (value: unknown) => boolean, expected: string): Check => [
  (value) => Array.isArray(value) && value.every(isRight),
  `a list of ${expected}`,
]

const checks: Readonly<Record<keyof SandboxOptions, Check>> = {
  strictness: oneOf('specification', 'generous'),
  merchantCode: text,
  merchantSecret: text,
  publicKeys: listOf(
    (value) => rsaPublicKey(value) !== undefined,
    'public RSA keys, each a PEM or a KeyObject',
  ),
  privateKey: [(value) => rsaPrivateKey(value) !== undefined, 'a private RSA key, a PEM or a KeyObject'],
  timestampUnit: oneOf('seconds', 'milliseconds'),
  timestampToleranceSecs: duration,
  replay: oneOf('allow', 'refuse'),
  tokenField: text,
  tokenFormat: oneOf('json', 'text'),
  maxValiditySecs: count,
  payinStatusIn: oneOf('process', 'top'),
  errorFormat: oneOf('code', 'errors', 'none'),
  customerAccountPath: [
    isTemplate,
    'a path with exactly one {idPayin}, such as /payins/{idPayin}/customer-account',
  ],
  basePath: [(value) => value === '' || isPath(value), 'a path that begins with / and does not end with one'],
  rateLimit: orFalse(count),
  limiter: oneOf(...limiterKinds),
  retryAfter: oneOf('seconds', 'date', false),
  pendingAfterMs: duration,
  settleAfterMs: orFalse(duration),
  settleJitterMs: duration,
  expireAfterMs: duration,
  magicAmounts: listOf((value) => isRecord(value) && isNumber(value.amount), 'objects with an amount'),
  clock: oneOf('real', 'virtual'),
  startAt: [
    (value) => isNumber(value instanceof Date ? value.getTime() : value),
    'milliseconds since 1970, or a Date',
  ],
  seed: [(value) => isNumber(value) || typeof value === 'string', 'a number or a string'],
  deliver: fn,
  callbackBody: fn,
  callbackTries: count,
  callbackRetryAfterMs: duration,
  callbackTimeoutMs: duration,
  maxLogged: [(value) => isWhole(value) && value >= 0, 'a whole number of at least 0'],
  maxPayments: count,
  maxBodyBytes: count,
  channelName: text,
  balances: [isBalances, 'an object of numbers by currency code, such as { EUR: 1000 }'],
  paymentOperators: listOf(isOperator, 'objects with code and name'),
}

/** @throws Error that names the option and says what it should be */
export function normaliseOptions(given: SandboxOptions): SandboxSettings {
  if (!isRecord(given)) throw new Error('createSandbox(options) takes an object.')
  // Own properties only: what is on Object.prototype was not given as an option.
  const options: SandboxOptions = Object.assign(Object.create(null), given)
  for (const [name, value] of Object.entries(options)) {
    const check = Object.entries(checks).find(([known]) => known === name)?.[1]
    if (check === undefined) throw new Error(`createSandbox: there is no option ${JSON.stringify(name)}.`)
    if (value !== undefined && !check[0](value)) {
      throw new Error(`createSandbox: the option ${name} must be ${check[1]}.`)
    }
  }
  return withDefaults(options)
}

function withDefaults(options: SandboxOptions): SandboxSettings {
  const { startAt, strictness = 'generous' } = options
  const isGenerous = strictness === 'generous'
  return {
    strictness,
    merchantCode: options.merchantCode ?? 'SANDBOX-MERCHANT',
    merchantSecret: options.merchantSecret,
    publicKeys: (options.publicKeys ?? []).map(rsaPublicKey).filter((key) => key !== undefined),
    privateKey: options.privateKey === undefined ? undefined : rsaPrivateKey(options.privateKey),
    timestampUnit: options.timestampUnit ?? 'seconds',
    timestampToleranceSecs: options.timestampToleranceSecs ?? 300,
    replay: options.replay ?? 'allow',
    tokenField: options.tokenField ?? 'token',
    tokenFormat: options.tokenFormat ?? 'json',
    maxValiditySecs: options.maxValiditySecs ?? 1_000_000_000,
    payinStatusIn: options.payinStatusIn ?? 'process',
    errorFormat: options.errorFormat ?? (isGenerous ? 'code' : 'none'),
    customerAccountPath:
      options.customerAccountPath ?? (isGenerous ? '/payins/{idPayin}/customer-account' : undefined),
    basePath: options.basePath ?? '',
    rateLimit: options.rateLimit ?? 10,
    limiter: options.limiter ?? 'sliding-window',
    retryAfter: options.retryAfter ?? false,
    pendingAfterMs: options.pendingAfterMs ?? 0,
    settleAfterMs: options.settleAfterMs ?? 1000,
    settleJitterMs: options.settleJitterMs ?? 0,
    expireAfterMs: options.expireAfterMs ?? DAY_MS,
    magicAmounts: options.magicAmounts ?? magicAmounts,
    clock: options.clock ?? 'real',
    startAt: startAt instanceof Date ? startAt.getTime() : startAt,
    seed: options.seed,
    deliver: options.deliver ?? deliverByFetch,
    callbackBody: options.callbackBody ?? (() => ({})),
    callbackTries: options.callbackTries ?? 3,
    callbackRetryAfterMs: options.callbackRetryAfterMs ?? 1000,
    callbackTimeoutMs: options.callbackTimeoutMs ?? 5000,
    maxLogged: options.maxLogged ?? 10_000,
    maxPayments: options.maxPayments ?? 20_000,
    maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    channelName: options.channelName ?? 'Sandbox Shop',
    balances: options.balances ?? defaultBalances,
    paymentOperators: options.paymentOperators ?? defaultOperators,
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[^?#]*[^?#/]$/.test(value)
}

function isTemplate(value: unknown): boolean {
  return isPath(value) && typeof value === 'string' && value.split('{idPayin}').length === 2
}

function isBalances(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([code, amount]) => /^[A-Z]{3}$/.test(code) && isNumber(amount))
  )
}

function isOperator(value: unknown): boolean {
  return isRecord(value) && typeof value.code === 'string' && typeof value.name === 'string'
}
