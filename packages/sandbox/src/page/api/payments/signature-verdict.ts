import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'

export interface Signature {
  readonly verdict: 'valid' | 'wrong' | 'missing' | 'not checked'
  readonly why: string
}

const wrong = new Set(['SIGNATURE_MALFORMED', 'SIGNATURE_INVALID', 'BODY_NOT_MINIFIED'])
// The codes of checks that come after the signature has been found valid.
const afterSignature = new Set([
  'OK',
  'MERCHANT_UNKNOWN',
  'TIMESTAMP_MISSING',
  'TIMESTAMP_OUT_OF_RANGE',
  'SIGNATURE_SEEN',
  'INVALID_ACTION',
  'INVALID_ID_PAYMENT',
  'INVALID_OPERATIONS',
  'INVALID_MONEY',
  'INVALID_VALIDITY',
  'INVALID_TIMESTAMP',
  'SECRET_INVALID',
  'TOKEN_TOO_LARGE',
])

/** Whether the signature of a token request was valid, by the code with which the request was answered. */
export function signatureOf({
  headers,
  verdict = '',
  reason = '',
}: Pick<LoggedRequest, 'headers' | 'verdict' | 'reason'>): Signature {
  if (headers['x-signature'] === undefined) {
    const why =
      verdict === 'OK'
        ? 'The deprecated merchant secret came in its place.'
        : 'There is no X-SIGNATURE header.'
    return { verdict: 'missing', why }
  }
  if (wrong.has(verdict)) return { verdict: 'wrong', why: reason }
  if (afterSignature.has(verdict)) {
    return { verdict: 'valid', why: 'SHA256withRSA over the body, by a key that the sandbox knows.' }
  }
  return { verdict: 'not checked', why: 'The request was refused, or lost, before its signature mattered.' }
}
