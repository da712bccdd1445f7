const authority =
  "this machine doesn't know who signed the gateway's certificate, so if that is an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS before the process starts"
const date = "the gateway's certificate has expired or is not valid yet, unless this machine's clock is wrong"
const plain = 'the TLS handshake failed: check the scheme and the port of baseUrl'

/** What the codes of Node, OpenSSL and undici say to whoever set `baseUrl`. */
const advice: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  CERT_HAS_EXPIRED: date,
  CERT_NOT_YET_VALID: date,
  ERR_TLS_CERT_ALTNAME_INVALID: "the gateway's certificate is for another host: check the host of baseUrl",
  EPROTO: plain,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
  ECONNREFUSED: 'nobody listens there: check baseUrl, and whether the gateway runs',
  ENOTFOUND: 'there is no host of that name: check the host of baseUrl',
}

const otherProtocol = 'what answers there does not speak HTTP: check the host and the port of baseUrl'

/** What to do about a connection that failed; undefined where its cause has no code that is known. */
export function connectionAdvice(cause: unknown, sent: boolean): string | undefined {
  let error = cause
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    // undici's parser gives this one no code.
    if (error.name === 'HTTPParserError' && error.message.includes('Expected HTTP/')) return otherProtocol
    const code: unknown = Reflect.get(error, 'code')
    // Of a connection that was made, the others say nothing.
    if (!sent && typeof code === 'string' && Object.hasOwn(advice, code)) return advice[code]
    error = error.cause
  }
  return undefined
}
