import type { Command } from 'commander'
import { GatewayClient } from '../index.js'
import type { Environment, Io } from './io.js'

export interface GatewayCallOptions {
  readonly json?: true
}

/** The variables of `GatewayClient.fromEnv`. */
export const environmentHelp = `
Environment: GATEWAY_BASE_URL, GATEWAY_MERCHANT_CODE, and GATEWAY_PRIVATE_KEY
or GATEWAY_PRIVATE_KEY_FILE (GATEWAY_PRIVATE_KEY_PASSPHRASE if encrypted).`

/** In place of all settings, for a client that is asked for what needs no gateway. */
export const standIns = {
  baseUrl: 'https://gateway.invalid',
  merchantCode: 'none',
  signer: { sign: async () => new Uint8Array() },
  timestampUnit: 'seconds',
} as const

/** As the receiver reads them. */
export function callbackSecretsOf({ GATEWAY_CALLBACK_SECRET = '' }: Environment): readonly string[] {
  return GATEWAY_CALLBACK_SECRET.split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}

/** The options of every command that asks the gateway something. */
export function withGatewayOptions(command: Command): Command {
  return command.option('--json', 'print one line of JSON').addHelpText('after', environmentHelp)
}

/** One question to the gateway of the environment. Somebody waits for it, so it gives up early. */
export async function askGateway<T>(io: Io, ask: (client: GatewayClient) => Promise<T>): Promise<T> {
  const client = GatewayClient.fromEnv({ timeoutMs: 10_000, deadlineMs: 30_000, retries: 2 }, io.env)
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}
