import { hasMethod, isObject } from '../../client/input/own.js'
import {
  aFunction,
  anything,
  argumentWords,
  byDefault,
  duration,
  flag,
  is,
  oneOf,
  optionWords,
  type Rows,
  read,
  required,
  signal,
  wholeNumber,
} from '../../client/input/reader.js'
import { ConfigurationError, InvalidInputError, type PaymentKind } from '../../index.js'
import { encryptionKeysRow } from '../../stores/seal.js'
import type { LoadPayment, PaymentJobOptions } from '../index.js'
import { isKind } from '../kinds.js'
import { readConnection } from './connection.js'
import type {
  CreatedOptions,
  PaymentAccount,
  PaymentQueueOptions,
  PaymentWorkerOptions,
  QueueConnection,
  QueueStoreOptions,
} from './types.js'
import { wrongOption } from './wrong-option.js'

const plainName = (value: unknown) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value)

/** By its shape, since a client may be wrapped. */
const isAccount = (value: unknown): value is PaymentAccount =>
  isObject(value) && typeof value.account === 'string' && hasMethod(value, 'deriveKey')

const storeRows = {
  connection: required(anything<QueueConnection>()),
  name: byDefault(is<string>('letters, digits, dashes and underscores, 100 at most', plainName), 'payments'),
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
} satisfies Rows<QueueStoreOptions>

const queueRows = {
  ...storeRows,
  holds: byDefault(oneOf('requests', 'ids'), 'requests'),
} satisfies Rows<PaymentQueueOptions>

const workerRows = <K extends PaymentKind>() =>
  ({
    ...storeRows,
    concurrency: byDefault(wholeNumber(1), 5),
    load: aFunction<LoadPayment<K>>('that takes an id and finds its request'),
    onChange: aFunction<NonNullable<PaymentWorkerOptions<K>['onChange']>>('that takes a payment'),
    keepDoneMs: byDefault(wholeNumber(0), 30 * 24 * 3_600_000),
    lockMs: byDefault(wholeNumber(1000), 8_000),
    checkLocksMs: byDefault(wholeNumber(100), 4_000),
    onError: aFunction<NonNullable<PaymentWorkerOptions<K>['onError']>>('that takes an error'),
    job: anything<PaymentJobOptions>(),
  }) satisfies Rows<PaymentWorkerOptions<K>>

const words = (what: string) => optionWords(ConfigurationError, what, 'connection at least')

/** @throws {ConfigurationError} for a client or a kind that is none. */
export function checkOwner(client: PaymentAccount, kind: PaymentKind): void {
  if (!isKind(kind)) throw wrongOption('kind', 'must be "payin" or "payout"')
  if (!isAccount(client)) throw wrongOption('client', 'must be the GatewayClient of the merchant')
}

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readQueueOptions(options: PaymentQueueOptions) {
  const settings = read(options, queueRows, words('the queue'))
  return { ...settings, engine: readConnection(settings.connection, settings.migrate) }
}

/** @throws {ConfigurationError} naming the option that is unknown, missing or wrong. */
export function readWorkerOptions<K extends PaymentKind>(options: PaymentWorkerOptions<K>) {
  const settings = read(options, workerRows<K>(), words('the worker'))
  return { ...settings, engine: readConnection(settings.connection, settings.migrate) }
}

const createdRows = {
  maxWaitMs: byDefault(duration, 10_000),
  signal,
} satisfies Rows<CreatedOptions>

/** @throws {InvalidInputError} naming the option that is unknown or wrong. */
export function readCreatedOptions(options: CreatedOptions) {
  const ending = 'nothing was waited for.'
  return read(
    options,
    createdRows,
    argumentWords(InvalidInputError, 'options', 'an option of created', ending),
  )
}
