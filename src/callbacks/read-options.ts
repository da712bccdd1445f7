import { check, optionRefusal, optionsOf, type Shape } from '../client/input/check.js'
import { failureKind } from '../client/input/failure-kind.js'
import {
  aFunction,
  duration,
  fitting,
  flag,
  listOf,
  textLike,
  wholeNumber,
  withMethods,
} from '../client/input/kinds.js'
import { hasMethod, isLoopback, isObject, isUrl } from '../client/input/values.js'
import { damageOfVariable } from '../client/input/variable.js'
import { byDefault, optional } from '../client/input/zod.js'
import { ConfigurationError, isGatewayError } from '../index.js'
import type { Places } from './callback-url.js'
import { type DedupeStore, MemoryDedupeStore } from './dedupe.js'
import type { CallbackFailure, CallbackReceiverOptions } from './options.js'

const leastSecretBytes = 32
/** 32 random bytes have about thirty, and 64 random hex digits sixteen. */
const leastDifferentBytes = 8

const url = (expected: string) => fitting<string | URL>(expected, isUrl)

const schema = optionsOf(
  'the receiver',
  {
    client: fitting<CallbackReceiverOptions['client']>(
      'a GatewayClient',
      (value) => isObject(value) && typeof value.account === 'string' && hasMethod(value, 'attachCallbacks'),
    ),
    publicUrl: url('an absolute URL such as "https://shop.example/gateway/callbacks"'),
    secrets: optional(
      fitting<readonly (string | Uint8Array)[]>(
        'a list of texts or bytes, the one that signs first',
        Array.isArray,
      ),
    ),
    environment: optional(
      textLike('a name of letters, digits, dots, dashes and underscores', /^[\w.-]{1,100}$/),
    ),
    previousPublicUrls: byDefault(listOf('a list of absolute URLs', url), []),
    onPayin: optional(aFunction<NonNullable<CallbackReceiverOptions['onPayin']>>('that takes a payin')),
    onPayout: optional(aFunction<NonNullable<CallbackReceiverOptions['onPayout']>>('that takes a payout')),
    wake: optional(
      aFunction<NonNullable<CallbackReceiverOptions['wake']>>('that takes { idPayin } or { idPayout }'),
    ),
    onError: byDefault(
      aFunction<NonNullable<CallbackReceiverOptions['onError']>>('that takes an error'),
      warn,
    ),
    dedupe: optional(withMethods<DedupeStore>('an object with the methods get and set', 'get', 'set')),
    lookupDeadlineMs: byDefault(duration, 4000),
    functionTimeoutMs: byDefault(duration, 30_000),
    dedupeTimeoutMs: byDefault(duration, 1000),
    maxPending: byDefault(wholeNumber(1), 1000),
    allowInsecureHttp: byDefault(flag, false),
  } satisfies Shape<CallbackReceiverOptions>,
  'client, publicUrl and secrets',
)

const wrongOption = optionRefusal(ConfigurationError, 'the receiver')
const wrongSecrets = (why: string) => wrongOption('secrets', why)

/** @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}). */
export function readCallbackOptions(input: CallbackReceiverOptions) {
  const { environment, previousPublicUrls, allowInsecureHttp, ...options } = check(schema, input, wrongOption)
  if ([options.onPayin, options.onPayout, options.wake].every((one) => one === undefined)) {
    throw wrongOption(
      'onPayin',
      'is missing, and so are onPayout and wake: each callback would be answered, and nobody told of it',
    )
  }
  const publicUrl = readPublicUrl('publicUrl', options.publicUrl, allowInsecureHttp)
  const previous = previousPublicUrls.map((url) => `url ${readPublicUrl('previousPublicUrls', url, true)}`)
  const byUrl: Places = [`url ${publicUrl}`, ...previous]
  // URLs that are bound to an address stay good when an environment gets its name.
  const places: Places = environment === undefined ? byUrl : [`environment ${environment}`, ...byUrl]
  return {
    ...options,
    publicUrl,
    places,
    secrets: readSecrets(options.secrets),
    dedupe: options.dedupe ?? new MemoryDedupeStore(),
  }
}

/** `publicUrl` has no slash at its end. */
export type CallbackSettings = ReturnType<typeof readCallbackOptions>

/** @throws for a secret that could be guessed, and where there is none ({@link ConfigurationError}). */
function readSecrets(secrets: readonly unknown[] = secretsFromEnv()): readonly [Uint8Array, ...Uint8Array[]] {
  const bytes = secrets.map((secret: unknown) => {
    if (typeof secret === 'string') return new TextEncoder().encode(secret)
    if (secret instanceof Uint8Array) return Uint8Array.from(secret)
    throw wrongSecrets(`must hold texts or bytes, and one is ${typeof secret}; is its variable set?`)
  })
  const damage = secrets
    .map((secret) => (typeof secret === 'string' ? damageOfVariable(secret.trim()) : undefined))
    .find((one) => one !== undefined)
  if (damage !== undefined) {
    throw wrongSecrets(`(GATEWAY_CALLBACK_SECRET) must be as they were made, and one ${damage}`)
  }
  if (bytes.some(({ length }) => length < leastSecretBytes)) {
    throw wrongSecrets(`must each have at least ${leastSecretBytes} bytes; "openssl rand -hex 32" makes one`)
  }
  if (bytes.some((secret) => new Set(secret).size < leastDifferentBytes)) {
    throw wrongSecrets(
      `must each be random, and one has fewer than ${leastDifferentBytes} different bytes; "openssl rand -hex 32" makes one`,
    )
  }
  const [first, ...others] = bytes
  if (first === undefined) {
    throw wrongSecrets(
      'are missing; set GATEWAY_CALLBACK_SECRET or give the option; "openssl rand -hex 32" makes one',
    )
  }
  return [first, ...others]
}

function secretsFromEnv(): string[] {
  return (process.env.GATEWAY_CALLBACK_SECRET ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
}

function readPublicUrl(option: string, url: string | URL, allowInsecureHttp: boolean): string {
  const { protocol, hostname, username, search, hash, origin, pathname } = new URL(url)
  const mayBeHttp = isLoopback(hostname) || allowInsecureHttp
  if (protocol !== 'https:' && !(mayBeHttp && protocol === 'http:')) {
    throw wrongOption(
      option,
      allowInsecureHttp
        ? 'must be https, or plain http'
        : 'must be https: whoever reads the URL on its way can call it (allowInsecureHttp allows plain http)',
    )
  }
  if (username !== '' || search !== '' || hash !== '') {
    throw wrongOption(option, 'must not have a user name, a query or a fragment')
  }
  return origin + pathname.replace(/\/+$/, '')
}

/** Without the error's message, which is the merchant's and may name a customer. */
function warn(error: unknown, { kind, id, during }: CallbackFailure): void {
  // An error about an option names no customer, and says what to do.
  const what = isGatewayError(error) && error.code === 'configuration' ? error.message : failureKind(error)
  const sentence =
    during === 'dedupe-store'
      ? `the dedupe store failed (${what}), so your function may be called with ${kind} ${id} again`
      : `the callback for ${kind} ${id} failed (${during}: ${what}) and was not answered with success`
  process.emitWarning(`${sentence}; give onError to learn more.`, {
    type: 'MerchantGatewayCallback',
    code: 'MERCHANT_GATEWAY_CALLBACK',
  })
}
