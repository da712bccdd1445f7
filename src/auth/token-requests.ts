import type { Answer, Call, CallOptions, Prepared } from '../http/call.js'
import { type Exchange, wordsFor } from '../http/exchange.js'
import { AttemptFailed, CallFailed } from '../http/failure.js'
import { anyShape } from '../schemas/account-data.js'
import type { Scope, TokenGrant } from './scopes.js'
import type { Signer } from './signer.js'
import type { Minted } from './token-keeper.js'
import { tokenLifetimeMs } from './token-lifetime.js'
import { fieldNames, findToken } from './token-response.js'
import { decodeToken, isJwt } from './tokens.js'

export interface TokenRequestSettings {
  readonly merchantCode: string
  readonly credentials: { readonly signer: Signer } | { readonly merchantSecret: string }
  readonly tokenValiditySecs: number
  readonly tokenField: string | undefined
  readonly timestampUnit: 'seconds' | 'milliseconds'
  readonly now: () => number
}

/** A minted token together with the answer that it came in. */
export interface TokenAnswer extends Minted {
  readonly answer: Answer<unknown>
}

/** Requests to the two token endpoints (specification, section 5). */
export class TokenRequests {
  readonly #settings: TokenRequestSettings

  constructor(settings: TokenRequestSettings) {
    this.#settings = settings
  }

  /** For the caller who asked for a token itself: rejects with a `GatewayError`. */
  async create(
    exchange: Exchange<Scope>,
    name: string,
    grant: TokenGrant,
    validitySecs: number | undefined,
    options: CallOptions | undefined,
  ): Promise<TokenAnswer> {
    const call = this.#call(name, grant, validitySecs ?? this.#settings.tokenValiditySecs, options)
    return exchange.watch(call, async (watched) => {
      try {
        return await this.#ask(exchange, watched, validitySecs)
      } catch (error) {
        // In here, so that whoever watches is told of the very error that the caller gets.
        throw error instanceof CallFailed ? wordsFor(error.call, call.meaning) : error
      }
    })
  }

  /** For calls that wait for a cached token: rejects with {@link CallFailed}. */
  mint(exchange: Exchange<Scope>, { grant }: Scope, signal: AbortSignal): Promise<Minted> {
    const call = this.#call('tokens.mint', grant, this.#settings.tokenValiditySecs, { signal })
    return exchange.watch(call, (watched) => this.#ask(exchange, watched, undefined))
  }

  async #ask(
    exchange: Exchange<Scope>,
    call: Call<Scope, unknown>,
    validitySecs = this.#settings.tokenValiditySecs,
  ): Promise<TokenAnswer> {
    const answer = await exchange.ask(call)
    const token = findToken(answer.value, this.#settings.tokenField)
    if (token === undefined) {
      throw new CallFailed({
        failure: { kind: 'no-token', fields: fieldNames(answer.value) },
        evidence: 'certain',
        context: {
          route: call.route,
          attempts: answer.attempts,
          retryAfterMs: undefined,
          timeoutMs: 0,
          deadlineMs: 0,
          nowMs: this.#settings.now(),
          secrets: [],
        },
      })
    }
    const claims = isJwt(token) ? decodeToken(token).claims : {}
    const date = answer.headers.get('date')
    const gatewayNowMs = date === undefined ? Number.NaN : Date.parse(date)
    const lifetimeMs = tokenLifetimeMs({
      validitySecs,
      iat: typeof claims.iat === 'number' ? claims.iat : undefined,
      exp: typeof claims.exp === 'number' ? claims.exp : undefined,
      gatewayNowMs: Number.isNaN(gatewayNowMs) ? undefined : gatewayNowMs,
    })
    return { token, lifetimeMs, answer }
  }

  #call(
    name: string,
    grant: TokenGrant,
    validitySecs: number,
    options: CallOptions | undefined,
  ): Call<Scope, unknown> {
    const path = 'action' in grant ? '/auth-tokens-by-action' : '/auth-tokens'
    return {
      name,
      method: 'POST',
      path,
      route: `POST ${path}`,
      lane: 'token',
      prepare: () => this.#prepare(grant, validitySecs),
      shape: anyShape,
      secrets: () => this.#secrets(),
      meaning: () => ({ details: {}, sentence: 'no payment was touched by it' }),
      options,
    }
  }

  /** Serialises once; what is signed is what is sent (specification, section 5.3). */
  async #prepare(grant: TokenGrant, validitySecs: number): Promise<Prepared> {
    const { merchantCode, credentials, now, timestampUnit } = this.#settings
    if ('merchantSecret' in credentials) {
      const body = JSON.stringify({
        merchantCode,
        validitySecs,
        ...grant,
        secret: credentials.merchantSecret,
      })
      return { body: Buffer.from(body), headers: {} }
    }
    const timestamp = Math.floor(timestampUnit === 'seconds' ? now() / 1000 : now())
    const body = Buffer.from(JSON.stringify({ merchantCode, validitySecs, ...grant, timestamp }))
    try {
      const signature = await credentials.signer.sign(body)
      return { body, headers: { 'x-signature': Buffer.from(signature).toString('base64') } }
    } catch (cause) {
      throw new AttemptFailed({ kind: 'signing', cause })
    }
  }

  #secrets(): string[] {
    const { credentials } = this.#settings
    return 'merchantSecret' in credentials ? [credentials.merchantSecret] : []
  }
}
