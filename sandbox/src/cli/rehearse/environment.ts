import { resolve } from 'node:path'
import type { Environment } from '../../../../src/cli/io.js'
import type { Served } from '../command-output.js'

/** Where a sandbox is, whose key it knows, and what it takes for a timestamp. */
type Named = Pick<Served, 'baseUrl' | 'merchantCode' | 'timestampUnit' | 'privateKeyFile'>

/** What the application's processes see: this sandbox, and nothing of another gateway. */
export function environmentOf(
  { baseUrl, merchantCode, timestampUnit, privateKeyFile }: Named,
  inherited: Environment,
  profile?: string,
): Record<string, string | undefined> {
  const own = {
    ...inherited,
    GATEWAY_BASE_URL: baseUrl,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_TIMESTAMP_UNIT: timestampUnit,
    GATEWAY_PROFILE: profile === undefined ? undefined : resolve(profile),
    GATEWAY_LIVE: 'false',
  }
  if (privateKeyFile === undefined) return own
  return {
    ...own,
    GATEWAY_PRIVATE_KEY_FILE: privateKeyFile,
    GATEWAY_PRIVATE_KEY: undefined,
    GATEWAY_PRIVATE_KEY_PASSPHRASE: undefined,
    GATEWAY_MERCHANT_SECRET: undefined,
  }
}
