import { types } from 'node:util'
import type { Dispatcher } from 'undici'
import { operationList } from '../auth/operations.js'
import { familyOperations, type TokenFamily } from '../auth/scopes.js'
import type { Signer } from '../auth/signer.js'
import type { TokenCache } from '../auth/token-cache.js'
import { isRateLimit, type RateLimit, rateLimitRange } from '../http/limit/rate-limit.js'
import type { Shape } from '../input/check.js'
import {
  aFunction,
  duration,
  fitting,
  flag,
  networkLimit,
  oneOf,
  text,
  wholeNumber,
  withMethods,
} from '../input/kinds.js'
import { longestId } from '../input/payment-id.js'
import type { PrivateKeyInput } from '../input/private-key.js'
import { isObject, isUrl } from '../input/values.js'
import * as z from '../input/zod.js'
import type { GatewayLogger } from '../observe/logger.js'
import type { ClientOptions, GatewayEnvironment } from '../options.js'
import { statusRules } from '../payments/reading.js'

export const variables = new Map<z.Schema, keyof GatewayEnvironment>()

function fromEnv<S extends z.Schema>(variable: keyof GatewayEnvironment, schema: S): S {
  variables.set(schema, variable)
  return schema
}

/** What each option must be, its default and its variable. docs/options.md says what it is for, and a test holds it to this table. */
export const clientOptions = {
  baseUrl: fromEnv(
    'GATEWAY_BASE_URL',
    fitting<string | URL>('an absolute URL such as "https://gateway.example/api"', isUrl),
  ),
  merchantCode: fromEnv(
    'GATEWAY_MERCHANT_CODE',
    fitting<string>('a text that is not empty, and no key', isMerchantCode),
  ),
  privateKey: fromEnv(
    'GATEWAY_PRIVATE_KEY',
    z.optional(fitting<PrivateKeyInput>('PEM text or a KeyObject', isKey)),
  ),
  privateKeyPassphrase: fromEnv('GATEWAY_PRIVATE_KEY_PASSPHRASE', z.optional(z.string('must be a text'))),
  signer: z.optional(
    withMethods<Signer>('an object with a method sign(bytes), which gives the signature as bytes', 'sign'),
  ),
  merchantSecret: fromEnv('GATEWAY_MERCHANT_SECRET', z.optional(text)),
  tokens: fromEnv('GATEWAY_TOKENS', z.optional(oneOf('per-family', 'per-payment'))),
  tokenValiditySecs: fromEnv('GATEWAY_TOKEN_VALIDITY_SECS', z.byDefault(wholeNumber(1), 900)),
  tokenCache: z.optional(withMethods<TokenCache>('an object with the methods get and set', 'get', 'set')),
  tokenField: fromEnv('GATEWAY_TOKEN_FIELD', z.optional(text)),
  timestampUnit: fromEnv('GATEWAY_TIMESTAMP_UNIT', z.byDefault(oneOf('seconds', 'milliseconds'), 'seconds')),
  operations: fromEnv(
    'GATEWAY_OPERATIONS',
    z.optional(
      fitting<Partial<Record<TokenFamily, readonly string[]>>>(
        'lists of operations for payins, payouts or account, such as { payouts: ["POST /payouts/.*"] }',
        isOperations,
      ),
    ),
  ),
  customerAccountPath: fromEnv(
    'GATEWAY_CUSTOMER_ACCOUNT_PATH',
    z.optional(
      fitting<string>(
        'a path that starts with "/" and holds {idPayin} once, such as "/payins/{idPayin}/account", without a query and without dots as segments',
        isCustomerAccountPath,
      ),
    ),
  ),
  statuses: fromEnv('GATEWAY_STATUSES', z.optional(statusRules)),
  live: fromEnv('GATEWAY_LIVE', z.optional(flag)),
  maxIdLength: fromEnv('GATEWAY_MAX_ID_LENGTH', z.byDefault(wholeNumber(1), longestId)),
  timeoutMs: fromEnv('GATEWAY_TIMEOUT_MS', z.byDefault(networkLimit('timeoutMs'), 30_000)),
  deadlineMs: fromEnv('GATEWAY_DEADLINE_MS', z.byDefault(networkLimit('deadlineMs'), 120_000)),
  retries: fromEnv('GATEWAY_RETRIES', z.byDefault(wholeNumber(0), 4)),
  rateLimit: fromEnv('GATEWAY_RATE_LIMIT', z.byDefault(fitting<RateLimit>(rateLimitRange, isRateLimit), 10)),
  maxQueued: fromEnv('GATEWAY_MAX_QUEUED', z.byDefault(wholeNumber(1), 10_000)),
  maxResponseBytes: fromEnv('GATEWAY_MAX_RESPONSE_BYTES', z.byDefault(wholeNumber(1), 1024 * 1024)),
  fetch: z.optional(aFunction<typeof globalThis.fetch>('such as the global fetch')),
  dispatcher: z.optional(withMethods<Dispatcher>('an undici dispatcher, such as new Agent()', 'dispatch')),
  allowInsecureHttp: fromEnv('GATEWAY_ALLOW_INSECURE_HTTP', z.byDefault(flag, false)),
  logger: z.optional(
    withMethods<GatewayLogger>(
      'an object with the methods debug, info, warn and error',
      'debug',
      'info',
      'warn',
      'error',
    ),
  ),
  slowCallMs: fromEnv('GATEWAY_SLOW_CALL_MS', z.byDefault(duration, 10_000)),
  now: z.optional(aFunction<() => number>('that returns milliseconds since 1970')),
} satisfies Shape<ClientOptions>

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
    ([family, list]) => Object.hasOwn(familyOperations, family) && z.safeParse(operationList, list).success,
  )
}
