import { hasMethod, isObject } from '../../client/input/own.js'
import {
  aFunction,
  anything,
  byDefault,
  duration,
  oneOf,
  optionWords,
  type Rows,
  read,
  required,
  signal,
  wholeNumber,
} from '../../client/input/reader.js'
import { yesOrNo } from '../../client/input/yes-or-no.js'
import { ConfigurationError, InvalidInputError, isFinal, isGatewayError, type Payout } from '../../index.js'
import { afterCreate, afterLook, type Decision, type Failed, type Gaps } from './decide.js'
import { notOurs, wasMadeBefore } from './not-ours.js'
import { stateFor } from './state.js'
import type {
  PayoutById,
  PayoutJob,
  PayoutJobClient,
  PayoutJobOptions,
  PayoutRun,
  PayoutToSend,
  PayoutVerdict,
} from './types.js'
import { checkIdPayout, runWords } from './wrong-argument.js'

const optionRows = {
  isFinal: byDefault(aFunction<(payout: Payout) => boolean>('that takes a payout'), isFinal),
  firstPollMs: byDefault(duration, 5_000),
  longestPollMs: byDefault(duration, 600_000),
} satisfies Rows<PayoutJobOptions>

const words = {
  ...optionWords(ConfigurationError, "a payout's job", ''),
  needsObject: () => new ConfigurationError("the options of a payout's job must be an object."),
}

const notAtOnce = () =>
  words.refuse('isFinal', 'must return true or false and gave a promise; the payout is as it was')

const runRows = {
  starts: required(wholeNumber(1)),
  state: anything<unknown>(),
  signal,
  priority: byDefault(oneOf('customer', 'bulk'), 'bulk'),
} satisfies Rows<PayoutRun>

/**
 * The job of a payout, for any engine that runs a job at least once: each call is one run, which creates the payout
 * under its id or looks whether it is final, and says what to do next. Store `state` with the job and hand it to the
 * next run.
 *
 * @param client a client; its limits and its budget hold, and the payouts go behind what customers wait for.
 * @param options when a payout is final, and how often it is looked at.
 * @returns the job. It rejects for a wrong argument and when `load` does, and for nothing that the gateway does.
 * @throws {ConfigurationError} for an option that is unknown or wrong.
 * @example
 * const send = payoutJob(client)
 * const verdict = await send(payout, { starts: job.attempt, state: job.state })
 * if (verdict.then === 'again') await job.runAgain(verdict.afterMs, verdict.state)
 */
export function payoutJob(client: PayoutJobClient, options: PayoutJobOptions = {}): PayoutJob {
  if (!isObject(client) || !['create', 'retrieve'].every((name) => hasMethod(client.payouts, name))) {
    throw words.refuse('client', 'must be a GatewayClient')
  }
  const { payouts } = client
  const settings = read(options, optionRows, words)

  return async (payout, input) => {
    const run = read(input, runRows, runWords)
    const idPayout = checkIdPayout(payout?.idPayout)
    const state = stateFor(run.state, run.starts)
    const { isFinal: saysFinal, ...polls } = settings
    const isFinal = (found: Payout) => yesOrNo(saysFinal(found), notAtOnce)
    const gaps: Gaps = { ...polls, random: Math.random() }
    const call = { priority: run.priority, signal: run.signal }

    if (state.step === 'follow') {
      const found = await attempt(() => payouts.retrieve(idPayout, call))
      if (found.error !== undefined)
        return verdict(afterLook(state, failed(found.error), gaps), idPayout, found)
      return verdict(afterLook(state, { kind: 'found', final: isFinal(found.value) }, gaps), idPayout, found)
    }

    const request = await loaded(payout)
    if (request === undefined) {
      const error = new InvalidInputError(
        'load found no such payout; nothing was sent by this run, so look why it was queued.',
        { idPayout, outcome: 'not-accepted' },
      )
      return verdict(afterCreate(state, failed(error), gaps), idPayout, { error })
    }
    const beganAt = Date.now()
    const created = await attempt(() => payouts.create(request, call))
    if (created.error !== undefined)
      return verdict(afterCreate(state, failed(created.error), gaps), idPayout, created)
    if (!created.value.replayed) return verdict(afterCreate(state, { kind: 'accepted' }, gaps), idPayout, {})
    // A lost answer hides from the client that it was there; its date doesn't.
    const existedBefore = created.value.existedBefore || wasMadeBefore(created.value, beganAt)
    const found = { kind: 'found', final: isFinal(created.value), existedBefore } as const
    return verdict(afterCreate(state, found, gaps), idPayout, { value: created.value })
  }
}

/** What the client gave, or its error. Everything else that is thrown is a mistake in a program, and goes on. */
type Attempt<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: GatewayFailure; readonly value?: undefined }

type GatewayFailure = Extract<PayoutVerdict, { then: 'stop' }>['error']

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

/** A decision with the payout and the error that it is about. */
function verdict(
  decision: Decision,
  idPayout: string,
  { value, error }: { readonly value?: Payout | undefined; readonly error?: GatewayFailure | undefined },
): PayoutVerdict {
  if (decision.then === 'done') {
    if (value === undefined) throw new TypeError('final without a payout')
    return { then: 'done', payout: value }
  }
  if (decision.then === 'again') return error === undefined ? decision : { ...decision, error }
  if (error !== undefined) return { ...decision, error }
  if (value === undefined) throw new TypeError('stopped without a payout or an error')
  return { ...decision, error: notOurs(idPayout, value), payout: value }
}

async function loaded(payout: PayoutToSend | PayoutById): Promise<PayoutToSend | undefined> {
  if (!isById(payout)) return payout
  const { idPayout } = payout
  const request = await payout.load()
  if (request === undefined) return undefined
  if (request.idPayout !== undefined && request.idPayout !== idPayout) {
    throw new TypeError('load gave a payout with another idPayout than it was asked for; nothing was sent.')
  }
  return { ...request, idPayout }
}

function isById(payout: PayoutToSend | PayoutById): payout is PayoutById {
  return typeof Reflect.get(payout, 'load') === 'function'
}
