import type { Command } from 'commander'
import { GatewayClient } from 'merchant-gateway'
import type { Io } from './io.js'

export interface GatewayCallOptions {
  readonly json?: true
}

/** The variables of `GatewayClient.fromEnv`. */
export const environmentHelp =
  '\nEnvironment: GATEWAY_BASE_URL, GATEWAY_MERCHANT_CODE, GATEWAY_PRIVATE_KEY[_FILE]'

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
