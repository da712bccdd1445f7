import type { Answer, Call, Prepared, SharedLimits } from '../http/call.js'
import type { CallOptions } from '../http/call-options.js'
import { type Exchange, wordsFor } from '../http/exchange.js'
import { AttemptFailed, CallFailed } from '../http/failure.js'
import { anyShape } from '../schemas/account-data.js'
import { wireJson } from '../schemas/wire-json.js'
import { DistinctRequests, spreadOf, type Varied } from './distinct-requests.js'
import type { Scope, TokenGrant } from './scopes.js'
import type { Signer } from './signer.js'
import type { Minted } from './token-keeper.js'
import { tokenLifetimeMs } from './token-lifetime.js'
import { fieldNames, findToken, longestToken, tokenText } from './token-response.js'
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

/** Of all clients of the process: several may have the same key. */
const distinct = new DistinctRequests()

/** One token request of a caller's, or of the client's own. */
interface Wanted {
  readonly name: string
  readonly grant: TokenGrant
  /** How long the token is to be valid, in seconds. */
  readonly validitySecs: number
  /** Whether it is shortened a little in any case, so that what was minted together doesn't end together. */
  readonly spread: boolean
  readonly options: CallOptions | undefined
  readonly shared?: SharedLimits
}

/** The call, and for how long the last of its requests asked. */
interface TokenCall {
  readonly call: Call<Scope, unknown>
  readonly asked: { validitySecs: number }
}

/** Requests to the two token endpoints (specification, section 5). */
export class TokenRequests {
  readonly #settings: TokenRequestSettings

  constructor(settings: TokenRequestSettings) {
    this.#settings = settings
  }

  /** For the caller who asked for a token itself: rejects with a `GatewayError`. `refuse` looks at what came. */
  async create(
    exchange: Exchange<Scope>,
    name: string,
    grant: TokenGrant,
    validitySecs: number | undefined,
    options: CallOptions | undefined,
    refuse: (token: string) => Error | undefined = () => undefined,
  ): Promise<TokenAnswer> {
    const secs = validitySecs ?? this.#settings.tokenValiditySecs
    const { call, asked } = this.#call({ name, grant, validitySecs: secs, spread: false, options })
    return exchange.watch(call, async (watched) => {
      try {
        const answer = await this.#ask(exchange, watched, asked)
        const refusal = refuse(answer.token)
        if (refusal !== undefined) throw refusal
        return answer
      } catch (error) {
        // In here, so that whoever watches is told of the very error that the caller gets.
        throw error instanceof CallFailed ? wordsFor(error.call, call.meaning) : error
      }
    })
  }

  /** For calls that wait for a cached token: rejects with {@link CallFailed}. */
  mint(
    exchange: Exchange<Scope>,
    { grant }: Scope,
    signal: AbortSignal,
    shared?: SharedLimits,
  ): Promise<Minted> {
    const { call, asked } = this.#call({
      name: 'tokens.mint',
      grant,
      validitySecs: this.#settings.tokenValiditySecs,
      spread: true,
      options: { signal },
      ...(shared === undefined ? {} : { shared }),
    })
    return exchange.watch(call, (watched) => this.#ask(exchange, watched, asked))
  }

  async #ask(
    exchange: Exchange<Scope>,
    call: Call<Scope, unknown>,
    asked: TokenCall['asked'],
  ): Promise<TokenAnswer> {
    const answer = await exchange.ask(call)
    const token = findToken(answer.value, this.#settings.tokenField)
    if (token === undefined || token.length > longestToken) {
      const tooLong = token !== undefined
      throw new CallFailed({
        failure: { kind: 'no-token', fields: fieldNames(answer.value), tooLong },
        evidence: 'certain',
        context: {
          route: call.route,
          attempts: answer.attempts,
          retryAfterMs: undefined,
          timeoutMs: 0,
          deadlineMs: 0,
          nowMs: this.#settings.now(),
          secrets: this.#secrets(),
        },
      })
    }
    const { iat, exp } = isJwt(token) ? decodeToken(token).claims : {}
    const date = answer.headers.get('date')
    const gatewayNowMs = date === undefined ? Number.NaN : Date.parse(date)
    const lifetimeMs = tokenLifetimeMs({
      validitySecs: asked.validitySecs,
      iat,
      exp,
      gatewayNowMs: Number.isNaN(gatewayNowMs) ? undefined : gatewayNowMs,
    })
    return { token, lifetimeMs, answer }
  }

  #call({ name, grant, validitySecs, spread, options, shared }: Wanted): TokenCall {
    const path = Object.hasOwn(grant, 'action') ? '/auth-tokens-by-action' : '/auth-tokens'
    const { credentials } = this.#settings
    const asked = { validitySecs }
    let first = true
    const call: Call<Scope, unknown> = {
      name,
      method: 'POST',
      path,
      route: `POST ${path}`,
      lane: 'token',
      prepare: () => {
        const vary = spread || !first
        first = false
        return this.#prepare(grant, validitySecs, vary ? Math.random() : 0, asked)
      },
      shape: anyShape,
      readText: tokenText,
      credential: 'signer' in credentials ? 'signature' : 'secret',
      secrets: () => this.#secrets(),
      answerIsSecret: true,
      meaning: () => ({ details: {}, sentence: 'no payment was touched by it' }),
      options,
      ...(shared === undefined ? {} : { shared }),
    }
    return { call, asked }
  }

  /** Serialises once; what is signed is what is sent (specification, section 5.3). */
  async #prepare(
    grant: TokenGrant,
    validitySecs: number,
    vary: number,
    asked: TokenCall['asked'],
  ): Promise<Prepared> {
    const { merchantCode, credentials, now, timestampUnit } = this.#settings
    if ('merchantSecret' in credentials) {
      // No signature that could be taken for a replay.
      asked.validitySecs = validitySecs - Math.floor(vary * spreadOf(validitySecs))
      const body = wireJson({
        merchantCode,
        validitySecs: asked.validitySecs,
        ...grant,
        secret: credentials.merchantSecret,
      })
      return { body: Buffer.from(body), headers: {} }
    }
    const nowMs = now()
    const timestamp = Math.floor(timestampUnit === 'seconds' ? nowMs / 1000 : nowMs)
    const bodyOf = (varied: Varied) =>
      wireJson({
        merchantCode,
        validitySecs: varied.validitySecs,
        ...grant,
        timestamp: varied.timestamp,
      })
    const picked = distinct.pick({ validitySecs, timestamp }, vary, bodyOf, nowMs)
    asked.validitySecs = picked.validitySecs
    const body = Buffer.from(picked.body)
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
