import { hasMethod, isObject } from '../../client/input/own.js'
import {
  aFunction,
  anything,
  byDefault,
  duration,
  flag,
  is,
  oneOf,
  optionWords,
  type Rows,
  read,
  required,
  wholeNumber,
} from '../../client/input/reader.js'
import { ConfigurationError } from '../../index.js'
import { encryptionKeysRow } from '../../shared/stores/seal.js'
import type { PayoutJobOptions } from '../job/index.js'
import { readConnection } from './connection.js'
import type {
  PayoutAccount,
  PayoutConnection,
  PayoutQueueOptions,
  PayoutStoreOptions,
  PayoutWorkerOptions,
} from './types.js'

const plainName = (value: unknown) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value)

/** By its shape, since a client may be wrapped. */
export const isAccount = (value: unknown): value is PayoutAccount =>
  isObject(value) && typeof value.account === 'string' && hasMethod(value, 'deriveKey')

const storeRows = {
  connection: required(anything<PayoutConnection>()),
  name: byDefault(is<string>('letters, digits, dashes and underscores, 100 at most', plainName), 'payouts'),
  prefix: byDefault(
    // Braces keep the keys of a queue together in a cluster of Redis.
    is<string>(
      'letters, digits, dashes, underscores and braces, 100 at most',
      (value) => typeof value === 'string' && /^[\w{}-]{1,100}$/.test(value),
    ),
    'merchant-gateway',
  ),
  encryptionKeys: encryptionKeysRow,
  migrate: byDefault(flag, false),
  connectTimeoutMs: byDefault(duration, 10_000),
} satisfies Rows<PayoutStoreOptions>

const queueRows = {
  ...storeRows,
  client: required(is<PayoutAccount>('the GatewayClient of the merchant whose payouts they are', isAccount)),
  holds: byDefault(oneOf('requests', 'ids'), 'requests'),
  batchSize: byDefault(wholeNumber(1), 100),
} satisfies Rows<PayoutQueueOptions>

const workerRows = {
  ...storeRows,
  concurrency: byDefault(wholeNumber(1), 5),
  load: aFunction<NonNullable<PayoutWorkerOptions['load']>>('that takes an idPayout and finds its request'),
  keepDoneMs: byDefault(wholeNumber(0), 30 * 24 * 3_600_000),
  lockMs: byDefault(wholeNumber(1000), 8_000),
  checkLocksMs: byDefault(wholeNumber(100), 4_000),
  onError: aFunction<NonNullable<PayoutWorkerOptions['onError']>>('that takes an error'),
  job: anything<PayoutJobOptions>(),
} satisfies Rows<PayoutWorkerOptions>

const words = (what: string) => optionWords(ConfigurationError, what, 'client and connection at least')

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readQueueOptions(options: PayoutQueueOptions) {
  const settings = read(options, queueRows, words('the queue'))
  return { ...settings, engine: readConnection(settings.connection, settings.migrate) }
}

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readWorkerOptions(options: PayoutWorkerOptions) {
  const settings = read(options, workerRows, words('the worker'))
  return { ...settings, engine: readConnection(settings.connection, settings.migrate) }
}
