import { ownValue } from '../client/input/own.js'
import type { ConfigurationError } from '../index.js'
import { wrongOption } from './wrong-option.js'

const leastSecretBytes = 32
/** A secret of 32 random bytes has about thirty, and one of 64 random hex digits sixteen. */
const leastDifferentBytes = 8

/**
 * The secrets of a receiver: those of the option, or else of the environment.
 *
 * @throws {ConfigurationError} for one that could be guessed, and where there is none.
 */
export function readSecrets(
  secrets: readonly unknown[] = secretsFromEnv(),
): readonly [Uint8Array, ...Uint8Array[]] {
  const bytes = secrets.map((secret: unknown) => {
    if (typeof secret === 'string') return new TextEncoder().encode(secret)
    if (secret instanceof Uint8Array) return Uint8Array.from(secret)
    throw wrong(`must hold texts or bytes, and one is ${typeof secret}; is its variable set?`)
  })
  if (bytes.some(({ length }) => length < leastSecretBytes)) {
    throw wrong(`must each have at least ${leastSecretBytes} bytes; "openssl rand -hex 32" makes one`)
  }
  if (bytes.some((secret) => new Set(secret).size < leastDifferentBytes)) {
    throw wrong(
      `must each be random, and one has fewer than ${leastDifferentBytes} different bytes; "openssl rand -hex 32" makes one`,
    )
  }
  const [first, ...others] = bytes
  if (first === undefined) {
    throw wrong('are missing; give the option or set GATEWAY_CALLBACK_SECRET')
  }
  return [first, ...others]
}

function secretsFromEnv(): string[] {
  return (ownValue(process.env, 'GATEWAY_CALLBACK_SECRET') ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}

function wrong(why: string): ConfigurationError {
  return wrongOption('secrets', why)
}
