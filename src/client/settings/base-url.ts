import type { Dispatcher } from 'undici'
import { wrongOption } from '../input/check.js'
import { isLoopback } from '../input/values.js'
import { warnOnce } from '../input/warn-once.js'

interface AddressOptions {
  readonly baseUrl: string | URL
  readonly allowInsecureHttp: boolean
  readonly dispatcher: Dispatcher | undefined
}

interface Address {
  readonly origin: string
  readonly basePath: string
}

export function readBaseUrl({ baseUrl, allowInsecureHttp, dispatcher }: AddressOptions): Address {
  const url = new URL(baseUrl)
  const wrong = (why: string) => wrongOption('baseUrl', why)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong('must be https (plain http on this machine only)')
  if (url.username !== '' || url.password !== '') {
    throw wrong('must not hold a user name or a password: tokens authenticate')
  }
  if (url.search !== '' || url.hash !== '')
    throw wrong('must not have a query or a fragment: give the address alone')
  if (url.protocol === 'https:') warnOfUncheckedCertificates()
  else if (!allowInsecureHttp) refusePlainHttp(url.hostname, dispatcher)
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') }
}

function refusePlainHttp(hostname: string, dispatcher: Dispatcher | undefined): void {
  if (!isLoopback(hostname)) {
    throw wrongOption(
      'baseUrl',
      'is plain http, which shows tokens to everybody on the way: use https (or allowInsecureHttp)',
    )
  }
  if (dispatcher !== undefined) {
    throw wrongOption(
      'dispatcher',
      'may take plain http off this machine, and a proxy would read the tokens: use https (or allowInsecureHttp)',
    )
  }
}

/** Node's own switch, and no option of ours can undo it. */
function warnOfUncheckedCertificates(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  warnOnce(
    'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked in this process, so anybody on the way to the gateway can read tokens and change payments. Unset it; NODE_EXTRA_CA_CERTS names the certificate of an authority of your own.',
    'SecurityWarning',
    'MERCHANT_GATEWAY_TLS',
  )
}
