import { hasMethod } from '../../input/values.js'
import type { Observer } from '../../observe/observer.js'
import type { CountedRate, Limiter } from './limiter.js'
import { PermitQueue } from './queue.js'

export type RateLimit = number | CountedRate | Limiter | false

export const rateLimitRange =
  'a number of requests a second from 0.001 on, { requestsPerSecond, counted } with counted "in-windows" or "evenly-spaced", false, or a limiter with a method acquire(signal)'

export function isRateLimit(value: unknown): boolean {
  if (value === false || isRate(value)) return true
  if (typeof value !== 'object' || value === null) return false
  // A limiter may be of a class, so not its own properties alone.
  if (hasMethod(value, 'acquire')) return true
  const { requestsPerSecond, counted, ...others } = Object.fromEntries(Object.entries(value))
  return (
    isRate(requestsPerSecond) &&
    (counted === undefined || counted === 'in-windows' || counted === 'evenly-spaced') &&
    Object.keys(others).length === 0
  )
}

/** Slower than once in a quarter of an hour, no call would live to see its permit. */
const leastRate = 0.001

function isRate(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= leastRate
}

function isLimiter(rateLimit: number | CountedRate | Limiter): rateLimit is Limiter {
  return hasMethod(rateLimit, 'acquire')
}

export function permitQueue(
  rateLimit: RateLimit,
  maxQueued: number,
  observer: Observer,
  account = () => '',
): PermitQueue {
  if (rateLimit === false) return new PermitQueue({ maxQueued, observer })
  if (isLimiter(rateLimit)) {
    const limiter = rateLimit.forAccount?.(account()) ?? rateLimit
    return new PermitQueue({ limiter, maxQueued, observer })
  }
  const { requestsPerSecond, counted } =
    typeof rateLimit === 'number' ? { requestsPerSecond: rateLimit } : { counted: undefined, ...rateLimit }
  const rate = { requestsPerSecond: wholeOrLess(requestsPerSecond), counted }
  return new PermitQueue({ rate, maxQueued, observer })
}

/** It may be a share: four processes that round 2.5 up would send twelve of ten. Less than one is one in a longer time. */
function wholeOrLess(requestsPerSecond: number): number {
  return requestsPerSecond < 1 ? requestsPerSecond : Math.floor(requestsPerSecond)
}
