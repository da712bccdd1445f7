import { isLoopback, isUrl } from '../client/input/addresses.js'
import { failureKind } from '../client/input/failure-kind.js'
import { hasMethod } from '../client/input/own.js'
import { type Door, didYouMean, type Rows, read } from '../client/input/reader.js'
import {
  aFunction,
  byDefault,
  duration,
  flag,
  is,
  oneOf,
  required,
  wholeNumber,
} from '../client/input/rows.js'
import { ConfigurationError, type GatewayClient } from '../index.js'
import type { CallbackBroadcast } from './broadcast.js'
import type { CallbackFailure, CallbackReceiverOptions, CallbackSettings } from './options.js'
import { readSecrets } from './secrets.js'
import { MemorySeenStore, type SeenStore } from './seen.js'
import { wrongOption } from './wrong-option.js'

const rows = {
  client: required(
    is<Pick<GatewayClient, 'account' | 'attachCallbacks'>>(
      'a GatewayClient',
      (value) =>
        hasMethod(value, 'attachCallbacks') && typeof Reflect.get(Object(value), 'account') === 'string',
    ),
  ),
  publicUrl: required(
    is<string | URL>('an absolute URL such as "https://shop.example/gateway/callbacks"', isUrl),
  ),
  secrets: is<readonly (string | Uint8Array)[]>(
    'a list of texts or bytes, the one that signs first',
    Array.isArray,
  ),
  environment: is<string>(
    'a name of letters, digits, dots, dashes and underscores',
    (value) => typeof value === 'string' && /^[\w.-]{1,100}$/.test(value),
  ),
  previousPublicUrls: byDefault(
    is<readonly (string | URL)[]>(
      'a list of absolute URLs',
      (value) => Array.isArray(value) && value.every(isUrl),
    ),
    [],
  ),
  unboundUrls: byDefault(oneOf('sign', 'accept', 'refuse'), 'accept'),
  onPayin: aFunction<NonNullable<CallbackReceiverOptions['onPayin']>>('that takes a payin'),
  onPayout: aFunction<NonNullable<CallbackReceiverOptions['onPayout']>>('that takes a payout'),
  onError: byDefault(aFunction<CallbackSettings['onError']>('that takes an error'), warn),
  seen: is<SeenStore>('an object with the methods get and set', (value) =>
    ['get', 'set'].every((method) => hasMethod(value, method)),
  ),
  broadcast: is<CallbackBroadcast>('an object with the methods publish and subscribe', (value) =>
    ['publish', 'subscribe'].every((method) => hasMethod(value, method)),
  ),
  lookupDeadlineMs: byDefault(duration, 4000),
  functionTimeoutMs: byDefault(duration, 30_000),
  seenTimeoutMs: byDefault(duration, 1000),
  maxPending: byDefault(wholeNumber(1), 1000),
  allowInsecureHttp: byDefault(flag, false),
} satisfies Rows<CallbackReceiverOptions>

const door: Door = {
  notKnown: (name, known) =>
    `is not an option of the receiver; the options are ${known.join(', ')}${didYouMean(name, known)}`,
  refuse: wrongOption,
  needsObject: () =>
    new ConfigurationError('the receiver needs an object of options: client, publicUrl and secrets.'),
}

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readCallbackOptions(given: CallbackReceiverOptions): CallbackSettings {
  const { secrets, seen = new MemorySeenStore(), ...options } = read(given, rows, door)
  const { environment, previousPublicUrls, unboundUrls, allowInsecureHttp } = options
  const publicUrl = readPublicUrl('publicUrl', options.publicUrl, allowInsecureHttp)
  const previous = previousPublicUrls.map((url) => `url ${readPublicUrl('previousPublicUrls', url, true)}`)
  const own = `url ${publicUrl}`
  const { onPayin, onPayout, onError, broadcast } = options
  const { lookupDeadlineMs, functionTimeoutMs, seenTimeoutMs, maxPending } = options
  return {
    publicUrl,
    binding: {
      // URLs that are bound to an address stay good when an environment gets its name.
      places:
        environment === undefined ? [own, ...previous] : [`environment ${environment}`, own, ...previous],
      unbound: unboundUrls,
    },
    secrets: readSecrets(secrets),
    onPayin,
    onPayout,
    onError,
    seen,
    broadcast,
    lookupDeadlineMs,
    functionTimeoutMs,
    seenTimeoutMs,
    maxPending,
  }
}

function readPublicUrl(option: string, url: string | URL, allowInsecureHttp: boolean): string {
  const { protocol, hostname, username, search, hash, origin, pathname } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && (isLoopback(hostname) || allowInsecureHttp))) {
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
  const what = failureKind(error)
  const sentence =
    during === 'seen-store'
      ? `the seen store failed (${what}), so your function may be told of ${kind} ${id} again`
      : `the callback for ${kind} ${id} failed (${during}: ${what}) and was not answered with success`
  process.emitWarning(`${sentence}; give onError to learn more.`, {
    type: 'MerchantGatewayCallback',
    code: 'MERCHANT_GATEWAY_CALLBACK',
  })
}
