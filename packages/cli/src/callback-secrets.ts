import type { Environment } from './io.js'

/** As the receiver reads them. */
export function callbackSecretsOf({ GATEWAY_CALLBACK_SECRET = '' }: Environment): readonly string[] {
  return GATEWAY_CALLBACK_SECRET.split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}
