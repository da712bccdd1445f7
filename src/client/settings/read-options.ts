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
    now: now ?? Date.now,
  }
}
