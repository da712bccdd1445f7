import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import { textsIn } from './texts-in.js'

/** A text in the answer to a token request that may be the token. */
export interface TokenCandidate {
  readonly format: 'json' | 'json-string' | 'text'
  /** Where it stands in JSON, with dots for depth. */
  readonly field?: string
  readonly token: string
}

const usualNames = /(?:^|\.)(?:token|accessToken|access_token|authToken|jwt|bearerToken|bearer)$/
const longest = 8192
const mostCandidates = 5

/** What may be the token, the most likely first. */
export function tokenCandidates(body: string): readonly TokenCandidate[] {
  const json = jsonOf(body)
  if (json === undefined) {
    const token = body.trim()
    return canBeToken(token) ? [{ format: 'text', token }] : []
  }
  if (typeof json === 'string') return canBeToken(json) ? [{ format: 'json-string', token: json }] : []
  return [...textsIn(json)]
    .filter(([, token]) => canBeToken(token))
    .map(([field, token]) => ({ format: 'json' as const, field, token }))
    .sort((a, b) => likelihood(b) - likelihood(a))
    .slice(0, mostCandidates)
}

function likelihood({ field, token }: { readonly field: string; readonly token: string }): number {
  return (usualNames.test(field) ? 2 : 0) + (isJwtLike(token) ? 1 : 0)
}

function isJwtLike(token: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
}

/** By the characters of RFC 6750, as the client has it. A word such as "OK" is no token. */
function canBeToken(text: string): boolean {
  return text.length <= longest && /^[\w.~+/-]{16,}=*$/.test(text)
}

/** The claims of a JWT; undefined where it is none. */
export function claimsOf(token: string): object | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1]
  const json = payload === undefined ? undefined : jsonOf(Buffer.from(payload, 'base64url').toString('utf8'))
  return isObject(json) ? json : undefined
}
