import type { Call, Patience } from '../http/call.js'
import { credentialOf, type Failed, type Failure, isFailed } from '../http/failure.js'
import type { Http } from '../http/http.js'
import {
  type GatewayRequest,
  type GatewayResponse,
  type Scope,
  shownRoute,
  type TokenGrant,
} from '../http/request.js'
import { toError } from '../http/to-error.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { warnOnce } from '../input/warn-once.js'
import { anyShape } from '../schemas/account-data.js'
import { TokenBody, type TokenBodySettings } from './token-body.js'
import type { Minted, TokenMint } from './token-keeper.js'
import { tokenLifetimeMs } from './token-lifetime.js'
import { fieldNames, findToken, longestToken, tokenText } from './token-response.js'
import { decodeToken, isJwt } from './tokens.js'

export interface TokenRequestSettings extends TokenBodySettings {
  readonly tokenValiditySecs: number
  readonly tokenField: string | undefined
}

export interface TokenResponse extends Minted {
  readonly response: GatewayResponse<unknown>
}

const tokenShape = { ...anyShape, fromText: tokenText }

interface Wanted {
  readonly name: string
  readonly grant: TokenGrant
  readonly validitySecs: number
  /** Whether it is shortened a little, so that what was minted together doesn't end together. */
  readonly spread: boolean
}

export class TokenRequests implements TokenMint {
  readonly #http: Http
  readonly #settings: TokenRequestSettings
  /** By how much this machine's clock is ahead of the gateway's, as far as a refused signature has shown it. */
  #aheadMs = 0

  constructor(http: Http, settings: TokenRequestSettings) {
    this.#http = http
    this.#settings = settings
  }

  create(
    name: string,
    grant: TokenGrant,
    validitySecs: number = this.#settings.tokenValiditySecs,
    options: CallOptions | undefined,
    refuse: (token: string) => Error | undefined = () => undefined,
  ): Promise<TokenResponse> {
    return this.#send({ name, grant, validitySecs, spread: false }, options, (result) => {
      if (isFailed(result)) throw toError(result)
      const refusal = refuse(result.token)
      // Inside the call, so that its end is published with this error.
      if (refusal !== undefined) throw refusal
      return result
    })
  }

  /** For calls that wait for a cached token: each makes its own error of a failure. */
  mint({ grant }: Scope, signal: AbortSignal, patience: Patience): Promise<Minted | Failed> {
    const wanted = {
      name: 'tokens.mint',
      grant,
      validitySecs: this.#settings.tokenValiditySecs,
      spread: true,
    }
    return this.#send(wanted, checkCallOptions({ signal }), (result) => result, patience)
  }

  #send<T>(
    wanted: Wanted,
    options: CallOptions | undefined,
    finish: (result: TokenResponse | Failed) => T,
    patience?: Patience,
  ): Promise<T> {
    const { name, grant, validitySecs, spread } = wanted
    const body = new TokenBody(this.#settings, grant, {
      validitySecs,
      aheadMs: this.#aheadMs,
      varies: spread,
    })
    const request = this.#request(name, grant, body)
    const run = async (call: Call) => {
      const response = await this.#http.send(call, request)
      if (isFailed(response)) return finish(response)
      this.#keepClock(body.aheadMs)
      return finish(this.#read(request, response, body.validitySecs))
    }
    const errorOf = (end: T) => (isFailed(end) ? toError(end) : undefined)
    return this.#http.call(request, options, run, { errorOf, ...(patience && { patience }) })
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
  #keepClock(aheadMs: number): void {
    if (aheadMs === this.#aheadMs) return
    this.#aheadMs = aheadMs
    if (aheadMs !== 0) warnOfClock(aheadMs)
  }

  #request(name: string, grant: TokenGrant, body: TokenBody): GatewayRequest<unknown> {
    const template = Object.hasOwn(grant, 'action') ? '/auth-tokens-by-action' : '/auth-tokens'
    const { credentials } = this.#settings
    return {
      route: { name, method: 'POST', template },
      path: template,
      about: { kind: 'token', credential: 'signer' in credentials ? 'signature' : 'secret' },
      priority: 'token',
      body: (previous) => body.make(previous),
      shape: tokenShape,
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
