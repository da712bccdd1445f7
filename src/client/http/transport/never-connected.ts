import { isConnectError } from './undici-diagnostics.js'

/** Codes that are given only to a connection that was never made, or whose certificate did not fit. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * Whether the error, or one that it came from, says that no connection was made. TLS has no code for it:
 * what ends a handshake can end a connection later, too, and only undici's own word tells the two apart.
 */
export function neverConnected(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if (isConnectError(current) || saysSo(current)) return true
    current = current.cause
  }
  return false
}

function saysSo(error: Error): boolean {
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true
  if ('code' in error && typeof error.code === 'string' && connectCodes.has(error.code)) return true
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(neverConnected)
}
