import type { ObservedCall } from './events.js'

/**
 * Where a client writes what a person on call needs: `console`, winston, or anything else with these four methods. Each
 * is called with one line, which holds no secret, token or account number, and no name or address of a customer.
 *
 * pino, and what has its methods `bindings` and `child`, is called with an object of fields (`event`, `call`,
 * `outcome`, `idPayout`, `durationMs` …) and then the sentence. Durations are in milliseconds.
 *
 * @example
 * import pino from 'pino'
 * const client = GatewayClient.fromEnv({ logger: pino() })
 */
export interface GatewayLogger {
  /** Every call, every attempt, every token. */
  debug(line: string): void
  /** Calls that the program itself ended. */
  info(line: string): void
  /** Calls that were slow or retried, pauses after a 429, tokens that were refused, answers with drift. */
  warn(line: string): void
  /** Calls that failed. */
  error(line: string): void
}

/** What logs and traces say of an error: neither the path of a `request()`, nor the message of an error that is not ours. */
export function shownMessage(
  { message, name: kind }: Error,
  isOurs: boolean,
  { name, method, pathTemplate }: ObservedCall,
): string {
  if (!isOurs) return `an unexpected ${kind}, which the caller has got`
  // A request for the token says which it was itself.
  if (name !== 'request' || /^POST \/auth-tokens(?:-by-action)?: /.test(message)) return message
  return message.replace(/^[A-Z]+ \S+(?=: )/, () => `${method} ${pathTemplate}`)
}
