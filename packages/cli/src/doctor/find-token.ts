import { isObject, jsonOf } from '../input/values.js'
import { textsIn } from './texts-in.js'

const most = 5

/** Where the token may stand in the response to a token request, the most likely place first. */
export function tokenPlaces(body: unknown): readonly string[] {
  return [...textsIn(body)]
    .filter(([, text]) => canBeToken(text))
    .sort(([, a], [, b]) => Number(isJwtLike(b)) - Number(isJwtLike(a)))
    .slice(0, most)
    .map(([place]) => place)
}

function isJwtLike(text: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
}

/** By the characters of RFC 6750, as the client has it. A word such as "OK" is no token. */
function canBeToken(text: string): boolean {
  return text.length <= 8192 && /^[\w.~+/-]{16,}=*$/.test(text)
}

/** The claims of a JWT; undefined where it is none. */
export function claimsOf(token: string): object | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1]
  const json = payload === undefined ? undefined : jsonOf(Buffer.from(payload, 'base64url').toString('utf8'))
  return isObject(json) ? json : undefined
}
