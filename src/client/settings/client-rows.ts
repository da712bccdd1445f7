import { types } from 'node:util'
import type { Dispatcher } from 'undici'
import { isOperationList } from '../auth/operations.js'
import { familyOperations, type TokenFamily } from '../auth/scopes.js'
import type { Signer } from '../auth/signer.js'
import type { TokenCache } from '../auth/token-cache.js'
import { isRateLimit, type RateLimit, rateLimitRange } from '../http/limit/rate-limit.js'
import { isUrl } from '../input/addresses.js'
import { hasMethod, isObject } from '../input/own.js'
import { longestId } from '../input/payment-id.js'
import type { PrivateKeyInput } from '../input/private-key.js'
import type { Rows } from '../input/reader.js'
import {
  aFunction,
  byDefault,
  duration,
  flag,
  is,
  networkLimit,
  oneOf,
  required,
  text,
  wholeNumber,
} from '../input/reader.js'
import type { GatewayLogger } from '../observe/logger.js'
import type { ClientOptions } from '../options.js'
import { statusRules } from '../payments/status-rules.js'

const logMethods = ['debug', 'info', 'warn', 'error']

export const clientRows = {
  baseUrl: required(is<string | URL>('an absolute URL such as "https://gateway.example/api"', isUrl)),
  merchantCode: required(is<string>('a text that is not empty, and no key', isMerchantCode)),
  privateKey: is<PrivateKeyInput>('PEM text or a KeyObject', isKey),
  privateKeyPassphrase: is<string>('a text', (value) => typeof value === 'string'),
  signer: is<Signer>('an object with a method sign(bytes), which gives the signature as bytes', (value) =>
    hasMethod(value, 'sign'),
  ),
  merchantSecret: text,
  tokens: oneOf('per-family', 'per-payment'),
  tokenValiditySecs: byDefault(wholeNumber(1), 900),
  tokenCache: is<TokenCache>('an object with the methods get and set', (value) =>
    ['get', 'set'].every((method) => hasMethod(value, method)),
  ),
  tokenField: text,
  timestampUnit: byDefault(oneOf('seconds', 'milliseconds'), 'seconds'),
  operations: is<Partial<Record<TokenFamily, readonly string[]>>>(
    'lists of operations for payins, payouts or account, such as { payouts: ["POST /payouts/.*"] }',
    isOperations,
  ),
  customerAccountPath: is<string>(
    'a path that starts with "/" and holds {idPayin} once, such as "/payins/{idPayin}/account", without a query and without dots as segments',
    isCustomerAccountPath,
  ),
  statuses: statusRules,
  live: flag,
  maxIdLength: byDefault(wholeNumber(1), longestId),
  timeoutMs: byDefault(networkLimit, 30_000),
  deadlineMs: byDefault(networkLimit, 120_000),
  retries: byDefault(wholeNumber(0), 4),
  rateLimit: byDefault(is<RateLimit>(rateLimitRange, isRateLimit), 10),
  maxQueued: byDefault(wholeNumber(1), 10_000),
  maxResponseBytes: byDefault(wholeNumber(1), 1024 * 1024),
  fetch: aFunction<typeof globalThis.fetch>('such as the global fetch'),
  dispatcher: is<Dispatcher>('an undici dispatcher, such as new Agent()', (value) =>
    hasMethod(value, 'dispatch'),
  ),
  allowInsecureHttp: byDefault(flag, false),
  logger: is<GatewayLogger>('an object with the methods debug, info, warn and error', (value) =>
    logMethods.every((level) => hasMethod(value, level)),
  ),
  slowCallMs: byDefault(duration, 10_000),
  now: aFunction<() => number>('that returns milliseconds since 1970'),
} satisfies Rows<ClientOptions>

function isMerchantCode(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !/-----BEGIN/.test(value)
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' || types.isUint8Array(value) || types.isKeyObject(value)
}

function isCustomerAccountPath(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\/(?!\/)[^\s?#\\]*$/.test(value)) return false
  const [before, after, ...more] = value.split('{idPayin}')
  const around = `${before}${after}`
  return after !== undefined && more.length === 0 && !/[{}]|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(around)
}

function isOperations(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([family, list]) => Object.hasOwn(familyOperations, family) && isOperationList(list),
  )
}
