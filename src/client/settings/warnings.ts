import { ownValue } from '../input/own.js'
import { warnOnce } from '../input/warn-once.js'

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
