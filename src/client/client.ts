import { inspect } from 'node:util'
import { scopeRules } from './auth/scopes.js'
import { CachedMint } from './auth/token-cache.js'
import { TokenKeeper } from './auth/token-keeper.js'
import { TokenRequests } from './auth/token-requests.js'
import { optionsFromEnv } from './env.js'
import { Http } from './http/http.js'
import { permitQueue } from './http/limit/rate-limit.js'
import { fetchTransport } from './http/transport/fetch-transport.js'
import { LazyTransport } from './http/transport/transport.js'
import { undiciTransport } from './http/transport/undici-transport.js'
import type { CallOptions } from './input/call-options.js'
import { nodeCrypto } from './input/private-key.js'
import { Observer } from './observe/observer.js'
import type { ClientOptions, GatewayEnvironment } from './options.js'
import {
  CallbackLink,
  type CallbackLookUps,
  type CallbackPort,
  type CallbackReceiving,
} from './payments/callback-link.js'
import { LiveGuard } from './payments/live-guard.js'
import { retrievePayment } from './payments/lookup.js'
import { type FoundPayments, paymentsOf } from './payments/payments.js'
import { isFinal, type PaymentLike, statusOf } from './payments/status.js'
import {
  Currencies,
  MerchantInfoResource,
  PaymentOperators,
  type ResourceParts,
} from './resources/account.js'
import { AuthTokens } from './resources/auth-tokens.js'
import { Balances } from './resources/balances.js'
import { type CustomRequest, customRequest } from './resources/custom-request.js'
import { type PayinPayments, Payins, payinTraits } from './resources/payins.js'
import { type PayoutPayments, Payouts, payoutTraits } from './resources/payouts.js'
import { routes } from './routes.js'
import type { StandardSchema } from './schemas/standard-schema.js'
import { credentialSecrets, derivedKey, tokenCacheKey } from './settings/credentials.js'
import { readOptions, type Settings } from './settings/read-options.js'

/**
 * The gateway, as a merchant's backend talks to it. Make one for the life of the process: it holds
 * the tokens, the connections and the rate limit of ten requests a second.
 *
 * @example
 * const client = new GatewayClient({
 *   baseUrl: 'https://gateway.example',
 *   merchantCode: 'M-0001',
 *   privateKey: readFileSync('merchant.key'),
 * })
 * const payin = await client.payins.create({ … })
 * await client.close()
 */
export class GatewayClient {
  /** Tokens for calls of your own, and for browsers. */
  readonly authTokens: AuthTokens
  /** Incoming payments. */
  readonly payins: Payins
  /** Outgoing payments. */
  readonly payouts: Payouts
  /** The merchant, as the platform knows it. */
  readonly merchantInfo: MerchantInfoResource
  /** The merchant's balances. */
  readonly balances: Balances
  /** The currencies of the gateway. */
  readonly currencies: Currencies
  /** The payment operators of the gateway. */
  readonly paymentOperators: PaymentOperators
  readonly #parts: ResourceParts
  readonly #http: Http
  readonly #credentials: Settings['credentials']
  readonly #baseUrl: string
  readonly #merchantCode: string
  readonly #callbacks = new CallbackLink()
  readonly #payins: PayinPayments
  readonly #payouts: PayoutPayments

  /**
   * @throws naming the option that is unknown, missing or wrong. Nothing is
   * sent, opened or started ({@link ConfigurationError}).
   */
  constructor(options: ClientOptions) {
    const settings = readOptions(options)
    const observer = new Observer(settings)
    this.#baseUrl = settings.origin + settings.basePath
    this.#merchantCode = settings.merchantCode
    const permits = permitQueue(settings.rateLimit, settings.maxQueued, observer, () => this.account)
    const secrets = credentialSecrets(settings.credentials)
    const http = new Http(transportOf(settings), permits, { ...settings, secrets }, observer)
    // Field by field, as in the parts: who kept the settings would keep a third of what a client weighs.
    const { merchantCode, credentials, tokenValiditySecs, tokenField, timestampUnit, now } = settings
    const signing = { merchantCode, credentials, tokenValiditySecs, tokenField, timestampUnit, now }
    const requests = new TokenRequests(http, signing)
    const { tokenCache: cache, origin, basePath } = settings
    const identity = { origin, basePath, merchantCode, tokenValiditySecs }
    const secret = () => tokenCacheKey(credentials)
    const mint =
      cache === undefined
        ? requests
        : new CachedMint({ cache, identity, secret, requests, now, closing: http.closing, observer })
    const tokens = new TokenKeeper(mint, observer)
    const parts = { http, tokens, scopes: scopeRules(settings) }
    const liveGuard = new LiveGuard(settings.live, (why) => http.withhold(routes.payout.create, why))
    const { maxIdLength } = settings
    const paymentParts = { ...parts, callbacks: this.#callbacks, maxIdLength, liveGuard }
    this.#credentials = settings.credentials
    this.#http = http
    this.#parts = parts
    this.authTokens = new AuthTokens(requests)
    this.#payins = paymentsOf(payinTraits, paymentParts, settings)
    this.#payouts = paymentsOf(payoutTraits, paymentParts, settings)
    this.payins = new Payins(this.#payins, parts, this.#payouts, settings.customerAccountPath)
    this.payouts = new Payouts(this.#payouts)
    this.merchantInfo = new MerchantInfoResource(parts)
    this.balances = new Balances(parts)
    this.currencies = new Currencies(parts)
    this.paymentOperators = new PaymentOperators(parts)
  }

  /**
   * A client configured by GATEWAY_BASE_URL, GATEWAY_MERCHANT_CODE, GATEWAY_PRIVATE_KEY or GATEWAY_PRIVATE_KEY_FILE,
   * and by a variable for each other option that is plain data, such as GATEWAY_TIMEOUT_MS ({@link GatewayEnvironment}).
   * What `options` says goes before the environment.
   *
   * @throws naming the variable that is missing or wrong ({@link ConfigurationError}).
   * @example
   * const client = GatewayClient.fromEnv({ timeoutMs: 10_000 })
   */
  static fromEnv(options: Partial<ClientOptions> = {}, env: GatewayEnvironment = process.env): GatewayClient {
    return new GatewayClient(optionsFromEnv(options, env))
  }

  /**
   * Names this merchant at this base address, for stores that several merchants or gateways share: a hash of 22
   * characters, the same in each client of the two, and no secret.
   *
   * @example
   * await redis.set(`shop:${client.account}:last-close`, closedAt)
   */
  get account(): string {
    return accountOf(this.#baseUrl, this.#merchantCode)
  }

  /**
   * Any other path of the gateway, with the same tokens, limit, limits and errors as the named
   * methods. Only GET is sent again after an attempt that may have been processed, unless
   * `idempotent` says otherwise.
   *
   * @throws for another origin: the token goes nowhere else ({@link InvalidInputError}).
   * @example
   * const report = await client.request({
   *   method: 'GET',
   *   path: '/reports/2026-11',
   *   operations: [operation('GET', '/reports/.*')],
   *   response: z.object({ total: z.number() }),
   * })
   */
  request<Output>(
    request: CustomRequest<Output> & { response: StandardSchema<Output> },
    options?: CallOptions,
  ): Promise<Output>
  /** The same without a schema: the response is whatever JSON came; undefined for an empty one. */
  request(request: CustomRequest & { response?: undefined }, options?: CallOptions): Promise<unknown>
  request(request: CustomRequest, options?: CallOptions): Promise<unknown> {
    return customRequest(this.#parts, request, options)
  }

  /**
   * Attaches a receiver of callbacks: creates without a `callbackUrl` get the receiver's, and waits
   * poll less while callbacks arrive. `CallbackReceiver` does this by itself.
   *
   * @throws where one is attached already ({@link ConfigurationError}).
   * @example
   * const port = client.attachCallbacks({ urlFor: (kind, id) => myUrlFor(kind, id), arrive: () => false })
   */
  attachCallbacks(receiving: CallbackReceiving): CallbackPort {
    this.#callbacks.attach(receiving)
    this.#http.known.addReceiver(receiving.secrets?.() ?? [])
    return {
      payin: lookUpsOf(this.#payins),
      payout: lookUpsOf(this.#payouts),
      isFinal,
      statusOf,
    }
  }

  /**
   * Derives a key of 32 bytes from the signing key, for what this merchant's processes keep in a store that others
   * may read or write: the same bytes in each client of the key, and others for another purpose.
   *
   * @param purpose what it is for, in words of yours.
   * @returns undefined where the signing key is not in this process: with a `signer` or a `merchantSecret`.
   * @example
   * const key = client.deriveKey('exports of our reports')
   */
  deriveKey(purpose: string): Uint8Array | undefined {
    return derivedKey(this.#credentials, purpose)
  }

  /**
   * Ends the client. Calls that wait are refused; what is on the wire comes to its end first, within
   * its own limits, so that no payment is left in doubt. Calling it twice does no harm.
   *
   * @example
   * await client.close()
   */
  close(): Promise<void> {
    return this.#http.close()
  }

  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** The base address; never a credential. */
  toJSON(): Record<string, unknown> {
    return { baseUrl: this.#baseUrl }
  }

  /** What `console.log` prints: never a credential. */
  [inspect.custom](): string {
    return `GatewayClient { baseUrl: '${this.#baseUrl}', credentials: [redacted] }`
  }
}

function accountOf(baseUrl: string, merchantCode: string): string {
  const named = JSON.stringify([baseUrl, merchantCode])
  return nodeCrypto().createHash('sha256').update(named).digest('base64url').slice(0, 22)
}

/** Without a limiter nothing else keeps a burst from opening a connection for each of its requests. */
const unlimitedConnections = 64

function transportOf({
  origin,
  maxResponseBytes,
  timeoutMs,
  fetch,
  dispatcher,
  rateLimit,
}: Settings): LazyTransport {
  if (fetch !== undefined) {
    return new LazyTransport(async () => fetchTransport({ origin, maxResponseBytes, fetch }))
  }
  // With a limiter, a request that has its permit must not wait: it would arrive later than was counted.
  const maxConnections = rateLimit === false ? unlimitedConnections : Number.POSITIVE_INFINITY
  return new LazyTransport(() =>
    undiciTransport({ origin, maxResponseBytes, timeoutMs, dispatcher, maxConnections }),
  )
}

function lookUpsOf<P extends PaymentLike>(payments: FoundPayments<P>): CallbackLookUps<P> {
  return {
    lookUp: (id, flow, options, onSent) => retrievePayment(payments, id, options, flow, onSent),
    seen: (id, payment) => payments.listeners.notify(id, payment),
    changed: (id) => payments.listeners.notify(id, undefined),
  }
}
