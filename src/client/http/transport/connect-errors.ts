import { isNativeError } from 'node:util/types'
import type { Hide } from '../../redact.js'
import { isConnectError } from './undici-diagnostics.js'

const authority =
  "this machine doesn't know who signed the gateway's certificate, so if that is an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS before the process starts"
const date = "the gateway's certificate has expired or is not valid yet, unless this machine's clock is wrong"
const network =
  "check the host and the port of baseUrl, this machine's network (IPv6 included), and whether a firewall lets it out"
const plain = 'the TLS handshake failed: check the scheme and the port of baseUrl'

/** Codes of a connection that was never made, or whose certificate did not fit; and what they mean to whoever set `baseUrl`. */
const neverMade: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'nobody listens there: check baseUrl, and whether the gateway runs',
  ENOTFOUND: 'there is no host of that name: check the host of baseUrl',
  EHOSTDOWN: undefined,
  EAI_AGAIN: "the host's name could not be looked up just now: check this machine's DNS",
  UND_ERR_CONNECT_TIMEOUT: `nothing answered there in time: ${network}`,
  ConnectionRefused: undefined,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  CERT_HAS_EXPIRED: date,
  CERT_NOT_YET_VALID: date,
  ERR_TLS_CERT_ALTNAME_INVALID: "the gateway's certificate is for another host: check the host of baseUrl",
  CERT_CHAIN_TOO_LONG: undefined,
  CERT_REJECTED: undefined,
  CERT_REVOKED: undefined,
  CERT_SIGNATURE_FAILURE: undefined,
  CERT_UNTRUSTED: undefined,
  HOSTNAME_MISMATCH: undefined,
  INVALID_CA: undefined,
  INVALID_PURPOSE: undefined,
}
const alsoLater: Readonly<Record<string, string>> = {
  ETIMEDOUT: `nothing answered there in time: ${network}`,
  EHOSTUNREACH: `there is no way to it: ${network}`,
  ENETUNREACH: `there is no way to it: ${network}`,
  EPROTO: plain,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
}
const advice = { ...neverMade, ...alsoLater }
const otherProtocol = 'what answers there does not speak HTTP: check the host and the port of baseUrl'

export function connectionAdvice(cause: unknown, sent: boolean): string | undefined {
  for (const error of causesOf(cause)) {
    // undici's parser gives this one no code.
    if (error.name === 'HTTPParserError' && error.message.includes('Expected HTTP/')) return otherProtocol
    // Of a connection that was made, the others say nothing.
    if (sent) continue
    const codes = codesOf(error)
    if (codes.length > 1) return `no address of the host could be reached (${codes.join(', ')}): ${network}`
    const [code = ''] = codes
    if (Object.hasOwn(advice, code) && advice[code] !== undefined) return advice[code]
  }
  return undefined
}

function codesOf(error: Error): readonly string[] {
  const errors = errorsIn(error)
  return errors.length === 0 ? [codeOf(error)] : [...new Set(errors.map(codeOf))]
}

const refusedCodes: readonly unknown[] = ['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']

/** Of a request that failed before it was said to begin: a mock or an interceptor may begin one without a word. */
export function mayHaveSent(cause: unknown): boolean {
  return !neverConnected(cause) && !(isError(cause) && refusedCodes.includes(codeOf(cause)))
}

/** What ends a TLS handshake can end a connection later, too: only undici's own word tells the two apart. */
export function neverConnected(error: unknown): boolean {
  return causesOf(error).some((one) => {
    if (isConnectError(one) || Object.hasOwn(neverMade, codeOf(one))) return true
    if ('syscall' in one && (one.syscall === 'connect' || one.syscall === 'getaddrinfo')) return true
    const errors = errorsIn(one)
    return errors.length > 0 && errors.every(neverConnected)
  })
}

function errorsIn(error: Error): readonly Error[] {
  const errors: unknown = Reflect.get(error, 'errors')
  return Array.isArray(errors) ? errors.filter(isError) : []
}

/** Also one of another realm: Jest runs programs in a realm of their own, and Node's errors come from outside. */
function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value)
}

function causesOf(cause: unknown): readonly Error[] {
  const errors: Error[] = []
  for (let error = cause; isError(error) && errors.length < 5; error = error.cause) errors.push(error)
  return errors
}

function codeOf(error: Error): string {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : ''
}

/** The cause with nothing but names, messages and codes: a transport may hang the bytes of the wire on its errors. */
export function cleanCause(cause: unknown, hide: Hide): unknown {
  if (!isError(cause)) return typeof cause === 'string' ? hide(cause) : undefined
  return causesOf(cause).reduceRight<Error | undefined>((inner, error) => {
    const clean = new Error(hide(error.message), inner === undefined ? undefined : { cause: inner })
    clean.name = hide(error.name)
    clean.stack = `${clean.name}: ${clean.message}`
    for (const field of ['code', 'errno', 'syscall']) {
      const value: unknown = Reflect.get(error, field)
      if (typeof value === 'string') Object.assign(clean, { [field]: hide(value) })
      else if (typeof value === 'number') Object.assign(clean, { [field]: value })
    }
    return clean
  }, undefined)
}
