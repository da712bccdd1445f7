import { isObject } from '../../client/input/own.js'
import type { Money } from '../../index.js'
import type { PayoutJobState, PayoutToSend } from '../job/index.js'
import type { PayoutProblem } from './types.js'

/** What is stored of a payout, sealed. */
export interface PayoutData {
  readonly v: 1
  readonly idPayout: string
  /** For the report, after the request has gone. */
  readonly money?: Money
  /** What is to be sent; absent where the queue holds ids only, and once the payout is final. */
  readonly request?: PayoutToSend
  readonly state?: PayoutJobState
  readonly problem?: PayoutProblem
}

/** What is stored with a job that is done, sealed. */
export interface PayoutResult {
  readonly money: Money
  readonly status?: string
  readonly paid: boolean
  readonly processedAt?: string
}

/** Name of the jobs: the same for all, since a step is no job of its own. */
export const jobName = 'payout'

/** Of a bug of ours: no number of attempts may make a dead letter of a payout whose money may have moved. */
export const endlessAttempts = 2 ** 31 - 1

/** How the worker waits between them. */
export const backoffName = 'payout'

/** The money of a request as the gateway shows it; undefined for a request that has none, which the client will refuse. */
export function moneyOf(payout: PayoutToSend): Money | undefined {
  const money: unknown = payout.paymentRequested?.money
  if (!isObject(money)) return undefined
  const { amount, currencyCode } = money
  const number = typeof amount === 'string' ? Number(amount) : amount
  return typeof number === 'number' && Number.isFinite(number) && typeof currencyCode === 'string'
    ? { amount: number, currencyCode }
    : undefined
}

/** What was sealed, when it is a payout; its state is looked at by the job itself. */
export function readData(stored: unknown): PayoutData | undefined {
  if (!isObject(stored) || stored.v !== 1 || typeof stored.idPayout !== 'string') return undefined
  const data = { ...stored }
  return isData(data) ? data : undefined
}

function isData(data: Record<string, unknown>): data is Record<string, unknown> & PayoutData {
  const { request, problem, money } = data
  return (
    (request === undefined || isObject(request)) &&
    (problem === undefined || (isObject(problem) && typeof problem.because === 'string')) &&
    (money === undefined || isMoney(money))
  )
}

/** What a finished job gave back. */
export function readResult(stored: unknown): PayoutResult | undefined {
  return isObject(stored) && isResult(stored) ? stored : undefined
}

function isResult(stored: Record<string, unknown>): stored is Record<string, unknown> & PayoutResult {
  return isMoney(stored.money) && typeof stored.paid === 'boolean'
}

function isMoney(value: unknown): value is Money {
  return isObject(value) && typeof value.currencyCode === 'string' && typeof value.amount === 'number'
}

/**
 * BullMQ serves the smallest number first, so every job has one: without, it would go before all of these on both
 * stores. What was woken is looked at within a second, and what a killed worker had begun is not put behind the
 * hundred thousand that wait. Polls go last: each finds less than a create does, and would take its permit.
 */
export const priorities = { woken: 1, begun: 2, create: 10, poll: 20 } as const

/** A job of which the id is all that is kept, and that is still to be sent: only a worker with `load` can do that. */
export function isIdOnly({ request, state }: PayoutData): boolean {
  return request === undefined && state?.step !== 'follow'
}
