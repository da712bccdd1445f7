import { errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from './clock.js'
import { Refusal } from './exchange.js'
import type { Random } from './random.js'
import { compileScope, type Permits, type Scope, scopeFromClaims } from './scope.js'

/** A token that was found genuine, kept so that the next request with it costs a look into a map. */
export interface Grant {
  readonly idToken: string
  readonly epoch: number
  readonly expiresAtMs: number
  readonly scope: Scope
  readonly permits: Permits
}

const MAX_REMEMBERED = 10_000
const EPOCH = 'sandbox_epoch'

/** Mints the access tokens of one sandbox and judges them. Real JWTs (section 5), with a key of its own. */
export class TokenIssuer {
  readonly #clock: Clock
  readonly #random: Random
  readonly #key: Uint8Array
  readonly #grants = new Map<string, Grant>()
  readonly #revoked = new Set<string>()
  #epoch = 0

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
    this.#key = random.bytes(32)
  }

  async mint(merchantCode: string, validitySecs: number, scope: Scope): Promise<string> {
    const issuedAt = Math.floor(this.#clock.now() / 1000)
    const idToken = Buffer.from(this.#random.bytes(16)).toString('hex')
    const epoch = this.#epoch
    const token = await new SignJWT({ ...scope, [EPOCH]: epoch })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer('merchant-gateway-sandbox')
      .setSubject(merchantCode)
      .setJti(idToken)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + validitySecs)
      .sign(this.#key)
    const expiresAtMs = (issuedAt + validitySecs) * 1000
    this.#remember(token, { idToken, epoch, expiresAtMs, scope, permits: compileScope(scope) })
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

  /** The same without a judgement and without work: what is remembered of a token. */
  known(token: string | undefined): Grant | undefined {
    return token === undefined ? undefined : this.#grants.get(token)
  }

  async revoke(token: string): Promise<void> {
    const grant = this.#grants.get(token) ?? (await this.#inspect(token))
    this.#revoked.add(grant.idToken)
  }

  revokeAll(): void {
    this.#epoch += 1
    this.#revoked.clear()
    this.#grants.clear()
  }

  async #inspect(token: string): Promise<Grant> {
    try {
      // Expiry is judged by the caller, so that a token of yesterday can still be told from a forged one.
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        currentDate: new Date(0),
      })
      const scope = scopeFromClaims(payload)
      const grant: Grant = {
        idToken: payload.jti ?? '',
        epoch: Number(payload[EPOCH]),
        expiresAtMs: (payload.exp ?? 0) * 1000,
        scope,
        permits: compileScope(scope),
      }
      this.#remember(token, grant)
      return grant
    } catch (error) {
      const isForged = error instanceof errors.JWSSignatureVerificationFailed
      throw unauthorised(
        'TOKEN_INVALID',
        isForged ? 'The access token is not ours.' : 'The access token is garbled.',
      )
    }
  }

  #remember(token: string, grant: Grant): void {
    if (this.#grants.size >= MAX_REMEMBERED) {
      for (const oldest of this.#grants.keys()) {
        this.#grants.delete(oldest)
        break
      }
    }
    this.#grants.set(token, grant)
  }
}

/** The token of an Authorization header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** The status 401 is an assumption: section 7 leaves failed authentication open. */
export function unauthorised(code: string, message: string): Refusal {
  return new Refusal(401, code, message, { 'www-authenticate': 'Bearer' })
}
