import type { KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { isObject } from '../common/json.js'
import { rsaPrivateKey, rsaPublicKey } from './auth/credentials.js'
import { type DeliverCallback, deliverByFetch } from './callbacks/delivery.js'
import { limiterOptions } from './engine/limiter.js'
import { magicAmounts } from './faults/magic-amounts.js'
import { check, dotted, exactly, flag, number, oneOf, text, whole } from './input/check.js'
import type { SandboxOperator, SandboxOptions } from './options.js'
import { defaultBalances } from './payments/balances.js'

const DAY_MS = 24 * 60 * 60 * 1000

const withDefault = z._default
const words = () => text('a text that is not empty')
const count = (least = 1) => whole(`a whole number, ${least} or more`, least)
const duration = () => number('a number of milliseconds, 0 or more', 0)

/** One of some texts, which the sentence has in quotation marks. */
const choice = <const Text extends string>(...texts: readonly Text[]) =>
  oneOf(
    texts,
    texts
      .map((one) => `"${one}"`)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or '),
  )

const is = <T>(expected: string, fits: (value: unknown) => boolean) =>
  z.custom<T>(fits, `must be ${expected}`)

const isFunction = (value: unknown) => typeof value === 'function'
const aFunction = <F>(which: string) => is<F>(`a function ${which}`, isFunction)

const listOf = <T>(expected: string, fits: (value: unknown) => boolean) =>
  is<readonly T[]>(`a list of ${expected}`, (value) => Array.isArray(value) && value.every(fits))

/** Their names are invented. */
const defaultOperators: readonly SandboxOperator[] = [
  { code: 'HARBOUR', name: 'Harbour Bank' },
  { code: 'MERIDIAN', name: 'Meridian Savings' },
  { code: 'NORTHGATE', name: 'Northgate Bank' },
]

/** Every option, with its default where it has one that depends on no other. */
const rows = {
  strictness: withDefault(choice('specification', 'generous'), 'generous'),
  merchantCode: withDefault(words(), 'SANDBOX-MERCHANT'),
  merchantSecret: z.optional(words()),
  publicKeys: withDefault(
    listOf<string | KeyObject>(
      'public RSA keys, each a PEM or a KeyObject',
      (value) => rsaPublicKey(value) !== undefined,
    ),
    [],
  ),
  privateKey: z.optional(
    is<string | KeyObject>(
      'a private RSA key, a PEM or a KeyObject',
      (value) => rsaPrivateKey(value) !== undefined,
    ),
  ),
  timestampUnit: withDefault(choice('seconds', 'milliseconds'), 'seconds'),
  timestampToleranceSecs: withDefault(number('a number of seconds, 0 or more', 0), 300),
  replay: withDefault(choice('allow', 'refuse'), 'allow'),
  tokenField: withDefault(words(), 'token'),
  tokenFormat: withDefault(choice('json', 'json-string', 'text'), 'json'),
  maxValiditySecs: withDefault(count(), 1_000_000_000),
  payinStatusIn: withDefault(choice('process', 'top'), 'process'),
  errorFormat: z.optional(choice('code', 'errors', 'none')),
  customerAccountPath: z.optional(
    is<string>('a path with exactly one {idPayin}, such as /payins/{idPayin}/customer-account', isTemplate),
  ),
  basePath: withDefault(
    is<string>(
      'a path such as /api, that begins with / and does not end with one',
      (value) => value === '' || isPath(value),
    ),
    '',
  ),
  rateLimit: withDefault(limiterOptions.rateLimit, 10),
  limiter: withDefault(limiterOptions.limiter, 'sliding-window'),
  retryAfter: withDefault(
    is<'seconds' | 'date' | false>('"seconds", "date" or false', (value) =>
      ['seconds', 'date', false].some((one) => one === value),
    ),
    false,
  ),
  pendingAfterMs: withDefault(duration(), 0),
  payAfterMs: withDefault(
    is<number | false>(
      'a number of milliseconds, 0 or more, or false',
      (value) => value === false || (isNumber(value) && value >= 0),
    ),
    1000,
  ),
  payJitterMs: withDefault(duration(), 0),
  expireAfterMs: withDefault(duration(), DAY_MS),
  magicAmounts: withDefault(flag(), true),
  clock: withDefault(choice('real', 'virtual'), 'real'),
  startAt: z.optional(
    is<number | Date>('milliseconds since 1970, or a Date', (value) =>
      isNumber(value instanceof Date ? value.getTime() : value),
    ),
  ),
  seed: z.optional(
    is<number | string>('a number or a text', (value) => isNumber(value) || typeof value === 'string'),
  ),
  onExchange: z.optional(
    aFunction<NonNullable<SandboxOptions['onExchange']>>('that is called for each exchange'),
  ),
  deliver: withDefault(aFunction<DeliverCallback>('that carries a callback'), () => deliverByFetch),
  callbackBody: z.optional(
    aFunction<NonNullable<SandboxOptions['callbackBody']>>('from a payment to the content of its callback'),
  ),
  callbackTries: withDefault(count(), 3),
  callbackRetryAfterMs: withDefault(duration(), 1000),
  callbackTimeoutMs: withDefault(duration(), 5000),
  maxLogged: withDefault(count(0), 10_000),
  maxPayments: withDefault(count(), 20_000),
  maxBodyBytes: withDefault(count(), 1024 * 1024),
  channelName: withDefault(words(), 'Sandbox Shop'),
  balances: withDefault(
    is<Readonly<Record<string, number>>>(
      'an object of numbers by currency code, such as { EUR: 1000 }',
      isBalances,
    ),
    defaultBalances,
  ),
  balanceCounts: withDefault(
    exactly(
      {
        pendingPayins: z.optional(flag()),
        pendingPayouts: z.optional(flag()),
        fees: z.optional(choice('with-payment', 'kept', 'apart')),
      },
      { what: 'an object such as { pendingPayouts: true }', of: 'a part' },
    ),
    {},
  ),
  mistakes: withDefault(choice('by-specification', 'refuse', 'note'), 'by-specification'),
  payinMethods: withDefault(
    listOf<string>('codes of payment methods', (value) => typeof value === 'string' && value !== ''),
    ['VAPAY'],
  ),
  paymentOperators: withDefault(
    listOf<SandboxOperator>('objects with code and name', isOperator),
    defaultOperators,
  ),
} satisfies { readonly [Name in keyof SandboxOptions]-?: z.ZodMiniType }

const schema = exactly(rows, { has: 'the options are' })

export type SandboxSettings = ReturnType<typeof normaliseOptions>

/** @throws naming the option and says what it should be (`Error`). */
export function normaliseOptions(input: SandboxOptions) {
  return settingsOf(
    check(
      schema,
      input,
      (path) => `createSandbox: ${path.length === 0 ? 'the options' : `the option ${dotted(path)}`}`,
    ),
  )
}

function settingsOf(options: z.infer<typeof schema>) {
  const { startAt, privateKey } = options
  const isGenerous = options.strictness === 'generous'
  return {
    ...options,
    merchantSecret: options.merchantSecret,
    publicKeys: options.publicKeys.map(rsaPublicKey).filter((key) => key !== undefined),
    privateKey: privateKey === undefined ? undefined : rsaPrivateKey(privateKey),
    errorFormat: options.errorFormat ?? (isGenerous ? 'code' : 'none'),
    customerAccountPath:
      options.customerAccountPath ?? (isGenerous ? '/payins/{idPayin}/customer-account' : undefined),
    magicAmounts: options.magicAmounts ? magicAmounts : [],
    startAt: startAt instanceof Date ? startAt.getTime() : startAt,
    seed: options.seed,
    onExchange: options.onExchange,
    callbackBody: options.callbackBody,
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[^?#]*[^?#/]$/.test(value)
}

function isTemplate(value: unknown): boolean {
  return isPath(value) && typeof value === 'string' && value.split('{idPayin}').length === 2
}

function isBalances(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([code, amount]) => /^[A-Z]{3}$/.test(code) && isNumber(amount))
  )
}

function isOperator(value: unknown): boolean {
  return isObject(value) && typeof value.code === 'string' && typeof value.name === 'string'
}
