import { inspect } from 'node:util'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { InvalidInputError } from '../errors.js'
import { escapePattern } from './operations.js'

/**
 * A token for this server alone. It prints as `[redacted]` everywhere; `reveal()` gives the text.
 * It can't be passed where a {@link ShareableToken} is wanted.
 *
 * @example
 * const { token } = await client.authTokens.create({ operations: [operation('GET', '/balances')] })
 * const headers = { authorization: `Bearer ${token.reveal()}` }
 */
export class ServerToken {
  readonly #token: string

  /**
   * Keeps the text of a token from being printed.
   *
   * @param token the text.
   */
  constructor(token: string) {
    this.#token = token
  }

  /** The token itself, for an `Authorization` header. Never for a browser, an e-mail or a log. */
  reveal(): string {
    return this.#token
  }

  /** `[redacted]`. */
  toString(): string {
    return redacted
  }

  /** `[redacted]`. */
  toJSON(): string {
    return redacted
  }

  /** What `console.log` prints: `[redacted]`. */
  [inspect.custom](): string {
    return `ServerToken { ${redacted} }`
  }
}

const redacted = '[redacted]'

declare const shareable: unique symbol

/**
 * A token that allows nothing but reading one payin (action PAYIN_INFO), so that it may go to a browser or into an
 * e-mail (specification, section 5.6). A string, for `JSON.stringify`.
 */
export type ShareableToken = string & {
  /** Never there at run time: it keeps other strings out. */
  readonly [shareable]: 'PAYIN_INFO'
}

/** What a token says of itself. Nothing of it is verified: only the gateway can do that. */
export interface DecodedToken {
  /** Always false. */
  readonly verified: false
  /** The header of the JWT. */
  readonly header: Readonly<Record<string, unknown>>
  /** The claims of the JWT. */
  readonly claims: Readonly<Record<string, unknown>>
  /** When it was issued: the claim `iat`. */
  readonly issuedAt?: Date
  /** When it expires: the claim `exp`. */
  readonly expiresAt?: Date
}

/** @throws when the text is not a JWT ({@link InvalidInputError}). */
export function decodeToken(token: ServerToken | ShareableToken | string): DecodedToken {
  const text = token instanceof ServerToken ? token.reveal() : token
  try {
    const claims = decodeJwt(text)
    return {
      verified: false,
      header: { ...decodeProtectedHeader(text) },
      claims,
      ...dateClaim('issuedAt', claims.iat),
      ...dateClaim('expiresAt', claims.exp),
    }
  } catch {
    throw new InvalidInputError('token must be a JWT: three parts of base64url with dots between them.', {
      field: 'token',
    })
  }
}

/** A claim in seconds as a date; nothing where it is no such number. */
function dateClaim<Name extends string>(name: Name, secs: unknown): { [N in Name]?: Date } {
  const date = new Date(typeof secs === 'number' ? secs * 1000 : Number.NaN)
  const dates: { [N in Name]?: Date } = {}
  if (!Number.isNaN(date.getTime())) dates[name] = date
  return dates
}

export function isJwt(text: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return false
  try {
    decodeProtectedHeader(text)
    decodeJwt(text)
    return true
  } catch {
    return false
  }
}

/** The claims that a token for reading one payin must not have. The specification names none (section 5.1), so values count, too. */
export function unshareable(claims: unknown, idPayin: string): string[] {
  const reading = readingOf(idPayin)
  const issues = new Set<string>()
  const visit = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'string') {
      const issue = issueOf(name, value, idPayin, reading)
      if (issue !== undefined) issues.add(`claims: ${issue}`)
    } else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) issues.add('claims: too deep to be read')
      else {
        for (const [key, child] of Object.entries(value)) {
          visit(child, Array.isArray(value) ? name : key, depth + 1)
        }
      }
    }
  }
  visit(claims, '', 0)
  return [...issues]
}

const deepest = 6

function issueOf(name: string, value: string, idPayin: string, reading: readonly string[]) {
  if (/^actions?$/i.test(name)) return value === 'PAYIN_INFO' ? undefined : 'an action other than PAYIN_INFO'
  if (value === 'PAYIN_CREATE') return 'an action other than PAYIN_INFO'
  if (/^operations?$/i.test(name) || operation.test(value)) {
    return reading.includes(value) ? undefined : 'an operation other than reading this payin'
  }
  if (/^id_?(?:payment|payin|payout)$/i.test(name) && value !== idPayin) return 'the id of another payment'
  return undefined
}

const operation = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|\.?\*) +[/.*^(\\]/

function readingOf(idPayin: string): string[] {
  const encoded = encodeURIComponent(idPayin)
  const ids = [escapePattern(idPayin), escapePattern(encoded)]
  // As a pattern, another id would allow other payments.
  if (!/[*+?()[\]{}|^$\\]/.test(idPayin)) ids.push(idPayin, encoded)
  return ids.map((id) => `GET /payins/${id}`)
}
