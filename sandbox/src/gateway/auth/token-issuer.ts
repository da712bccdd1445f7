import type { webcrypto } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import { BoundedMap } from '../memory/bounded-map.js'
import type { RefusalCode } from '../wire/refusal-meanings.js'
import { Refusal } from '../wire/response.js'
import { compileScope, type Permits, type Scope, scopeOf } from './scope.js'

/** What the sandbox remembers of a token, for its log and its page. */
export interface TokenFacts {
  readonly idToken: string
  readonly expiresAtMs: number
  readonly scope: Scope
}

/** A token that was verified; kept, so that the next request with it needs no verification. */
export interface Grant extends TokenFacts {
  readonly epoch: number
  readonly permits: Permits
}

const MAX_REMEMBERED = 10_000
const MAX_REMEMBERED_BYTES = 32 * 1024 * 1024
const MAX_REVOKED = 100_000
/** A longer one fits into no request: servers take 8 to 16 KiB of headers. */
const MAX_TOKEN_LENGTH = 8 * 1024
/** Of what is remembered, for each character of a token: the token itself, its claims and its patterns. */
const BYTES_OF_A_CHARACTER = 10
const EPOCH = 'sandbox_epoch'
/** In place of `exp`, for a gateway whose tokens don't say when they end. */
const UNTIL = 'sandbox_until'

/** Mints, verifies and revokes the access tokens of one sandbox: real JWTs (section 5), with a key of its own. */
export class TokenIssuer {
  readonly #clock: Clock
  readonly #random: Random
  readonly #endClaim: 'exp' | typeof UNTIL
  readonly #secret: Uint8Array<ArrayBuffer>
  #key: Promise<webcrypto.CryptoKey> | undefined
  readonly #grants = new BoundedMap<Grant>(MAX_REMEMBERED, MAX_REMEMBERED_BYTES)
  readonly #revoked = new BoundedMap<true>(MAX_REVOKED)
  #epoch = 0

  constructor(clock: Clock, random: Random, statesItsEnd = true) {
    this.#endClaim = statesItsEnd ? 'exp' : UNTIL
    this.#clock = clock
    this.#random = random
    this.#secret = new Uint8Array(random.bytes(32))
  }

  /** @throws Refusal 400 for a scope that can't be matched, or that no token can carry */
  async mint(merchantCode: string, validitySecs: number, scope: Scope): Promise<string> {
    const permits = compileScope(scope)
    const issuedAt = Math.floor(this.#clock.now() / 1000)
    const idToken = Buffer.from(this.#random.bytes(16)).toString('hex')
    const epoch = this.#epoch
    const token = await new SignJWT({
      ...scope,
      [EPOCH]: epoch,
      iss: 'merchant-gateway-sandbox',
      sub: merchantCode,
      jti: idToken,
      iat: issuedAt,
      [this.#endClaim]: issuedAt + validitySecs,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(await this.#imported())
    if (token.length > MAX_TOKEN_LENGTH) {
      const message = `The token would have ${token.length} characters, and at most ${MAX_TOKEN_LENGTH} fit into a header.`
      throw new Refusal(400, 'TOKEN_TOO_LARGE', message)
    }
    this.#remember(token, { idToken, epoch, expiresAtMs: (issuedAt + validitySecs) * 1000, scope }, permits)
    return token
  }

  /**
   * What an Authorization header allows.
   * @throws Refusal 401 for no token, a garbled, forged, expired or revoked one
   */
  async verify(authorization: string | undefined): Promise<Grant> {
    const token = bearerToken(authorization)
    if (token === undefined) throw unauthorised('TOKEN_MISSING', 'Authorization: Bearer <token> is missing.')
    const grant = this.#grants.get(token) ?? (await this.#inspect(token))
    if (this.#clock.now() >= grant.expiresAtMs)
      throw unauthorised('TOKEN_EXPIRED', 'The access token has expired.')
    if (grant.epoch !== this.#epoch || this.#revoked.has(grant.idToken)) {
      throw unauthorised('TOKEN_REVOKED', 'The access token has been revoked.')
    }
    return grant
  }

  /** What is remembered of a token, expired and revoked ones included; nothing is verified. */
  factsOf(token: string | undefined): TokenFacts | undefined {
    const grant = token === undefined ? undefined : this.#grants.get(token)
    // Not the grant itself: the log would keep its compiled patterns in memory.
    return grant && { idToken: grant.idToken, expiresAtMs: grant.expiresAtMs, scope: grant.scope }
  }

  async revoke(token: string): Promise<void> {
    const grant = this.#grants.get(token) ?? (await this.#inspect(token))
    this.#revoked.set(grant.idToken, true)
  }

  revokeAll(): void {
    this.#epoch += 1
    this.#revoked.clear()
    this.#grants.clear()
  }

  async #inspect(token: string): Promise<Grant> {
    try {
      // `verify` checks the expiry, and answers an expired token otherwise than a forged one.
      const { payload } = await jwtVerify(token, await this.#imported(), {
        algorithms: ['HS256'],
        currentDate: new Date(0),
      })
      const scope = scopeOf(payload)
      const idToken = payload.jti ?? ''
      const facts = {
        idToken,
        epoch: Number(payload[EPOCH]),
        expiresAtMs: Number(payload[this.#endClaim] ?? 0) * 1000,
        scope,
      }
      return this.#remember(token, facts, compileScope(scope))
    } catch (error) {
      const isForged = error instanceof errors.JWSSignatureVerificationFailed
      throw unauthorised(
        'TOKEN_INVALID',
        isForged ? 'The access token is not ours.' : 'The access token is garbled.',
      )
    }
  }

  /** Once: jose would import the bytes for every token. */
  #imported(): Promise<webcrypto.CryptoKey> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    this.#key ??= crypto.subtle.importKey('raw', this.#secret, algorithm, false, ['sign', 'verify'])
    return this.#key
  }

  #remember(token: string, facts: TokenFacts & { epoch: number }, permits: Permits): Grant {
    const grant = { ...facts, permits }
    this.#grants.set(token, grant, token.length * BYTES_OF_A_CHARACTER)
    return grant
  }
}

/** The token of an Authorization header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** The status 401 is an assumption: section 7 leaves failed authentication open. */
export function unauthorised(code: RefusalCode, message: string): Refusal {
  return new Refusal(401, code, message, { 'www-authenticate': 'Bearer' })
}
