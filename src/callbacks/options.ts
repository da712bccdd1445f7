import {
  ConfigurationError,
  type GatewayClient,
  type Payin,
  type PaymentKind,
  type Payout,
} from '../index.js'
import { hasMethod, own } from './own.js'
import { MemorySeenStore, type SeenStore } from './seen.js'
import type { Binding } from './signed-path.js'

/** What the merchant's function gets beside the payment. */
export interface DeliveryContext {
  /** Whether the status differs from the one that this function dealt with last. */
  readonly news: boolean
  /** Fires after `functionTimeoutMs`; the callback is then answered 500. */
  readonly signal: AbortSignal
}

/** What `onPayin` gets beside the payin. */
export interface PayinDeliveryContext extends DeliveryContext {
  /** Your id of the payin. */
  readonly idPayin: string
}

/** What `onPayout` gets beside the payout. */
export interface PayoutDeliveryContext extends DeliveryContext {
  /** Your id of the payout. */
  readonly idPayout: string
}

/** What went wrong with one callback. Never the payment itself. */
export interface CallbackFailure {
  /** Which of the two functions it was for. */
  readonly kind: PaymentKind
  /** The payment's id. */
  readonly id: string
  /** What went wrong: looking the payment up, your function, or the `seen` store. */
  readonly during: 'look-up' | 'function' | 'seen-store'
}

/** Options of {@link CallbackReceiver}. Durations are in milliseconds. */
export interface CallbackReceiverOptions {
  /** The client that looks payments up. The receiver attaches itself to it. */
  client: Pick<GatewayClient, 'attachCallbacks'>
  /** Where the gateway reaches this receiver, without the last segment: `https://shop.example/gateway/callbacks`. */
  publicUrl: string | URL
  /**
   * Secrets of at least 32 random bytes. The first signs, all verify, so that keys can rotate. Default: the
   * environment variable GATEWAY_CALLBACK_SECRET, several with commas between them.
   */
  secrets?: readonly (string | Uint8Array)[] | undefined
  /**
   * Name of the environment that URLs are bound to, in place of `publicUrl`: `'production'`. The URLs of another
   * environment are then refused, also with the same secret, and those of this one stay good when it moves.
   */
  environment?: string | undefined
  /** Where the receiver was reached before: URLs that are bound to these stay good. */
  previousPublicUrls?: readonly (string | URL)[] | undefined
  /**
   * What becomes of URLs in the form of version 0.1.0, which are bound to no address: `'accept'` (default) takes
   * those of payments that were created before; `'refuse'` doesn't, once none of these can still change; `'sign'` also
   * makes them, as long as a process of 0.1.0 receives callbacks beside this one.
   */
  unboundUrls?: 'sign' | 'accept' | 'refuse' | undefined
  /**
   * Called with a payin that changed, at least once. Make it idempotent: change the order's status and
   * all that follows from it in one transaction, and only where it is not that already. When it rejects,
   * the gateway is answered 500.
   */
  onPayin?: ((payin: Payin, context: PayinDeliveryContext) => unknown) | undefined
  /** Called with a payout that changed, at least once, as `onPayin` is with payins. */
  onPayout?: ((payout: Payout, context: PayoutDeliveryContext) => unknown) | undefined
  /** Told of look-ups that failed, functions that rejected, and stores that failed. Default: a process warning. */
  onError?: ((error: unknown, failure: CallbackFailure) => void) | undefined
  /** Remembers what your functions have dealt with. Default: the newest ten thousand payments, in memory. */
  seen?: SeenStore | undefined
  /**
   * How long the gateway waits for the look-up, in milliseconds, before it is answered 503. The look-up goes on.
   * Default 4000: who calls back seldom waits for more than five seconds.
   */
  lookupDeadlineMs?: number | undefined
  /** How long your function, and each use of the `seen` store, may take, in milliseconds. Default 30 000. */
  functionTimeoutMs?: number | undefined
  /** How many payments may wait for their look-up or function; the next is answered 503. Default 1000. */
  maxPending?: number | undefined
  /** Allows a plain http `publicUrl` that is not loopback. Default false. */
  allowInsecureHttp?: boolean | undefined
}

export interface CallbackSettings {
  /** `publicUrl` without a slash at its end. */
  readonly publicUrl: string
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]]
  readonly binding: Binding
  readonly onPayin: CallbackReceiverOptions['onPayin']
  readonly onPayout: CallbackReceiverOptions['onPayout']
  readonly onError: (error: unknown, failure: CallbackFailure) => void
  readonly seen: SeenStore
  readonly lookupDeadlineMs: number
  readonly functionTimeoutMs: number
  readonly maxPending: number
}

const names = new Set<string>([
  'client',
  'publicUrl',
  'secrets',
  'environment',
  'previousPublicUrls',
  'unboundUrls',
  'onPayin',
  'onPayout',
  'onError',
  'seen',
  'lookupDeadlineMs',
  'functionTimeoutMs',
  'maxPending',
  'allowInsecureHttp',
] satisfies (keyof CallbackReceiverOptions)[])

/** @throws {ConfigurationError} naming the option. */
export function readCallbackOptions(given: CallbackReceiverOptions): CallbackSettings {
  if (typeof given !== 'object' || given === null) {
    throw new ConfigurationError('the receiver needs an object of options: client, publicUrl and secrets.')
  }
  const options = own(given)
  const unknown = Object.keys(options).find((name) => !names.has(name))
  if (unknown !== undefined) {
    throw wrong(unknown, `is not an option of the receiver; the options are ${[...names].join(', ')}`)
  }
  if (!hasMethod(options.client, 'attachCallbacks')) throw wrong('client', 'must be a GatewayClient')
  const { seen = new MemorySeenStore() } = options
  if (!hasMethod(seen, 'get') || !hasMethod(seen, 'set')) {
    throw wrong('seen', 'must be an object with the methods get and set')
  }
  const publicUrl = readPublicUrl('publicUrl', options.publicUrl, options.allowInsecureHttp === true)
  return {
    publicUrl,
    binding: readBinding(publicUrl, options),
    secrets: readSecrets(options.secrets ?? secretsFromEnv()),
    onPayin: optionalFunction('onPayin', options.onPayin),
    onPayout: optionalFunction('onPayout', options.onPayout),
    onError: optionalFunction('onError', options.onError) ?? warn,
    seen,
    lookupDeadlineMs: duration('lookupDeadlineMs', options.lookupDeadlineMs, 4000),
    functionTimeoutMs: duration('functionTimeoutMs', options.functionTimeoutMs, 30_000),
    maxPending: count('maxPending', options.maxPending, 1000),
  }
}

/** URLs that are bound to an address stay good when an environment gets its name. */
function readBinding(
  publicUrl: string,
  { environment, previousPublicUrls = [], unboundUrls = 'accept' }: CallbackReceiverOptions,
): Binding {
  if (environment !== undefined && !(typeof environment === 'string' && /^[\w.-]{1,100}$/.test(environment)))
    throw wrong('environment', 'must be a name of letters, digits, dots, dashes and underscores')
  if (!Array.isArray(previousPublicUrls)) throw wrong('previousPublicUrls', 'must be a list of URLs')
  if (!['sign', 'accept', 'refuse'].includes(unboundUrls))
    throw wrong('unboundUrls', 'must be "sign", "accept" or "refuse"')
  const previous = previousPublicUrls.map((url: unknown) => readPublicUrl('previousPublicUrls', url, true))
  const urls = previous.map((url) => `url ${url}`)
  const own = `url ${publicUrl}`
  return {
    places: environment === undefined ? [own, ...urls] : [`environment ${environment}`, own, ...urls],
    unbound: unboundUrls,
  }
}

function readPublicUrl(option: string, publicUrl: unknown, allowInsecureHttp: boolean): string {
  const text = String(publicUrl)
  if (publicUrl === undefined || !URL.canParse(text)) throw wrong(option, 'must be an absolute URL')
  const { protocol, hostname, username, search, hash, origin, pathname } = new URL(text)
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && (loopback || allowInsecureHttp))) {
    throw wrong(option, 'must be https: whoever reads the URL on its way can call it')
  }
  if (username !== '' || search !== '' || hash !== '') {
    throw wrong(option, 'must not have a user name, a query or a fragment')
  }
  return origin + pathname.replace(/\/+$/, '')
}

const leastSecretBytes = 32
/** A secret of 32 random bytes has about thirty, and one of 64 random hex digits sixteen. */
const leastDifferentBytes = 8

function readSecrets(secrets: unknown): readonly [Uint8Array, ...Uint8Array[]] {
  if (!Array.isArray(secrets)) throw wrong('secrets', 'must be a list: the one that signs first')
  const bytes = secrets.map((secret: unknown) => {
    if (typeof secret === 'string') return new TextEncoder().encode(secret)
    if (secret instanceof Uint8Array) return Uint8Array.from(secret)
    throw wrong('secrets', `must hold texts or bytes, and one is ${typeof secret}; is its variable set?`)
  })
  if (bytes.some(({ length }) => length < leastSecretBytes)) {
    throw wrong(
      'secrets',
      `must each have at least ${leastSecretBytes} bytes; "openssl rand -hex 32" makes one`,
    )
  }
  if (bytes.some((secret) => new Set(secret).size < leastDifferentBytes)) {
    throw wrong(
      'secrets',
      `must each be random, and one has fewer than ${leastDifferentBytes} different bytes; "openssl rand -hex 32" makes one`,
    )
  }
  const [first, ...others] = bytes
  if (first === undefined) {
    throw wrong('secrets', 'are missing; give the option or set GATEWAY_CALLBACK_SECRET')
  }
  return [first, ...others]
}

function secretsFromEnv(): string[] {
  const { env } = process
  const secrets = Object.hasOwn(env, 'GATEWAY_CALLBACK_SECRET') ? env.GATEWAY_CALLBACK_SECRET : undefined
  return (secrets ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}

function optionalFunction<F>(name: string, value: F): F {
  if (value !== undefined && typeof value !== 'function') throw wrong(name, 'must be a function')
  return value
}

function duration(name: string, value: unknown, byDefault: number): number {
  if (value === undefined) return byDefault
  if (typeof value === 'number' && value >= 1 && value < 2 ** 31) return value
  throw wrong(name, 'must be a number of milliseconds, 1 or more')
}

function count(name: string, value: unknown, byDefault: number): number {
  if (value === undefined) return byDefault
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value
  throw wrong(name, 'must be a whole number, 1 or more')
}

/** Without the error's message, which is the merchant's and may name a customer. */
function warn(error: unknown, { kind, id, during }: CallbackFailure): void {
  const name = error instanceof Error ? error.name : typeof error
  process.emitWarning(
    `the callback for ${kind} ${id} failed (${during}: ${name}) and was not answered with success; give onError to learn more.`,
    { type: 'MerchantGatewayCallback', code: 'MERCHANT_GATEWAY_CALLBACK' },
  )
}

function wrong(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option} ${why}.`, { option })
}
