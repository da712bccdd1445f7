import {
  ConfigurationError,
  type GatewayClient,
  type Payin,
  type PaymentKind,
  type Payout,
} from '../index.js'
import { MemorySeenStore, type SeenStore } from './seen.js'

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
   * Secrets of at least 32 bytes. The first signs, all verify, so that keys can rotate. Default: the
   * environment variable GATEWAY_CALLBACK_SECRET, several with commas between them.
   */
  secrets?: readonly (string | Uint8Array)[] | undefined
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
   * Default 10 000.
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
export function readCallbackOptions(options: CallbackReceiverOptions): CallbackSettings {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError('the receiver needs an object of options: client, publicUrl and secrets.')
  }
  const unknown = Object.keys(options).find((name) => !names.has(name))
  if (unknown !== undefined) {
    throw wrong(unknown, `is not an option of the receiver; the options are ${[...names].join(', ')}`)
  }
  if (typeof options.client?.attachCallbacks !== 'function') throw wrong('client', 'must be a GatewayClient')
  const { seen = new MemorySeenStore() } = options
  if (typeof seen.get !== 'function' || typeof seen.set !== 'function') {
    throw wrong('seen', 'must be an object with the methods get and set')
  }
  return {
    publicUrl: readPublicUrl(options.publicUrl, options.allowInsecureHttp === true),
    secrets: readSecrets(options.secrets ?? secretsFromEnv()),
    onPayin: optionalFunction('onPayin', options.onPayin),
    onPayout: optionalFunction('onPayout', options.onPayout),
    onError: optionalFunction('onError', options.onError) ?? warn,
    seen,
    lookupDeadlineMs: duration('lookupDeadlineMs', options.lookupDeadlineMs, 10_000),
    functionTimeoutMs: duration('functionTimeoutMs', options.functionTimeoutMs, 30_000),
    maxPending: count('maxPending', options.maxPending, 1000),
  }
}

function readPublicUrl(publicUrl: unknown, allowInsecureHttp: boolean): string {
  const text = String(publicUrl)
  if (publicUrl === undefined || !URL.canParse(text)) throw wrong('publicUrl', 'must be an absolute URL')
  const { protocol, hostname, username, search, hash, origin, pathname } = new URL(text)
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && (loopback || allowInsecureHttp))) {
    throw wrong('publicUrl', 'must be https: whoever reads the URL on its way can call it')
  }
  if (username !== '' || search !== '' || hash !== '') {
    throw wrong('publicUrl', 'must not have a user name, a query or a fragment')
  }
  return origin + pathname.replace(/\/+$/, '')
}

const leastSecretBytes = 32

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
  const [first, ...others] = bytes
  if (first === undefined) {
    throw wrong('secrets', 'are missing; give the option or set GATEWAY_CALLBACK_SECRET')
  }
  return [first, ...others]
}

function secretsFromEnv(): string[] {
  const { GATEWAY_CALLBACK_SECRET = '' } = process.env
  return GATEWAY_CALLBACK_SECRET.split(',')
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
