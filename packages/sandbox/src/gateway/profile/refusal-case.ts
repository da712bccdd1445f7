import type { RefusalCase } from '../../../../../src/client/profile/gateway-profile.js'

/** What is wrong with a request, by the code of the sandbox's refusal; undefined for what `learn` doesn't ask. */
export function refusalCase(
  { code, message }: { readonly code: string; readonly message: string },
  isPayout: boolean,
): RefusalCase | undefined {
  if (/^(?:SIGNATURE|TIMESTAMP|SECRET)_|^MERCHANT_UNKNOWN$|^BODY_NOT_MINIFIED$/.test(code))
    return 'signature-wrong'
  switch (code) {
    case 'VERSION_UNSUPPORTED':
      return 'api-version-missing'
    case 'NOT_FOUND':
      return 'path-unknown'
    case 'INVALID_VALIDITY':
      return 'validity-too-long'
    case 'TOKEN_MISSING':
      return 'token-missing'
    case 'TOKEN_INVALID':
    case 'TOKEN_EXPIRED':
    case 'TOKEN_REVOKED':
      return 'token-wrong'
    case 'OUT_OF_SCOPE':
      return 'token-not-allowed'
    case 'INVALID_JSON':
      return 'body-not-json'
    case 'INVALID_MONEY':
      return message.endsWith('must be an object.') ? 'money-missing' : 'amount-wrong'
    case 'INVALID_PAYMENT':
      return 'money-missing'
    case 'PAYMENT_NOT_FOUND':
      return isPayout ? 'payout-unknown' : 'payin-unknown'
    case 'ALREADY_ACCEPTED':
      return 'id-repeated'
    case 'TOO_MANY_REQUESTS':
      return 'rate-exceeded'
    default:
      return undefined
  }
}

/** What the same gateway says of other invalid input: the nearest that was seen. */
export const invalidInput: readonly RefusalCase[] = ['money-missing', 'amount-wrong', 'body-not-json']
