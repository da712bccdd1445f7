import { CallbackReceiver, type PaymentRef } from '../../../../src/callbacks/index.js'
import { GatewayClient } from '../../../../src/index.js'
import { callbackSecretsOf } from '../../../cli/src/callback-secrets.js'
import { CommandFailed } from '../../../cli/src/exit-codes.js'
import type { Environment } from '../../../cli/src/io.js'
import { standIns } from '../../../cli/src/stand-ins.js'

/**
 * The callbackUrl that the merchant's own receiver makes for a payment. It signs as the receiver does, so
 * it needs the receiver's secret and address, and asks nobody.
 *
 * @throws {CommandFailed} without the variables; {ConfigurationError} when one of them is wrong.
 */
export function callbackUrlOf(payment: PaymentRef, env: Environment): URL {
  const { GATEWAY_CALLBACK_URL = '' } = env
  const secrets = callbackSecretsOf(env)
  if (secrets.length === 0 || GATEWAY_CALLBACK_URL.trim() === '') {
    const missing = secrets.length === 0 ? 'GATEWAY_CALLBACK_SECRET' : 'GATEWAY_CALLBACK_URL'
    throw new CommandFailed(
      `${missing} is not set: the callbackUrl of a payment is made of the receiver's secret and address; set both as your handler has them, or give the URL.`,
    )
  }
  // A receiver wants a client; nothing is asked with this one.
  const client = new GatewayClient(standIns)
  return new URL(new CallbackReceiver({ client, publicUrl: GATEWAY_CALLBACK_URL, secrets }).urlFor(payment))
}
