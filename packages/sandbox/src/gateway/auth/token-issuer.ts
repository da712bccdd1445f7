import type { webcrypto } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import { BoundedMap } from '../memory.js'
import type { RefusalCode } from '../wire/refusal-fixes.js'
import { Refusal } from '../wire/response.js'
import { compileScope, type Permits, type Scope } from './scope.js'

export interface Grant {
  readonly idToken: string
  readonly expiresAtMs: number
  readonly scope: Scope
  readonly permits: Permits
  isRevoked: boolean
}

const MAX_REMEMBERED = 10_000
/** A longer one fits into no request: servers take 8 to 16 KiB of headers. */
const MAX_TOKEN_LENGTH = 8 * 1024

/** Access tokens: real JWTs (section 5). A token is good while the sandbox remembers it; it is not read again. */
export class TokenIssuer {
  readonly #clock: Clock
  readonly #random: Random
  readonly #secret: Uint8Array<ArrayBuffer>
  #key: Promise<webcrypto.CryptoKey> | undefined
  readonly #grants = new BoundedMap<Grant>(MAX_REMEMBERED)

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
    this.#secret = new Uint8Array(random.bytes(32))
  }

  /** @throws with 400 for a scope that can't be matched, or that no token can carry ({@link Refusal}). */
  async mint(merchantCode: string, validitySecs: number, scope: Scope): Promise<string> {
    const permits = compileScope(scope)
    const issuedAt = Math.floor(this.#clock.now() / 1000)
    const idToken = Buffer.from(this.#random.bytes(16)).toString('hex')
    const expiresAt = issuedAt + validitySecs
    const token = await new SignJWT({
      ...scope,
      iss: 'merchant-gateway-sandbox',
      sub: merchantCode,
      jti: idToken,
      iat: issuedAt,
      exp: expiresAt,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(await this.#imported())
    if (token.length > MAX_TOKEN_LENGTH) {
      const message = `The token would have ${token.length} characters, and at most ${MAX_TOKEN_LENGTH} fit into a header.`
      throw new Refusal(400, 'TOKEN_TOO_LARGE', message)
    }
    this.#grants.set(token, { idToken, expiresAtMs: expiresAt * 1000, scope, permits, isRevoked: false })
    return token
  }

  /** @throws with 401 for no token, an unknown, expired or revoked one ({@link Refusal}). */
  verify(authorization: string | undefined): Grant {
    const token = bearerToken(authorization)
    if (token === undefined) throw unauthorised('TOKEN_MISSING', 'Authorization: Bearer <token> is missing.')
    const grant = this.#granted(token)
    if (this.#clock.now() >= grant.expiresAtMs)
      throw unauthorised('TOKEN_EXPIRED', 'The access token has expired.')
    if (grant.isRevoked) throw unauthorised('TOKEN_REVOKED', 'The access token has been revoked.')
    this.#grants.set(token, grant)
    return grant
  }

  find(token: string | undefined): Grant | undefined {
    return token === undefined ? undefined : this.#grants.get(token)
  }

  revoke(token: string): void {
    this.#granted(token).isRevoked = true
  }

  revokeAll(): void {
    for (const grant of this.#grants.values()) grant.isRevoked = true
  }

  #granted(token: string): Grant {
    const grant = this.#grants.get(token)
    if (grant !== undefined) return grant
    throw unauthorised('TOKEN_INVALID', 'The access token is none that this sandbox knows.')
  }

  /** Once: jose would import the bytes for every token. */
  #imported(): Promise<webcrypto.CryptoKey> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    this.#key ??= crypto.subtle.importKey('raw', this.#secret, algorithm, false, ['sign'])
    return this.#key
  }
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** The status 401 is an assumption: section 7 leaves failed authentication open. */
export function unauthorised(code: RefusalCode, message: string): Refusal {
  return new Refusal(401, code, message, { 'www-authenticate': 'Bearer' })
}
