import { familyOperations, type TokenFamily } from '../auth/scopes.js'
import { ConfigurationError } from '../errors.js'
import { optionWords, read, type Values } from '../input/reader.js'
import { wrongOption } from '../input/wrong-input.js'
import type { ClientOptions } from '../options.js'
import { readBaseUrl } from './base-url.js'
import { clientRows } from './client-rows.js'
import { type Credentials, readCredentials } from './credentials.js'

type Checked = Values<typeof clientRows>

/** Options that become another thing than what was given. */
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
export interface Settings extends Readonly<Omit<Checked, Converted>> {
  readonly origin: string
  /** Path of `baseUrl` without a slash at its end. */
  readonly basePath: string
  readonly credentials: Credentials
  readonly operations: Readonly<Record<TokenFamily, readonly string[]>>
  readonly tokens: 'per-family' | 'per-payment'
  readonly now: () => number
}

const words = optionWords(ConfigurationError, 'the client', 'baseUrl, merchantCode and privateKey')

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readOptions(clientOptions: ClientOptions): Settings {
  const options = read(clientOptions, clientRows, words)
  const { baseUrl, allowInsecureHttp, privateKey, privateKeyPassphrase, signer, merchantSecret, ...rest } =
    options
  const { dispatcher, fetch, operations, tokens, tokenCache, now } = rest
  if (fetch !== undefined && dispatcher !== undefined) {
    throw wrongOption('dispatcher', 'and fetch exclude each other; give one')
  }
  if (tokenCache !== undefined && signer !== undefined) {
    throw wrongOption(
      'tokenCache',
      'and signer exclude each other: what is cached is sealed with a key that is derived from privateKey',
    )
  }
  return {
    ...rest,
    ...readBaseUrl({ baseUrl, allowInsecureHttp, dispatcher }),
    credentials: readCredentials({ privateKey, privateKeyPassphrase, signer, merchantSecret }),
    operations: operations === undefined ? familyOperations : { ...familyOperations, ...operations },
    tokens: tokens ?? signer?.tokens ?? 'per-family',
    now: now === undefined ? Date.now : readClock(now),
  }
}

function readClock(now: () => number): () => number {
  try {
    return steadyClock(now)
  } catch {
    throw wrongOption(
      'now',
      'must be a function that returns milliseconds since 1970; it threw, or gave no number',
    )
  }
}

/**
 * A wall clock that can be asked at any time, made of one that may fail. Where it does, the last good
 * reading goes on by the monotonic clock: a clock that breaks in the middle of a call must not cost the
 * answer to what became of a payment.
 *
 * @throws what the clock throws at the first reading, or a TypeError when that is no number.
 */
function steadyClock(now: () => number): () => number {
  let last = reading(now)
  let readAt = performance.now()
  return () => {
    try {
      last = reading(now)
      readAt = performance.now()
      return last
    } catch {
      return last + (performance.now() - readAt)
    }
  }
}

function reading(now: () => number): number {
  const ms: unknown = now()
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms
  throw new TypeError('not a number of milliseconds')
}
