import type { Command } from 'commander'
import { GatewayClient } from 'merchant-gateway'
import type { Io } from './io.js'

export interface GatewayCallOptions {
  readonly json?: true
}

export const environmentHelp = '\nVariables: "help environment" lists them.'

/** The variables of `GatewayClient.fromEnv`, and Node's own. */
export const environmentPage = `Environment variables of all commands, as of GatewayClient.fromEnv in a program:

  GATEWAY_BASE_URL, GATEWAY_MERCHANT_CODE
  GATEWAY_PRIVATE_KEY, or the path of its file in GATEWAY_PRIVATE_KEY_FILE
  GATEWAY_PRIVATE_KEY_PASSPHRASE, GATEWAY_MERCHANT_SECRET (deprecated)

  GATEWAY_LIVE, GATEWAY_STATUSES, GATEWAY_MAX_ID_LENGTH
  GATEWAY_TIMESTAMP_UNIT, GATEWAY_TOKENS, GATEWAY_TOKEN_FIELD,
  GATEWAY_TOKEN_VALIDITY_SECS, GATEWAY_OPERATIONS, GATEWAY_CUSTOMER_ACCOUNT_PATH
  GATEWAY_TIMEOUT_MS, GATEWAY_DEADLINE_MS, GATEWAY_RETRIES, GATEWAY_SLOW_CALL_MS
  GATEWAY_RATE_LIMIT, GATEWAY_MAX_QUEUED, GATEWAY_MAX_RESPONSE_BYTES
  GATEWAY_ALLOW_INSECURE_HTTP

  GATEWAY_CALLBACK_SECRET, GATEWAY_CALLBACK_URL, for doctor
  NODE_USE_ENV_PROXY=1 with HTTPS_PROXY, NODE_EXTRA_CA_CERTS, of Node itself

docs/options.md says what each of them does.`

/** The options of every command that asks the gateway something. */
export function withGatewayOptions(command: Command): Command {
  return command.option('--json', 'print one line of JSON').addHelpText('after', environmentHelp)
}

/** Somebody waits for the response to one question, so it gives up early, unless the environment says otherwise. */
export const impatient = { GATEWAY_TIMEOUT_MS: '10000', GATEWAY_DEADLINE_MS: '30000', GATEWAY_RETRIES: '2' }

export async function askGateway<T>(io: Io, ask: (client: GatewayClient) => Promise<T>): Promise<T> {
  const client = GatewayClient.fromEnv({}, { ...impatient, ...io.env })
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}
