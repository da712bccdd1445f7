import { ownValue } from '../input/own.js'

const warned = new Set<string>()

/** Once for each code: clients may be made by the thousand. */
function warnOnce(message: string, type: string, code: string): void {
  if (warned.has(code)) return
  warned.add(code)
  process.emitWarning(message, { type, code })
}

export function warnOfSecret(): void {
  warnOnce(
    'merchantSecret is deprecated by the gateway and travels in every token request: use privateKey instead.',
    'DeprecationWarning',
    'MERCHANT_GATEWAY_SECRET',
  )
}

/** Node's own switch, and no option of ours can undo it. */
export function warnOfUncheckedCertificates(): void {
  if (ownValue(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return
  warnOnce(
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked in this process, so anybody on the way to the gateway can read tokens and change payments. Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
    'SecurityWarning',
    'MERCHANT_GATEWAY_TLS',
  )
}
