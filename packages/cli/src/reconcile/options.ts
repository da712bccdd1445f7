import { InvalidInputError } from 'merchant-gateway'
import * as z from 'zod/mini'
import { unitsOf } from '../input/amounts.js'
import { readOptions } from '../input/options.js'
import { isObject } from '../input/values.js'
import type { KnownPayment, Many, Opening, ReconcileClient, ReconcileOptions } from './types.js'

export function isMany(value: unknown): value is Many<unknown> {
  return (
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
  )
}

function isClient(value: unknown): boolean {
  const has = (part: unknown, method: string) => isObject(part) && typeof part[method] === 'function'
  if (!isObject(value)) return false
  const { payins, payouts, balances } = value
  return has(payins, 'retrieve') && has(payouts, 'retrieve') && has(balances, 'list')
}

const isFunction = (value: unknown) => typeof value === 'function'
const aFunction = <F extends (...args: never[]) => unknown>(that: string) =>
  z.optional(z.custom<F>(isFunction, `must be a function that ${that}`))
const flag = z.optional(z.boolean('must be true or false'))
const dayMs = 86_400_000

type Of<Name extends keyof ReconcileOptions> = NonNullable<ReconcileOptions[Name]>

const optionsSchema = z.strictObject({
  client: z.custom<ReconcileClient>(isClient, 'must be a GatewayClient'),
  opening: z.optional(z.unknown()),
  payments: z.custom<ReconcileOptions['payments']>(
    (value) => isFunction(value) || isMany(value),
    'must be an iterable of payments, or a function that gives one',
  ),
  balanceCounts: z._default(
    z.strictObject({
      pendingPayins: flag,
      pendingPayouts: flag,
      fees: z.optional(z.enum(['with-payment', 'kept', 'apart'], 'must be with-payment, kept or apart')),
    }),
    {},
  ),
  balancesOf: aFunction<Of<'balancesOf'>>('takes a response'),
  paidMoneyOf: aFunction<Of<'paidMoneyOf'>>('takes a payin'),
  rememberMs: z._default(z.number('must be a number of milliseconds, 0 or more').check(z.gte(0)), 90 * dayMs),
  resume: z.optional(
    z.custom<Many<KnownPayment>>(isMany, 'must be an iterable of what onLookedUp was given'),
  ),
  onLookedUp: aFunction<Of<'onLookedUp'>>('takes a payment'),
  onProgress: aFunction<Of<'onProgress'>>('takes how far the run is'),
  signal: z.optional(
    z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal'),
  ),
  now: aFunction<Of<'now'>>('gives the time'),
})

/** @throws naming what is unknown, missing or wrong ({@link ConfigurationError}). */
export function readReconcileOptions(options: ReconcileOptions) {
  const settings = readOptions(optionsSchema, options, 'reconcileBalances')
  const opening = settings.opening === undefined ? undefined : readOpening(settings.opening)
  return { ...settings, opening, now: settings.now ?? Date.now }
}

export type Settings = ReturnType<typeof readReconcileOptions>

const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))))
const decimal = z.string().check(z.refine((text) => unitsOf(text) !== undefined))
const money = z.object({ amount: decimal, currencyCode: z.string() })

const knownSchema: z.ZodMiniType<KnownPayment> = z.object({
  kind: z.enum(['payin', 'payout']),
  id: z.string(),
  status: z.optional(z.string()),
  final: z.boolean(),
  since: time,
  payment: z.optional(money),
  fee: z.optional(money),
})

const openingSchema: z.ZodMiniType<Opening> = z.object({
  version: z.literal(1),
  closedAt: time,
  balances: z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), decimal),
  payments: z.array(knownSchema),
})

/** @throws for what no run has returned: a file that was cut would look like money that is missing ({@link InvalidInputError}). */
export function readOpening(value: unknown): Opening {
  return z.safeParse(openingSchema, value).data ?? refuse('opening')
}

/** One payment of it, or of what was handed to `onLookedUp`. */
export function readKnown(value: unknown, field: string): KnownPayment {
  return z.safeParse(knownSchema, value).data ?? refuse(field)
}

function refuse(field: string): never {
  throw new InvalidInputError(
    `reconcileBalances: ${field} is not what a run has returned; nothing was looked up, so give it as it was kept, in whole.`,
    { field },
  )
}
