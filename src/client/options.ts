import type { Dispatcher } from 'undici'
import type { TokenFamily } from './auth/scopes.js'
import type { Signer } from './auth/signer.js'
import type { TokenCache } from './auth/token-cache.js'
import type { CountedRate, Limiter } from './http/limit/limiter.js'
import type { PrivateKeyInput } from './input/private-key.js'
import type { GatewayLogger } from './observe/logger.js'
import type { StatusRules } from './payments/reading.js'

/** The deprecated way of signing in: the secret, and no key. */
export interface MerchantSecretCredential {
  /**
   * In place of `privateKey`.
   *
   * @deprecated by the gateway (specification, section 5.4); the client warns.
   */
  merchantSecret: string
  /** Not with a secret: one credential is enough. */
  privateKey?: undefined
  /** Belongs to `privateKey`. */
  privateKeyPassphrase?: undefined
  /** Not with a secret: one credential is enough. */
  signer?: undefined
}

/** A key that is elsewhere signs token requests. */
export interface SignerCredential {
  /** In place of `privateKey`: a KMS, an HSM, Vault. */
  signer: Signer
  /** Not with a signer: one credential is enough. */
  privateKey?: undefined
  /** Belongs to `privateKey`. */
  privateKeyPassphrase?: undefined
  /** Not with a signer: one credential is enough. */
  merchantSecret?: undefined
}

/** The merchant's own key signs token requests. */
export interface PrivateKeyCredential {
  /** RSA key of at least 2048 bits that signs token requests: PEM (PKCS#1, PKCS#8, encrypted) or a `KeyObject`. */
  privateKey: PrivateKeyInput
  /** Passphrase of an encrypted `privateKey`. */
  privateKeyPassphrase?: string | undefined
  /** Not with a key: one credential is enough. */
  signer?: undefined
  /** Not with a key: one credential is enough. */
  merchantSecret?: undefined
}

/** How the client shows who it is (specification, section 5): by exactly one of the three. */
export type ClientCredential = MerchantSecretCredential | SignerCredential | PrivateKeyCredential

/**
 * Options of {@link GatewayClient}: its settings, and exactly one of `privateKey`, `signer` and
 * `merchantSecret`. Durations are in milliseconds unless the name says otherwise.
 */
export type ClientOptions = ClientSettings & ClientCredential

/** The options of {@link GatewayClient} beside its credential. */
export interface ClientSettings {
  /** The gateway's base address, for example `https://gateway.example/api`. */
  baseUrl: string | URL
  /** Merchant ID obtained at enrolment. */
  merchantCode: string
  /** One cached token for each family of endpoints (default), or one for each payment (default with a `policySigner`). */
  tokens?: 'per-family' | 'per-payment' | undefined
  /**
   * How long a token is asked to be valid, in seconds. Default 900. The client's own tokens are asked for up to
   * a tenth and a minute less, so that no two requests are equal.
   */
  tokenValiditySecs?: number | undefined
  /**
   * For short-lived processes, which would each request a token: where the client finds those of others, and keeps its
   * own, sealed. Not with a `signer`. Tokens for one payment are not cached. Default: none.
   */
  tokenCache?: TokenCache | undefined
  /** Name of the token's field in the token response, with dots for depth. Default: found by itself. */
  tokenField?: string | undefined
  /** Unit of `timestamp` in token requests. Default `'seconds'`. */
  timestampUnit?: 'seconds' | 'milliseconds' | undefined
  /** Replaces the operations that the token of a family asks for. */
  operations?: Partial<Record<TokenFamily, readonly string[]>> | undefined
  /** Path of customer account data, with `{idPayin}` in it. Not shown by the specification. */
  customerAccountPath?: string | undefined
  /**
   * Where your gateway shows a payment's status, and what its statuses mean. `isPaid`, `isFinal` and `statusOf` follow it
   * for every payment that this client finds, and so do waits, refunds, jobs and callbacks. Without it a
   * status stands in `process.status`, and SUCCESS is paid.
   */
  statuses?: StatusRules | undefined
  /**
   * Whether this client is for real money. With `true`, a test payment (`process.isTest`) is refused by name wherever
   * it is looked up, and never paid; with `false`, a real one is, and no payout is made once one was seen. Without it
   * both pass, and the process is warned once of a test payment with SUCCESS. Default: none.
   */
  live?: boolean | undefined
  /** How many characters an id of a payment may have. Default 255; a UUID has 36. */
  maxIdLength?: number | undefined
  /** Limit of one attempt, from the permit to the last byte of the body, in milliseconds. Default 30 000. */
  timeoutMs?: number | undefined
  /** Limit of a whole call, every wait and retry included, in milliseconds. Default 120 000. */
  deadlineMs?: number | undefined
  /** How many times more than once a request may be tried. Default 4. */
  retries?: number | undefined
  /**
   * Requests a second (default 10, the gateway's limit; a fraction for a share of it), `false` for none, or a
   * limiter of your own.
   * `{ requestsPerSecond, counted }` says how the gateway counts them; without `counted` the client finds out.
   */
  rateLimit?: number | CountedRate | false | Limiter | undefined
  /** How many calls may wait for a permit. Default 10 000. */
  maxQueued?: number | undefined
  /** Largest response that is read, in bytes. Default 1 048 576. */
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

/**
 * What {@link GatewayClient.fromEnv} reads: the address, who the merchant is, and each option of the client that is
 * plain data, as a text or as JSON.
 */
export interface GatewayEnvironment {
  /** The gateway's base address. */
  readonly GATEWAY_BASE_URL?: string | undefined
  /** Merchant ID obtained at enrolment. */
  readonly GATEWAY_MERCHANT_CODE?: string | undefined
  /** PEM; line breaks may be written as `\n`. */
  readonly GATEWAY_PRIVATE_KEY?: string | undefined
  /** Path of a PEM file, in place of GATEWAY_PRIVATE_KEY. */
  readonly GATEWAY_PRIVATE_KEY_FILE?: string | undefined
  /** Passphrase of an encrypted key. */
  readonly GATEWAY_PRIVATE_KEY_PASSPHRASE?: string | undefined
  /** Only without a key. Deprecated by the gateway. */
  readonly GATEWAY_MERCHANT_SECRET?: string | undefined
  /** The option `tokens`: `per-family` or `per-payment`. */
  readonly GATEWAY_TOKENS?: string | undefined
  /** The option `tokenValiditySecs`. */
  readonly GATEWAY_TOKEN_VALIDITY_SECS?: string | undefined
  /** The option `tokenField`. */
  readonly GATEWAY_TOKEN_FIELD?: string | undefined
  /** The option `timestampUnit`: `seconds` or `milliseconds`. */
  readonly GATEWAY_TIMESTAMP_UNIT?: string | undefined
  /** The option `operations`: `{"payouts":["POST /payouts/.*"]}`. */
  readonly GATEWAY_OPERATIONS?: string | undefined
  /** The option `customerAccountPath`. */
  readonly GATEWAY_CUSTOMER_ACCOUNT_PATH?: string | undefined
  /** The option `statuses`: `{"paid":["COMPLETED"]}`. */
  readonly GATEWAY_STATUSES?: string | undefined
  /** The option `live`: `true` or `false`. */
  readonly GATEWAY_LIVE?: string | undefined
  /** The option `maxIdLength`. */
  readonly GATEWAY_MAX_ID_LENGTH?: string | undefined
  /** The option `timeoutMs`. */
  readonly GATEWAY_TIMEOUT_MS?: string | undefined
  /** The option `deadlineMs`. */
  readonly GATEWAY_DEADLINE_MS?: string | undefined
  /** The option `retries`. */
  readonly GATEWAY_RETRIES?: string | undefined
  /** The option `rateLimit`: `5`, `false`, or `{"requestsPerSecond":10,"counted":"evenly-spaced"}`. */
  readonly GATEWAY_RATE_LIMIT?: string | undefined
  /** The option `maxQueued`. */
  readonly GATEWAY_MAX_QUEUED?: string | undefined
  /** The option `maxResponseBytes`. */
  readonly GATEWAY_MAX_RESPONSE_BYTES?: string | undefined
  /** The option `allowInsecureHttp`: `true` or `false`. */
  readonly GATEWAY_ALLOW_INSECURE_HTTP?: string | undefined
  /** The option `slowCallMs`. */
  readonly GATEWAY_SLOW_CALL_MS?: string | undefined
}
