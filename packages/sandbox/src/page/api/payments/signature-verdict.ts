import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'

export interface Signature {
  readonly verdict: 'valid' | 'wrong' | 'missing' | 'not checked'
  readonly why: string
}

const verdicts = {
  secret: { verdict: 'missing', why: 'The request used the deprecated merchant secret.' },
  missing: { verdict: 'missing', why: 'There is no X-SIGNATURE header.' },
  valid: { verdict: 'valid', why: 'SHA256withRSA over the body, by a key that the sandbox knows.' },
  unchecked: {
    verdict: 'not checked',
    why: 'The request was refused or lost before its signature was checked.',
  },
} as const

/** The codes of checks that come after the signature was found valid. */
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
const wrongSignature = new Set(['SIGNATURE_MALFORMED', 'SIGNATURE_INVALID', 'BODY_NOT_MINIFIED'])

/** Whether the signature of a token request was valid, by the code of the response. */
export function signatureOf({
  headers,
  verdict = '',
  reason = '',
}: Pick<LoggedRequest, 'headers' | 'verdict' | 'reason'>): Signature {
  if (headers['x-signature'] === undefined) return verdict === 'OK' ? verdicts.secret : verdicts.missing
  if (wrongSignature.has(verdict)) return { verdict: 'wrong', why: reason }
  return afterSignature.has(verdict) ? verdicts.valid : verdicts.unchecked
}
