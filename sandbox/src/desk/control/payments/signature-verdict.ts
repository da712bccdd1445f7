import type { Signature } from '../messages/payments.js'

const wrong: Readonly<Record<string, string>> = {
  SIGNATURE_MALFORMED: 'X-SIGNATURE is not base64.',
  SIGNATURE_INVALID: 'X-SIGNATURE does not match the body and a known public key.',
  BODY_NOT_MINIFIED: 'The signed body has whitespace that means nothing.',
}
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
export function signatureOf(headers: Readonly<Record<string, string>>, verdict: string | null): Signature {
  if (headers['x-signature'] === undefined) {
    const why =
      verdict === 'OK'
        ? 'The deprecated merchant secret came in its place.'
        : 'There is no X-SIGNATURE header.'
    return { verdict: 'missing', why }
  }
  const fault = verdict === null ? undefined : wrong[verdict]
  if (fault !== undefined) return { verdict: 'wrong', why: fault }
  if (verdict !== null && afterSignature.has(verdict)) {
    return { verdict: 'valid', why: 'SHA256withRSA over the body, by a key that the sandbox knows.' }
  }
  return { verdict: 'not checked', why: 'The request was refused, or lost, before its signature mattered.' }
}
