import { isJwt } from './tokens.js'

/**
 * Finds the token in the answer of a token endpoint. The specification does not show its fields
 * (section 2, gaps): a named field, else the usual names, else the one string that is a JWT.
 */
export function findToken(response: unknown, tokenField: string | undefined): string | undefined {
  if (tokenField !== undefined) return usable(at(response, tokenField))
  for (const name of usualNames) {
    const token = usable(at(response, name))
    if (token !== undefined) return token
  }
  const jwts = new Set([...strings(response, 0)].filter(isJwt))
  const [only] = jwts
  return jwts.size === 1 ? only : undefined
}

const usualNames = ['token', 'accessToken', 'access_token', 'authToken', 'jwt', 'bearerToken']

/** The value at a path of names with dots between them. */
function at(value: unknown, path: string): unknown {
  let current = value
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.entries(current).find(([key]) => key === name)?.[1]
  }
  return current
}

/** Only visible ASCII goes into a header. */
function usable(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

function* strings(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value
  else if (depth < 6 && typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* strings(child, depth + 1)
  }
}

/** The names of the fields that came, for the error that no token was found. Never values. */
export function fieldNames(response: unknown): string[] {
  if (typeof response !== 'object' || response === null) return []
  // A gateway may echo anything as a name; only what looks like one is shown.
  return Object.keys(response)
    .slice(0, 20)
    .map((name) => (/^[A-Za-z_][\w.$-]{0,39}$/.test(name) && !isJwt(name) ? name : '(odd name)'))
}
