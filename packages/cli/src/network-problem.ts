/** What kept a request from being answered, in words; the codes are those of Node and OpenSSL, and TIMEOUT. */
export function networkProblem(code: string): string {
  return sentences[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

/** What can be done about it. */
export function networkRemedy(code: string): string {
  return (
    remedies[code] ?? 'Check GATEWAY_BASE_URL, and that this machine may reach it (firewall, proxy, VPN).'
  )
}

/** The code of an error of fetch or of a socket; TIMEOUT for a limit of ours. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  if ('code' in error && typeof error.code === 'string') return error.code
  return networkCode(error.cause)
}

const sentences: Readonly<Partial<Record<string, string>>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  EAI_AGAIN: 'the name could not be looked up just now',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'there is no host of that name',
  EPROTO: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  ETIMEDOUT: 'nobody answered in time',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an authority that this machine does not know',
  TIMEOUT: 'nobody answered in time',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is of an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is of an authority that this machine does not know',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answered in time',
  UND_ERR_SOCKET: 'the connection was cut',
}

const privateAuthority =
  'If the gateway has an authority of its own, name its certificate in NODE_EXTRA_CA_CERTS; never switch the check off.'
const plain = 'Check the scheme and the port of GATEWAY_BASE_URL.'

const remedies: Readonly<Partial<Record<string, string>>> = {
  CERT_HAS_EXPIRED: "Check this machine's clock; if it is right, the gateway has to renew its certificate.",
  DEPTH_ZERO_SELF_SIGNED_CERT: privateAuthority,
  ECONNREFUSED: 'Check the port of GATEWAY_BASE_URL; is the gateway, or the sandbox, running?',
  ENOTFOUND: 'Check the host of GATEWAY_BASE_URL.',
  EPROTO: plain,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Check the host of GATEWAY_BASE_URL: the certificate names others.',
  SELF_SIGNED_CERT_IN_CHAIN: privateAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: privateAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: privateAuthority,
}
