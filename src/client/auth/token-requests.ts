import type { Call, CallLimits, JoinedLimits } from '../http/call.js'
import { credentialOf, type Failed, type Failure, isFailed } from '../http/failure.js'
import type { Http } from '../http/http.js'
import { type GatewayRequest, type GatewayResponse, type SignedBody, shownRoute } from '../http/request.js'
import { clockAheadMs } from '../http/retry-policy.js'
import { toError } from '../http/to-error.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { serialise } from '../input/json.js'
import { warnOnce } from '../input/warn-once.js'
import { anyShape } from '../schemas/account-data.js'
import { DistinctRequests, spreadOf, type Varied } from './distinct-requests.js'
import type { Scope, TokenGrant } from './scopes.js'
import { notASignature, type TokenCredential } from './signer.js'
import type { Minted, TokenMint } from './token-keeper.js'
import { tokenLifetimeMs } from './token-lifetime.js'
import { fieldNames, findToken, longestToken, tokenText } from './token-response.js'
import { decodeToken, isJwt } from './tokens.js'

export interface TokenRequestSettings {
  readonly merchantCode: string
  readonly credentials: TokenCredential
  readonly tokenValiditySecs: number
  readonly tokenField: string | undefined
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly now: () => number
}

/** What varies from attempt to attempt of one token request, as it was sent last. */
interface SentValues {
  validitySecs: number
  /** By how much its timestamp is behind this machine's clock: 0, until the gateway has shown another time. */
  aheadMs: number
}

export interface TokenResponse extends Minted {
  readonly response: GatewayResponse<unknown>
}

const tokenShape = { ...anyShape, fromText: tokenText }

/** Of all clients of the process: several may have the same key. */
const distinct = new DistinctRequests()

interface Wanted {
  readonly name: string
  readonly grant: TokenGrant
  readonly validitySecs: number
  /** Whether it is shortened a little in any case, so that what was minted together doesn't end together. */
  readonly spread: boolean
}

/** Requests to the two token endpoints (specification, section 5). */
export class TokenRequests implements TokenMint<Scope> {
  readonly #http: Http
  readonly #settings: TokenRequestSettings
  /** By how much this machine's clock is ahead of the gateway's, as far as a refused signature has shown it. */
  #aheadMs = 0

  constructor(http: Http, settings: TokenRequestSettings) {
    this.#http = http
    this.#settings = settings
  }

  /** For the caller who asked for a token itself: rejects with a `GatewayError`. `refuse` looks at what came. */
  create(
    name: string,
    grant: TokenGrant,
    validitySecs: number = this.#settings.tokenValiditySecs,
    options: CallOptions | undefined,
    refuse: (token: string) => Error | undefined = () => undefined,
  ): Promise<TokenResponse> {
    const limits = this.#http.limits(options)
    return this.#send({ name, grant, validitySecs, spread: false }, limits, (result) => {
      if (isFailed(result)) throw toError(result)
      const refusal = refuse(result.token)
      // Thrown inside the call, so that its end is published with the error that the caller gets.
      if (refusal !== undefined) throw refusal
      return result
    })
  }

  /** For calls that wait for a cached token: a failure is a value, of which each of them makes its own error. */
  mint({ grant }: Scope, signal: AbortSignal, joined?: JoinedLimits): Promise<Minted | Failed> {
    const validitySecs = this.#settings.tokenValiditySecs
    const limits = this.#http.limits(checkCallOptions({ signal }), joined)
    return this.#send({ name: 'tokens.mint', grant, validitySecs, spread: true }, limits, (result) => result)
  }

  #send<T>(wanted: Wanted, limits: CallLimits, finish: (result: TokenResponse | Failed) => T): Promise<T> {
    const sent: SentValues = { validitySecs: wanted.validitySecs, aheadMs: this.#aheadMs }
    const request = this.#request(wanted, sent)
    const run = async (call: Call) => {
      const response = await this.#http.send(call, request)
      if (isFailed(response)) return finish(response)
      this.#keepClock(sent)
      return finish(this.#read(request, response, sent.validitySecs))
    }
    return this.#http.call(request, limits, run, (end) => (isFailed(end) ? toError(end) : undefined))
  }

  #read(
    request: GatewayRequest<unknown>,
    response: GatewayResponse<unknown>,
    validitySecs: number,
  ): TokenResponse | Failed {
    const { value, headers, attempts } = response
    const token = findToken(value, this.#settings.tokenField)
    if (token === undefined || token.length > longestToken) {
      const tooLong = token !== undefined
      const failure: Failure = { kind: 'no-token', fields: fieldNames(value), tooLong }
      const { about } = request
      const asked = { about, route: shownRoute(request), credential: credentialOf(about), attempts }
      const secrets = this.#http.known.all
      const times = { retryAfterMs: undefined, timeoutMs: 0, deadlineMs: 0, nowMs: this.#settings.now() }
      return { failure, outcome: 'accepted', ...asked, secrets, ...times }
    }
    this.#http.known.tokens.add(token)
    const { iat, exp } = isJwt(token) ? decodeToken(token).claims : {}
    const date = headers.get('date')
    const gatewayNowMs = date === undefined ? Number.NaN : Date.parse(date)
    const lifetimeMs = tokenLifetimeMs({
      validitySecs,
      iat,
      exp,
      gatewayNowMs: Number.isNaN(gatewayNowMs) ? undefined : gatewayNowMs,
    })
    return { token, lifetimeMs, response }
  }

  /** A signature by the gateway's clock was taken: so are those that follow. */
  #keepClock({ aheadMs }: SentValues): void {
    if (aheadMs === this.#aheadMs) return
    this.#aheadMs = aheadMs
    if (aheadMs !== 0) warnOfClock(aheadMs)
  }

  #request({ name, grant, validitySecs, spread }: Wanted, sent: SentValues): GatewayRequest<unknown> {
    const template = Object.hasOwn(grant, 'action') ? '/auth-tokens-by-action' : '/auth-tokens'
    const { credentials } = this.#settings
    let first = true
    return {
      route: { name, method: 'POST', template },
      path: template,
      about: { kind: 'token', credential: 'signer' in credentials ? 'signature' : 'secret' },
      priority: 'token',
      body: (previous) => {
        const vary = spread || !first
        first = false
        if (previous?.kind === 'response' && previous.response.status === 401) {
          sent.aheadMs = clockAheadMs(previous.response.headers.get('date'), this.#settings.now()) ?? 0
        }
        return this.#sign(grant, validitySecs, vary ? Math.random() : 0, sent)
      },
      shape: tokenShape,
    }
  }

  /** Serialises once; what is signed is what is sent (specification, section 5.3). */
  async #sign(
    grant: TokenGrant,
    validitySecs: number,
    vary: number,
    sent: SentValues,
  ): Promise<SignedBody | Failure> {
    const { merchantCode, credentials, now, timestampUnit } = this.#settings
    if ('merchantSecret' in credentials) {
      // No signature that could be taken for a replay.
      sent.validitySecs = validitySecs - Math.floor(vary * spreadOf(validitySecs))
      const body = serialise({
        merchantCode,
        validitySecs: sent.validitySecs,
        ...grant,
        secret: credentials.merchantSecret,
      })
      return { body: Buffer.from(body), headers: {} }
    }
    const nowMs = now()
    const signedMs = nowMs - sent.aheadMs
    const timestamp = Math.floor(timestampUnit === 'seconds' ? signedMs / 1000 : signedMs)
    const bodyOf = (varied: Varied) =>
      serialise({
        merchantCode,
        validitySecs: varied.validitySecs,
        ...grant,
        timestamp: varied.timestamp,
      })
    const picked = distinct.pick({ validitySecs, timestamp }, vary, bodyOf, nowMs)
    sent.validitySecs = picked.validitySecs
    const body = Buffer.from(picked.body)
    try {
      const signature = await credentials.signer.sign(body)
      const gave = notASignature(signature)
      if (gave !== undefined) return { kind: 'signing', cause: undefined, gave }
      return { body, headers: { 'x-signature': Buffer.from(signature).toString('base64') } }
    } catch (cause) {
      return { kind: 'signing', cause }
    }
  }
}

function warnOfClock(aheadMs: number): void {
  const secs = Math.round(Math.abs(aheadMs) / 1000)
  warnOnce(
    `this machine's clock is ${secs} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway's, which refused a signature for it: token requests go by the gateway's clock now. Set this machine's clock right.`,
    'Warning',
    'MERCHANT_GATEWAY_CLOCK',
  )
}
