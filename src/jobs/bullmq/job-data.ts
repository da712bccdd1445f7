import { isObject } from '../../client/input/own.js'
import type { GatewayErrorCode, Money, PaymentKind } from '../../index.js'
import * as z from '../../profile/zod-library.js'
import type { CreatedPayment, PaymentJobState, PaymentToSend } from '../index.js'

const moneySchema = z.object({ amount: z.number(), currencyCode: z.string() })

const dataSchema = <K extends PaymentKind>() =>
  z.object({
    v: z.literal(1),
    id: z.string(),
    /** For the report, after the request has gone. */
    money: z.exactOptional(moneySchema),
    /** What is to be sent; absent where the queue holds ids only, and once the payment is done. */
    request: z.exactOptional(z.custom<PaymentToSend<K>>(isObject)),
    /** The job itself looks at it. */
    state: z.exactOptional(z.custom<PaymentJobState>(isObject)),
    /** For `created()`. */
    created: z.exactOptional(z.custom<CreatedPayment<K>>(isObject)),
    /** What `onChange` was called with last. */
    seen: z.exactOptional(z.object({ status: z.exactOptional(z.string()), final: z.boolean() })),
    problem: z.exactOptional(
      z.object({
        because: z.enum(['refused', 'look', 'conflict']),
        code: z.custom<GatewayErrorCode>((code) => typeof code === 'string'),
        message: z.string(),
        differences: z.exactOptional(z.array(z.string())),
        createdAt: z.exactOptional(z.string()),
      }),
    ),
  })

/** What is stored of a payment, sealed. */
export type PaymentData<K extends PaymentKind> = Readonly<z.infer<ReturnType<typeof dataSchema<K>>>>

const resultSchema = z.object({
  money: z.exactOptional(moneySchema),
  status: z.exactOptional(z.string()),
  paid: z.boolean(),
  final: z.boolean(),
  processedAt: z.exactOptional(z.string()),
})

/** What is stored with a job that is done, sealed. */
export type PaymentResult = Readonly<z.infer<typeof resultSchema>>

/** What was sealed, when it is a payment. */
export function readData<K extends PaymentKind>(stored: unknown): PaymentData<K> | undefined {
  return dataSchema<K>().safeParse(stored).data
}

/** What a finished job gave back. */
export function readResult(stored: unknown): PaymentResult | undefined {
  return resultSchema.safeParse(stored).data
}

/** Name of the jobs: the same for all, since a step is no job of its own. */
export const jobName = 'payment'

/** Of a bug of ours: no number of attempts may make a dead letter of a payment whose money may have moved. */
export const endlessAttempts = 2 ** 31 - 1

/** How the worker waits between them. */
export const backoffName = 'payment'

/** The money of a request as the gateway shows it; undefined for a request that has none, which the client will refuse. */
export function moneyOf(payment: PaymentToSend<PaymentKind>): Money | undefined {
  const money: unknown = payment.paymentRequested?.money
  if (!isObject(money)) return undefined
  const { amount, currencyCode } = money
  const number = typeof amount === 'string' ? Number(amount) : amount
  return typeof number === 'number' && Number.isFinite(number) && typeof currencyCode === 'string'
    ? { amount: number, currencyCode }
    : undefined
}

/**
 * BullMQ serves the smallest number first, so every job has one: without, it would go before all of these on both
 * stores. What was woken is looked at within a second, and what a killed worker had begun is not put behind the
 * hundred thousand that wait. Polls go last: each finds less than a create does, and would take its permit.
 */
export const priorities = { woken: 1, begun: 2, create: 10, poll: 20 } as const

/** A job of which the id is all that is kept, and that is still to be sent: only a worker with `load` can do that. */
export function isIdOnly({ request, state }: Pick<PaymentData<PaymentKind>, 'request' | 'state'>): boolean {
  return request === undefined && state?.step !== 'follow'
}
