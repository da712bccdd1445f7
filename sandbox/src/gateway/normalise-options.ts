import type { KeyObject } from 'node:crypto'
import {
  type Door,
  didYouMean,
  endSentence,
  type Row,
  type Rows,
  read,
  type Values,
} from '../../../src/client/input/reader.js'
import { aFunction, is, oneOf, text, wholeNumber } from '../../../src/client/input/rows.js'
import type { GatewayProfile } from '../../../src/client/profile/gateway-profile.js'
import { rsaPrivateKey, rsaPublicKey } from './auth/credentials.js'
import { type DeliverCallback, deliverByFetch } from './callbacks/delivery.js'
import { type LimiterKind, limiterKinds } from './engine/limiter.js'
import { type MagicAmount, magicAmounts } from './faults/magic-amounts.js'
import type { SandboxOptions } from './options.js'
import { defaultBalances } from './payments/balances.js'
import { defaultOperators, type SandboxOperator } from './payments/operators.js'
import { optionsOf, playedProfile, readProfile } from './profile/profile-options.js'
import { isRecord } from './wire/json-body.js'

/** The options of a sandbox, checked and with their defaults. */
export interface SandboxSettings
  extends Required<Omit<SandboxOptions, OptionalStill | 'publicKeys' | 'startAt' | 'profile'>> {
  readonly merchantSecret: string | undefined
  readonly publicKeys: readonly KeyObject[]
  readonly privateKey: KeyObject | undefined
  readonly startAt: number | undefined
  readonly seed: number | string | undefined
  readonly customerAccountPath: string | undefined
  readonly onExchange: SandboxOptions['onExchange'] | undefined
  readonly callbackBody: SandboxOptions['callbackBody'] | undefined
  /** The gateway that is played; without what the options say in another way. */
  readonly profile: GatewayProfile | undefined
  /** Gaps between the tries of a callback; absent where they double. */
  readonly callbackGapsMs: readonly number[] | undefined
}

type OptionalStill =
  | 'callbackBody'
  | 'onExchange'
  | 'merchantSecret'
  | 'privateKey'
  | 'seed'
  | 'customerAccountPath'

const DAY_MS = 24 * 60 * 60 * 1000

const count = wholeNumber(1)
const isTime = (value: unknown) => isNumber(value) && value >= 0
const duration = is<number>('a number of milliseconds, 0 or more', isTime)

function listOf<T>(expected: string, isRight: (value: unknown) => boolean): Row<readonly T[] | undefined> {
  return is(`a list of ${expected}`, (value) => Array.isArray(value) && value.every(isRight))
}

const rows = {
  strictness: oneOf('specification', 'generous'),
  profile: is<GatewayProfile>('a profile, as merchant-gateway learn writes it', isRecord),
  merchantCode: text,
  merchantSecret: text,
  publicKeys: listOf<string | KeyObject>(
    'public RSA keys, each a PEM or a KeyObject',
    (value) => rsaPublicKey(value) !== undefined,
  ),
  privateKey: is<string | KeyObject>(
    'a private RSA key, a PEM or a KeyObject',
    (value) => rsaPrivateKey(value) !== undefined,
  ),
  timestampUnit: oneOf('seconds', 'milliseconds'),
  timestampToleranceSecs: is<number>('a number of seconds, 0 or more', isTime),
  replay: oneOf('allow', 'refuse'),
  tokenField: text,
  tokenFormat: oneOf('json', 'json-string', 'text'),
  maxValiditySecs: count,
  payinStatusIn: oneOf('process', 'top'),
  errorFormat: oneOf('code', 'errors', 'none'),
  customerAccountPath: is<string>(
    'a path with exactly one {idPayin}, such as /payins/{idPayin}/customer-account',
    isTemplate,
  ),
  basePath: is<string>(
    'a path such as /api, that begins with / and does not end with one',
    (value) => value === '' || isPath(value),
  ),
  rateLimit: is<number | false>(
    'a whole number of requests a second, 1 or more, or false',
    (value) => value === false || (isWhole(value) && value >= 1),
  ),
  limiter: is<LimiterKind>(`one of ${limiterKinds.join(', ')}`, (value) =>
    limiterKinds.some((kind) => kind === value),
  ),
  retryAfter: is<'seconds' | 'date' | false>('"seconds", "date" or false', (value) =>
    ['seconds', 'date', false].some((one) => one === value),
  ),
  pendingAfterMs: duration,
  settleAfterMs: is<number | false>(
    'a number of milliseconds, 0 or more, or false',
    (value) => value === false || isTime(value),
  ),
  settleJitterMs: duration,
  expireAfterMs: duration,
  magicAmounts: listOf<MagicAmount>(
    'objects with an amount',
    (value) => isRecord(value) && isNumber(value.amount),
  ),
  clock: oneOf('real', 'virtual'),
  startAt: is<number | Date>('milliseconds since 1970, or a Date', (value) =>
    isNumber(value instanceof Date ? value.getTime() : value),
  ),
  seed: is<number | string>('a number or a text', (value) => isNumber(value) || typeof value === 'string'),
  onExchange: aFunction<NonNullable<SandboxOptions['onExchange']>>('that is told of each exchange'),
  deliver: aFunction<DeliverCallback>('that carries a callback'),
  callbackBody: aFunction<NonNullable<SandboxOptions['callbackBody']>>(
    'from a payment to the content of its callback',
  ),
  callbackTries: count,
  callbackRetryAfterMs: duration,
  callbackTimeoutMs: duration,
  maxLogged: wholeNumber(0),
  maxPayments: count,
  maxBodyBytes: count,
  channelName: text,
  balances: is<Readonly<Record<string, number>>>(
    'an object of numbers by currency code, such as { EUR: 1000 }',
    isBalances,
  ),
  mistakes: oneOf('by-specification', 'refuse', 'note'),
  payinMethods: listOf<string>(
    'codes of payment methods',
    (value) => typeof value === 'string' && value !== '',
  ),
  paymentOperators: listOf<SandboxOperator>('objects with code and name', isOperator),
} satisfies Rows<SandboxOptions>

const door: Door = {
  notKnown: (name, known) => `is not known; the options are ${known.join(', ')}${didYouMean(name, known)}`,
  refuse: (name, why) => new Error(endSentence(`createSandbox: the option ${name} ${why}`, '.')),
  needsObject: () => new Error('createSandbox(options) takes an object.'),
}

/** @throws Error that names the option and says what it should be */
export function normaliseOptions(given: SandboxOptions): SandboxSettings {
  const options = read(given, rows, door)
  if (options.profile === undefined) return withDefaults(options)
  const byHand = givenOf(options)
  const profile = playedProfile(readProfile(options.profile), byHand)
  const { secondsBetweenTries = [] } = profile.callbacks ?? {}
  const gapsMs = secondsBetweenTries.map((secs) => secs * 1000)
  const doubles = byHand.callbackRetryAfterMs !== undefined || gapsMs.length === 0
  return {
    ...withDefaults(read({ ...optionsOf(profile), ...byHand }, rows, door)),
    profile,
    callbackGapsMs: doubles ? undefined : gapsMs,
  }
}

/** Those that are given: what is undefined must not hide what stands for it. */
function givenOf(options: object): SandboxOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function withDefaults(options: Values<typeof rows>): SandboxSettings {
  const { startAt, strictness = 'generous' } = options
  const isGenerous = strictness === 'generous'
  return {
    profile: undefined,
    callbackGapsMs: undefined,
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
    onExchange: options.onExchange,
    deliver: options.deliver ?? deliverByFetch,
    callbackBody: options.callbackBody,
    callbackTries: options.callbackTries ?? 3,
    callbackRetryAfterMs: options.callbackRetryAfterMs ?? 1000,
    callbackTimeoutMs: options.callbackTimeoutMs ?? 5000,
    maxLogged: options.maxLogged ?? 10_000,
    maxPayments: options.maxPayments ?? 20_000,
    maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    channelName: options.channelName ?? 'Sandbox Shop',
    balances: options.balances ?? defaultBalances,
    mistakes: options.mistakes ?? 'by-specification',
    payinMethods: options.payinMethods ?? ['VAPAY'],
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
