import { familyOperations, type TokenFamily } from '../auth/scopes.js'
import type { Credentials } from '../auth/signer.js'
import type { RateLimit } from '../http/limit/rate-limit.js'
import { check, notAnOptionOf, strict, wrongOption } from '../input/check.js'
import { plain } from '../input/nearest.js'
import { isLoopback } from '../input/values.js'
import { warnOnce } from '../input/warn-once.js'
import type * as z from '../input/zod.js'
import type { ClientOptions } from '../options.js'
import { readBaseUrl } from './base-url.js'
import { clientOptions } from './client-options.js'
import { readCredentials } from './credentials.js'

const notKnown = notAnOptionOf('the client')

const schema = strict(
  clientOptions,
  (name, known, path) =>
    /^(?:(?:api|secret|access)?key|(?:api|access|auth)?token|(?:api|client)?secret|password)$/.test(
      plain(name),
    )
      ? 'is not an option of the client: the gateway knows a merchant by merchantCode and signatures, so give privateKey ("npx merchant-gateway keygen" makes a key)'
      : notKnown(name, known, path),
  'needs an object of options: baseUrl, merchantCode and privateKey',
)

type Converted =
  | 'baseUrl'
  | 'allowInsecureHttp'
  | 'privateKey'
  | 'privateKeyPassphrase'
  | 'signer'
  | 'merchantSecret'
  | 'operations'
  | 'tokens'
  | 'now'

/** Options, checked and defaulted once. Nothing further in looks at what the caller gave. */
export interface Settings extends Readonly<Omit<z.Described<typeof schema>, Converted>> {
  readonly origin: string
  readonly basePath: string
  readonly credentials: Credentials
  readonly operations: Readonly<Record<TokenFamily, readonly string[]>>
  readonly tokens: 'per-family' | 'per-payment'
  readonly now: () => number
}

export function readOptions(given: ClientOptions): Settings {
  const options = check(schema, given, wrongOption)
  const { baseUrl, allowInsecureHttp, privateKey, privateKeyPassphrase, signer, merchantSecret, ...rest } =
    options
  const { dispatcher, fetch, operations, rateLimit, tokens, tokenCache, now } = rest
  if (fetch !== undefined && dispatcher !== undefined) {
    throw wrongOption('dispatcher', 'and fetch exclude each other; give one')
  }
  if (tokenCache !== undefined && signer !== undefined) {
    throw wrongOption(
      'tokenCache',
      'and signer exclude each other: what is cached is sealed with a key that is derived from privateKey',
    )
  }
  const address = readBaseUrl({ baseUrl, allowInsecureHttp, dispatcher })
  if (!isLoopback(new URL(address.origin).hostname)) warnOfHighRate(rateLimit)
  return {
    ...rest,
    ...address,
    credentials: readCredentials({ privateKey, privateKeyPassphrase, signer, merchantSecret }),
    operations: operations === undefined ? familyOperations : { ...familyOperations, ...operations },
    tokens: tokens ?? signer?.tokens ?? 'per-family',
    now: now ?? Date.now,
  }
}

/** A second (specification, section 7). */
const allowedRate = 10

/** The platform may have granted more. */
function warnOfHighRate(rateLimit: RateLimit): void {
  const rate =
    typeof rateLimit === 'object' && 'requestsPerSecond' in rateLimit
      ? rateLimit.requestsPerSecond
      : rateLimit
  if (typeof rate !== 'number' || rate <= allowedRate) return
  warnOnce(
    `rateLimit is ${rate} requests a second, and the gateway allows ${allowedRate}: unless the platform has granted you more, leave the option out.`,
    'MerchantGatewayRateLimit',
    'MERCHANT_GATEWAY_HIGH_RATE',
  )
}
