import { types } from 'node:util'
import type { Dispatcher } from 'undici'
import { familyOperations, type TokenFamily } from './auth/scopes.js'
import { type PrivateKeyInput, privateKeySigner, type Signer } from './auth/signer.js'
import { ConfigurationError } from './errors.js'
import type { CountedRate, Limiter } from './http/limit/limiter.js'
import { isRateLimit, type RateLimit, rateLimitRange } from './http/limit/rate-limit.js'
import type { GatewayLogger } from './observe/logger.js'
import { type AnyPayment, isFinal, statusOf } from './payments/final.js'
import { steadyClock } from './schemas/clock.js'
import { durationRange, isDuration } from './schemas/durations.js'
import { didYouMean, hasMethod, own, ownOf, ownValue } from './schemas/own.js'

/** Options of {@link GatewayClient}. Durations are in milliseconds unless the name says otherwise. */
export interface ClientOptions {
  /** The gateway's base address, for example `https://gateway.example/api`. */
  baseUrl: string | URL
  /** Merchant ID obtained at enrolment. */
  merchantCode: string
  /** RSA key of at least 2048 bits that signs token requests: PEM (PKCS#1, PKCS#8, encrypted) or a `KeyObject`. */
  privateKey?: PrivateKeyInput | undefined
  /** Passphrase of an encrypted `privateKey`. */
  privateKeyPassphrase?: string | undefined
  /** In place of `privateKey`: a KMS, an HSM, Vault. */
  signer?: Signer | undefined
  /**
   * In place of `privateKey`.
   *
   * @deprecated by the gateway (specification, section 5.4); the client warns.
   */
  merchantSecret?: string | undefined
  /** One cached token for each family of endpoints (default), or one for each payment. */
  tokens?: 'per-family' | 'per-payment' | undefined
  /**
   * How long a token is asked to be valid, in seconds. Default 900. The client's own tokens are asked for up to
   * a tenth and a minute less, so that no two requests are equal.
   */
  tokenValiditySecs?: number | undefined
  /** Name of the token's field in the token response, with dots for depth. Default: found by itself. */
  tokenField?: string | undefined
  /** Unit of `timestamp` in token requests. Default `'seconds'`. */
  timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** Replaces the operations that the token of a family asks for. */
  operations?: Partial<Record<TokenFamily, readonly string[]>> | undefined
  /** Path of customer account data, with `{idPayin}` in it. Not shown by the specification. */
  customerAccountPath?: string | undefined
  /**
   * Where the status of a payment stands, for waits and callbacks, when your gateway shows it in another place
   * than `process.status`. Default: `statusOf`.
   */
  statusOf?: ((payment: AnyPayment) => string | undefined) | undefined
  /** When a payment counts as final for `waitFor` and `watch`. Default: `isFinal`, or SUCCESS by `statusOf`. */
  isFinal?: ((payment: AnyPayment) => boolean) | undefined
  /** Limit of one attempt, from the permit to the last byte of the body, in milliseconds. Default 30 000. */
  timeoutMs?: number | undefined
  /** Limit of a whole call, every wait and retry included, in milliseconds. Default 120 000. */
  deadlineMs?: number | undefined
  /** How many times more than once a request may be tried. Default 4. */
  retries?: number | undefined
  /**
   * Requests a second (default 10, the gateway's limit), `false` for none, or a limiter of your own.
   * `{ requestsPerSecond, counted }` says how the gateway counts them; without `counted` the client finds out.
   */
  rateLimit?: number | CountedRate | false | Limiter | undefined
  /** How many calls may wait for a permit. Default 10 000. */
  maxQueued?: number | undefined
  /** Largest answer that is read, in bytes. Default 4 194 304. */
  maxResponseBytes?: number | undefined
  /** A `fetch` in place of the built-in transport: msw, the sandbox in process, Workers (a client for each request). */
  fetch?: typeof globalThis.fetch | undefined
  /** An undici dispatcher in place of the client's own pool: a proxy, client certificates. */
  dispatcher?: Dispatcher | undefined
  /** Allows plain http to a host that is not loopback, and through a `dispatcher`. Default false. */
  allowInsecureHttp?: boolean | undefined
  /**
   * Writes one line for each call that failed, was slow or was retried: `console`, pino, or anything
   * with debug, info, warn and error. Default: none.
   */
  logger?: GatewayLogger | undefined
  /** From when on a call counts as slow for the `logger`, in milliseconds. Default 10 000. */
  slowCallMs?: number | undefined
  /** The wall clock, in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined
}

/** Options, checked and defaulted once. Nothing further in looks at what the caller gave. */
export interface Settings {
  readonly origin: string
  /** Path of `baseUrl` without a slash at its end. */
  readonly basePath: string
  readonly merchantCode: string
  readonly credentials: { readonly signer: Signer } | { readonly merchantSecret: string }
  readonly tokens: 'per-family' | 'per-payment'
  readonly tokenValiditySecs: number
  readonly tokenField: string | undefined
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly operations: Readonly<Record<TokenFamily, readonly string[]>>
  readonly customerAccountPath: string | undefined
  readonly statusOf: (payment: AnyPayment) => string | undefined
  readonly isFinal: (payment: AnyPayment) => boolean
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  readonly rateLimit: RateLimit
  readonly maxQueued: number
  readonly maxResponseBytes: number
  readonly fetch: typeof globalThis.fetch | undefined
  readonly dispatcher: Dispatcher | undefined
  readonly logger: GatewayLogger | undefined
  readonly slowCallMs: number
  readonly now: () => number
}

interface Rule {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
}

const text: Rule = { expected: 'a text that is not empty', fits: (v) => typeof v === 'string' && v !== '' }
const duration: Rule = { expected: durationRange, fits: isDuration }
const positive: Rule = { expected: 'a whole number, 1 or more', fits: (v) => isInteger(v) && Number(v) >= 1 }
const functionRule: Rule = { expected: 'a function', fits: (v) => typeof v === 'function' }
const oneOf = (...values: readonly string[]): Rule => ({
  expected: values.map((value) => `"${value}"`).join(' or '),
  fits: (v) => typeof v === 'string' && values.includes(v),
})

const rules: Readonly<Record<keyof ClientOptions, Rule>> = {
  baseUrl: {
    expected: 'an absolute URL such as "https://gateway.example/api"',
    fits: (v) => v instanceof URL || (typeof v === 'string' && URL.canParse(v)),
  },
  merchantCode: {
    expected: 'a text that is not empty, and no key',
    fits: (v) => text.fits(v) && !/-----BEGIN/.test(String(v)),
  },
  privateKey: {
    expected: 'PEM text or a KeyObject',
    fits: (v) => typeof v === 'string' || types.isUint8Array(v) || types.isKeyObject(v),
  },
  privateKeyPassphrase: { expected: 'a text', fits: (v) => typeof v === 'string' },
  signer: { expected: 'an object with a method sign(bytes)', fits: (v) => hasMethod(v, 'sign') },
  merchantSecret: text,
  tokens: oneOf('per-family', 'per-payment'),
  tokenValiditySecs: positive,
  tokenField: text,
  timestampUnit: oneOf('seconds', 'milliseconds'),
  operations: { expected: 'lists of operations for payins, payouts or account', fits: isOperations },
  customerAccountPath: {
    expected: 'a path that starts with "/" and holds {idPayin} once, without dots as segments',
    fits: isCustomerAccountPath,
  },
  statusOf: functionRule,
  isFinal: functionRule,
  timeoutMs: duration,
  deadlineMs: duration,
  retries: { expected: 'a whole number, 0 or more', fits: (v) => isInteger(v) && Number(v) >= 0 },
  rateLimit: { expected: rateLimitRange, fits: isRateLimit },
  maxQueued: positive,
  maxResponseBytes: positive,
  fetch: functionRule,
  dispatcher: { expected: 'an undici dispatcher', fits: (v) => hasMethod(v, 'dispatch') },
  allowInsecureHttp: { expected: 'true or false', fits: (v) => typeof v === 'boolean' },
  logger: {
    expected: 'an object with the methods debug, info, warn and error',
    fits: (v) => ['debug', 'info', 'warn', 'error'].every((level) => hasMethod(v, level)),
  },
  slowCallMs: duration,
  now: functionRule,
}

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readOptions(given: ClientOptions): Settings {
  if (typeof given !== 'object' || given === null) {
    throw new ConfigurationError(
      'the client needs an object of options: baseUrl, merchantCode and privateKey.',
    )
  }
  const options = ownOf(given, names, notAnOption, wrong)
  for (const name of names) checkOption(name, options[name])
  for (const name of ['baseUrl', 'merchantCode'] as const) {
    if (options[name] === undefined) throw wrong(name, `is missing; it must be ${rules[name].expected}`)
  }
  if (options.fetch !== undefined && options.dispatcher !== undefined) {
    throw wrong('dispatcher', 'and fetch exclude each other; give one')
  }
  const url = readBaseUrl(options)
  if (url.protocol === 'https:') warnOfUncheckedCertificates()
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    merchantCode: options.merchantCode,
    credentials: readCredentials(options),
    tokens: options.tokens ?? 'per-family',
    tokenValiditySecs: options.tokenValiditySecs ?? 900,
    tokenField: options.tokenField,
    timestampUnit: options.timestampUnit ?? 'seconds',
    operations: { ...familyOperations, ...options.operations },
    customerAccountPath: options.customerAccountPath,
    statusOf: options.statusOf ?? statusOf,
    isFinal: options.isFinal ?? isFinal,
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    retries: options.retries ?? 4,
    rateLimit: options.rateLimit ?? 10,
    maxQueued: options.maxQueued ?? 10_000,
    maxResponseBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
    fetch: options.fetch,
    dispatcher: options.dispatcher,
    logger: options.logger,
    slowCallMs: options.slowCallMs ?? 10_000,
    now: options.now === undefined ? Date.now : readClock(options.now),
  }
}

const names = Object.keys(rules).filter(isOptionName)

function isOptionName(name: string): name is keyof ClientOptions {
  return Object.hasOwn(rules, name)
}

function notAnOption(name: string): string {
  return `is not an option of the client; the options are ${names.join(', ')}${didYouMean(name, names)}`
}

function checkOption(name: keyof ClientOptions, value: unknown): void {
  if (value !== undefined && !rules[name].fits(value)) throw wrong(name, `must be ${rules[name].expected}`)
}

function readClock(now: () => number): () => number {
  try {
    return steadyClock(now)
  } catch {
    throw wrong('now', 'must be a function that returns milliseconds since 1970; it threw, or gave no number')
  }
}

function readBaseUrl({ baseUrl, allowInsecureHttp = false, dispatcher }: ClientOptions): URL {
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('baseUrl', 'must be https')
  if (url.username !== '' || url.password !== '') {
    throw wrong('baseUrl', 'must not hold a user name or a password: tokens authenticate')
  }
  if (url.search !== '' || url.hash !== '') throw wrong('baseUrl', 'must not have a query or a fragment')
  if (url.protocol === 'https:' || allowInsecureHttp) return url
  if (!isLoopback(url.hostname)) {
    throw wrong(
      'baseUrl',
      'is plain http, which shows tokens to everybody on the way: use https (or allowInsecureHttp)',
    )
  }
  if (dispatcher !== undefined) {
    throw wrong(
      'dispatcher',
      'may take plain http off this machine, and a proxy would read the tokens: use https (or allowInsecureHttp)',
    )
  }
  return url
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function readCredentials(options: ClientOptions): Settings['credentials'] {
  const { privateKey, privateKeyPassphrase, signer, merchantSecret } = options
  const given = Object.entries({ privateKey, signer, merchantSecret }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length === 0)
    throw wrong(
      'privateKey',
      'is missing; give privateKey or signer ("npx merchant-gateway keygen" makes a key)',
    )
  if (given.length > 1) {
    throw wrong(String(given[1]?.[0]), `and ${given[0]?.[0]} exclude each other; give one`)
  }
  // Without a prototype: which of the two it is, is told by which field is in it.
  if (signer !== undefined) return own({ signer })
  if (privateKey !== undefined) return own({ signer: privateKeySigner(privateKey, privateKeyPassphrase) })
  warnOfSecret()
  return own({ merchantSecret: merchantSecret ?? '' })
}

const warned = new Set<string>()

/** Once for each code: clients may be made by the thousand. */
function warnOnce(message: string, type: string, code: string): void {
  if (warned.has(code)) return
  warned.add(code)
  process.emitWarning(message, { type, code })
}

function warnOfSecret(): void {
  warnOnce(
    'merchantSecret is deprecated by the gateway and travels in every token request: use privateKey instead.',
    'DeprecationWarning',
    'MERCHANT_GATEWAY_SECRET',
  )
}

/** Node's own switch, and no option of ours can undo it. */
function warnOfUncheckedCertificates(): void {
  if (ownValue(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return
  warnOnce(
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked in this process, so anybody on the way to the gateway can read tokens and change payments. Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
    'SecurityWarning',
    'MERCHANT_GATEWAY_TLS',
  )
}

function isCustomerAccountPath(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\s?#\\]*$/.test(value)) return false
  const [before, after, ...more] = value.split('{idPayin}')
  const around = `${before}${after}`
  return after !== undefined && more.length === 0 && !/[{}]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(around)
}

function isInteger(value: unknown): boolean {
  return Number.isInteger(value)
}

function isOperations(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([family, list]) =>
      Object.hasOwn(familyOperations, family) &&
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((one) => typeof one === 'string' && /^[A-Z]+ \S+$/.test(one)),
  )
}

function wrong(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option} ${why}${why.endsWith('?') ? '' : '.'}`, { option })
}
