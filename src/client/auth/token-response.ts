import { field } from '../input/values.js'
import { isJwt } from './tokens.js'

/** The longest token that is taken. It travels in a header, and servers read headers of 8 to 16 KiB. */
export const longestToken = 8192

/** A named field, else the usual names, else the only JWT: the specification shows no fields (section 2, gaps). It may be too long. */
export function findToken(response: unknown, tokenField: string | undefined): string | undefined {
  if (tokenField !== undefined) return usable(field(response, tokenField))
  const bare = typeof response === 'string' ? withoutScheme(response) : ''
  if (isBare(bare)) return bare
  const named = usualNames.map((name) => usable(field(response, name))).filter((token) => token !== undefined)
  // Tokens are JWTs (specification, section 5); what else is named like one may be its number.
  return named.find((token) => token.length <= longestToken && isJwt(token)) ?? named[0] ?? onlyJwt(response)
}

const usualNames = ['token', 'accessToken', 'access_token', 'authToken', 'jwt', 'bearerToken']

export function tokenText(body: string): string | undefined {
  // Before anything is made of it: a cut-out would keep the whole body in memory.
  if (body.length > longestToken + 'bearer '.length + 2) return undefined
  const text = withoutScheme(body.trim())
  return isBare(text) ? text : undefined
}

/** By the characters of RFC 6750. A word such as "OK" is no token. */
function isBare(text: string): boolean {
  return /^[\w.~+/-]{16,}=*$/.test(text)
}

function usable(value: unknown): string | undefined {
  const token = typeof value === 'string' ? withoutScheme(value) : undefined
  // Visible ASCII: what a header can hold.
  return token !== undefined && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

/** Some gateways give the whole value of the header, or a line break behind it. */
function withoutScheme(text: string): string {
  return text.trim().replace(/^bearer:? +/i, '')
}

function onlyJwt(response: unknown): string | undefined {
  let found: string | undefined
  for (const value of strings(response, 0)) {
    const text = withoutScheme(value)
    if (text === found || !isJwt(text)) continue
    if (found !== undefined) return undefined
    found = text
  }
  return found
}

function* strings(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value
  else if (depth < 6 && typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* strings(child, depth + 1)
  }
}

export function fieldNames(response: unknown): string[] {
  if (typeof response !== 'object' || response === null) return []
  // A gateway may echo anything as a name; only what looks like one is shown.
  return Object.keys(response)
    .slice(0, 20)
    .map((name) => (/^[A-Za-z_][\w.$-]{0,39}$/.test(name) && !isJwt(name) ? name : '(odd name)'))
}
