import {
  argumentRefusal,
  check,
  notA,
  optionRefusal,
  optionsOf,
  type Shape,
  strict,
} from '../client/input/check.js'
import { anything, duration, networkLimit, oneOf, signal, wholeNumber } from '../client/input/kinds.js'
import { whyNoId } from '../client/input/payment-id.js'
import { hasMethod, isObject } from '../client/input/values.js'
import { byDefault, optional } from '../client/input/zod.js'
import { ConfigurationError, InvalidInputError, isFinal, isGatewayError, type PaymentKind } from '../index.js'
import { afterCreate, afterStatusRequest, type Decision, type Failed, type Gaps } from './decide.js'
import { isKind, type Kind, kindOf, notOurs } from './kinds.js'
import { stateFor } from './state.js'
import type {
  CreatedPayment,
  PaymentById,
  PaymentJob,
  PaymentJobClient,
  PaymentJobOptions,
  PaymentOf,
  PaymentRun,
  PaymentToSend,
  PaymentVerdict,
} from './types.js'

const wrongOption = optionRefusal(ConfigurationError, "a payment's job")

/** @throws for what is no kind ({@link ConfigurationError}). */
export const jobOptionShape = (kind: PaymentKind) => {
  if (!isKind(kind)) throw wrongOption('kind', 'must be "payin" or "payout"')
  const { longestPollMs, followForMs } = kindOf(kind).defaults
  const span = wholeNumber(1, ' of milliseconds')
  return {
    firstPollMs: byDefault(duration, 5_000),
    longestPollMs: byDefault(duration, longestPollMs),
    followForMs: followForMs === undefined ? optional(span) : byDefault(span, followForMs),
    deadlineMs: byDefault(networkLimit('deadlineMs'), 30_000),
  } satisfies Shape<PaymentJobOptions>
}

const wrongRun = argumentRefusal(InvalidInputError, 'run')

const runs = strict(
  {
    starts: wholeNumber(1),
    state: anything(),
    signal: optional(signal),
    priority: optional(oneOf('customer', 'background')),
  } satisfies Shape<PaymentRun>,
  notA('known of a run'),
  'must be an object with starts',
)

/**
 * The job of a payment, for any engine that runs a job at least once: each call is one run, which creates the payment
 * under its id or looks it up, and says what to do next. Store `state` with the job, and hand it to the next run.
 *
 * @param client its rate limit holds. Payouts and status requests wait behind what customers wait for.
 * @param kind `'payin'` or `'payout'`.
 * @param options how often a payment is looked up, and for how long.
 * @returns the job. It rejects for a wrong argument and when `load` does, and for nothing that the gateway does.
 * @throws for an option that is unknown or wrong ({@link ConfigurationError}).
 * @example
 * const send = paymentJob(client, 'payout')
 * const verdict = await send(payout, { starts: job.attempt, state: job.state })
 * if (verdict.then === 'again') await job.runAgain(verdict.afterMs, verdict.state)
 */
export function paymentJob<K extends PaymentKind>(
  client: PaymentJobClient<K>,
  kind: K,
  options: PaymentJobOptions = {},
): PaymentJob<K> {
  const shape = jobOptionShape(kind)
  const traits = kindOf(kind)
  const resource = isObject(client) ? Reflect.get(client, traits.resource) : undefined
  if (!['create', 'retrieve'].every((name) => hasMethod(resource, name))) {
    throw wrongOption('client', 'must be a GatewayClient')
  }
  const { deadlineMs, ...polls } = check(optionsOf("a payment's job", shape), options, wrongOption)

  return async (payment, input) => {
    const run = check(runs, input, wrongRun)
    const id = checkId(traits.idField, isObject(payment) ? traits.idIn(payment) : undefined)
    const state = stateFor(run.state, run.starts)
    const gaps: Gaps = { ...polls, now: Date.now(), random: Math.random() }
    const verdictOf = (decision: Decision, result: Result<K>) => verdict(decision, id, result)

    if (state.step === 'follow') {
      const call = { priority: run.priority ?? 'background', signal: run.signal, deadlineMs }
      const { value: payment, error } = await attempt(() => traits.retrieve(client, id, call))
      if (error !== undefined) return verdictOf(afterStatusRequest(state, failed(error), gaps), { error })
      const found = { kind: 'found', final: isFinal(payment) } as const
      return verdictOf(afterStatusRequest(state, found, gaps), { payment })
    }

    const request = await loaded(traits, payment)
    if (request === undefined) {
      const error = new InvalidInputError(
        `load found no such ${kind}; nothing was sent by this run, so find out why it was queued.`,
        { [traits.idField]: id, outcome: 'not-accepted' },
      )
      return verdictOf(afterCreate(state, failed(error), gaps), { error })
    }
    const call = { priority: run.priority ?? traits.defaults.priority, signal: run.signal, deadlineMs }
    const response = await attempt(() => traits.create(client, request, call))
    if (response.error !== undefined)
      return verdictOf(afterCreate(state, failed(response.error), gaps), response)
    const { payment: found, created, existedBefore } = response.value
    if (found === undefined) return verdictOf(afterCreate(state, { kind: 'accepted' }, gaps), { created })
    const result = { kind: 'found', final: isFinal(found), existedBefore } as const
    return verdictOf(afterCreate(state, result, gaps), { created, payment: found })
  }
}

/** @throws for what can be no id of a payment ({@link InvalidInputError}). */
export function checkId(field: 'idPayin' | 'idPayout', id: unknown): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw wrongRun(field, why ?? 'must be a string')
  return id
}

type Attempt<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: GatewayFailure; readonly value?: undefined }

type GatewayFailure = Extract<PaymentVerdict<PaymentKind>, { then: 'stop' }>['error']

/** Everything else that is thrown is a mistake in a program. */
async function attempt<T>(call: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await call() }
  } catch (error) {
    if (isGatewayError(error)) return { error }
    throw error
  }
}

function failed(error: GatewayFailure): Failed {
  return {
    kind: 'failed',
    code: error.code,
    outcome: error.outcome,
    retryAfterMs: 'retryAfterMs' in error ? error.retryAfterMs : undefined,
    // Before a create it says that nothing was sent, and that waits for another setting like any wrong one.
    isOtherMoney:
      error.code === 'configuration' && error.option === 'live' && error.outcome !== 'not-accepted',
  }
}

interface Result<K extends PaymentKind> {
  readonly payment?: PaymentOf<K>
  readonly created?: CreatedPayment<K>
  readonly error?: GatewayFailure
}

function verdict<K extends PaymentKind>(
  decision: Decision,
  id: string,
  { payment, created, error }: Result<K>,
): PaymentVerdict<K> {
  const more = { ...(payment && { payment }), ...(created && { created }) }
  if (decision.then === 'done') {
    if (payment === undefined) throw new TypeError('done without a payment')
    return { ...decision, ...more, payment }
  }
  if (decision.then === 'again') return { ...decision, ...more, ...(error === undefined ? {} : { error }) }
  if (error !== undefined) return { ...decision, error }
  if (payment === undefined) throw new TypeError('stopped without a payment or an error')
  // Only a payout is stopped by having been there: a payin that was is taken as it is.
  return { ...decision, error: notOurs(id, payment), payment }
}

async function loaded<K extends PaymentKind>(
  { idField, idIn, ref }: Kind<K>,
  payment: PaymentToSend<K> | PaymentById<K>,
): Promise<PaymentToSend<K> | undefined> {
  if (!isById(payment)) return payment
  const id = idIn(payment)
  const request = await payment.load(id)
  if (request === undefined) return undefined
  const loadedId: unknown = Reflect.get(request, idField)
  if (loadedId !== undefined && loadedId !== id) {
    throw new TypeError(
      `load gave a payment with another ${idField} than it was asked for; nothing was sent.`,
    )
  }
  return { ...request, ...ref(id) }
}

function isById<K extends PaymentKind>(
  payment: PaymentToSend<K> | PaymentById<K>,
): payment is PaymentById<K> {
  return typeof Reflect.get(payment, 'load') === 'function'
}
