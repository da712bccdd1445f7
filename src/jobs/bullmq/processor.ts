import { check, optionRefusal, optionsOf, type Shape } from '../../client/input/check.js'
import { aFunction } from '../../client/input/kinds.js'
import { optional } from '../../client/input/zod.js'
import { watchDelivery } from '../../client/observe/watch-delivery.js'
import { ConfigurationError, type PaymentKind, statusOf } from '../../index.js'
import { kindOf } from '../kinds.js'
import { jobOptionShape, paymentJob } from '../payment-job.js'
import { stateFor, stateOfDone } from '../state.js'
import type { LoadPayment, PaymentJobClient, PaymentOf, PaymentVerdict } from '../types.js'
import { type Content, encryptionKeys, PaymentSeal } from './seal.js'
import { priorities, wrongJobOptions } from './settings.js'
import type { PaymentAccount, PaymentProcessor, PaymentProcessorOptions, PaymentResult } from './types.js'

const optionShape = <K extends PaymentKind>(kind: K) =>
  ({
    ...jobOptionShape(kind),
    encryptionKeys: optional(encryptionKeys),
    load: optional(aFunction<LoadPayment<K>>('that takes an id and finds its request')),
    onCreated: optional(
      aFunction<NonNullable<PaymentProcessorOptions<K>['onCreated']>>('that takes what was created'),
    ),
    onChange: optional(
      aFunction<NonNullable<PaymentProcessorOptions<K>['onChange']>>('that takes a payment'),
    ),
  }) satisfies Shape<PaymentProcessorOptions<K>>

const wrongOption = optionRefusal(ConfigurationError, 'paymentProcessor')

/**
 * A processor for BullMQ's own `Worker`: it creates the payment of a job under its id, and delays the job until the
 * payment is final. A job that needs a person fails with the reason; all others go on, whatever is killed. It uses only
 * data that was encrypted for this very payment, and always looks up what became of it.
 *
 * @param client its rate limit holds, so that the worker needs no `limiter`.
 * @param kind `'payin'` or `'payout'`.
 * @param options durations are in milliseconds.
 * @throws for an option that is unknown or wrong, and without a key to encrypt with ({@link ConfigurationError}).
 * @example
 * const processor = paymentProcessor(client, 'payout', { onChange: (payout) => orders.setStatus(idOf(payout), statusOf(payout)) })
 * const worker = new Worker('payouts', processor, { connection, ...workerOptions })
 * checkWorker(worker)
 */
export function paymentProcessor<K extends PaymentKind>(
  client: PaymentJobClient<K> & PaymentAccount,
  kind: K,
  options: PaymentProcessorOptions<K> = {},
): PaymentProcessor<K> {
  const schema = optionsOf('paymentProcessor', optionShape(kind))
  const {
    encryptionKeys: keys,
    load,
    onCreated,
    onChange,
    ...jobOptions
  } = check(schema, options, wrongOption)
  const send = paymentJob(client, kind, jobOptions)
  const seal = new PaymentSeal(client, kind, keys)
  const { ref } = kindOf(kind)

  // BullMQ gives a signal to a function of three parameters only.
  return async (job, token, signal) => {
    const opened = seal.open(job.id, job.data)
    if (opened.why !== undefined) {
      throw new UnrecoverableError(
        `foreign: ${opened.why}; this run has sent nothing, so find out who added it.`,
      )
    }
    const wrong = wrongJobOptions(job.opts)
    if (wrong !== undefined) {
      throw new UnrecoverableError(
        `settings: ${wrong}; this run has sent nothing, so remove the job and add it again with jobOptions(payment).`,
      )
    }
    const { id, content } = opened
    const { attemptsStarted: starts } = job
    const store = (next: Content<K>) => job.updateData(seal.seal(id, next))

    let isLoadFailed = false
    const loading: LoadPayment<K> = async (wanted) => {
      try {
        if (load !== undefined) return await load(wanted)
        throw wrongOption(
          'load',
          'is missing, and the job holds an id only: start the worker with load, which finds a payment by its id',
        )
      } catch (error) {
        isLoadFailed = true
        throw error
      }
    }
    const { request } = content
    const isSealed = load === undefined && request !== undefined
    const payment = isSealed ? { ...request, ...ref(id) } : { ...ref(id), load: loading }
    const priority = job.priority === priorities.notified ? 'customer' : undefined
    let verdict: PaymentVerdict<K>
    try {
      verdict = await send(payment, { starts, state: content.state, signal, priority })
    } catch (error) {
      // This start has sent nothing, so that it counts as none.
      if (isLoadFailed) await store({ ...content, state: stateFor(content.state, starts) })
      throw failedIn(isLoadFailed ? 'load' : 'the run', error)
    }
    if (verdict.then === 'stop') {
      await store({ ...content, state: verdict.state })
      throw new UnrecoverableError(`${verdict.because}: ${verdict.error.message}`, { cause: verdict.error })
    }

    // Before the state is stored: a run that is killed here is done again.
    const { created } = verdict
    if (created !== undefined) await calling('onCreated', () => onCreated?.(created))
    const reported = await report(ref(id), verdict, content.reported, onChange)
    const kept = reported === undefined ? {} : { reported }
    if (verdict.then === 'done') {
      // Without the request: whoever wakes it wants its status.
      await store({ ...kept, state: stateOfDone(starts) })
      return resultOf(verdict.payment, verdict)
    }
    await store({ ...(request === undefined ? {} : { request }), ...kept, state: verdict.state })
    const next = verdict.because === 'following' ? priorities.first : priorities.again
    if (job.priority !== next) await job.changePriority({ priority: next })
    await job.moveToDelayed(Date.now() + verdict.afterMs, token)
    throw new DelayedError()
  }
}

/** BullMQ knows both by their names as well, so that this entry doesn't load it. */
class DelayedError extends Error {
  override readonly name = 'DelayedError'
}

/** Its sentence is what stands beside the job in BullMQ's failed set. */
class UnrecoverableError extends Error {
  override readonly name = 'UnrecoverableError'
}

/** BullMQ stores the sentence and the stack, and what a merchant's function throws may name a customer. */
function failedIn(what: string, cause: unknown): Error {
  const name = cause instanceof Error ? cause.name : typeof cause
  return new Error(`${what} failed (${name}), and the job runs again; its error is the cause of this one.`, {
    cause,
  })
}

async function calling(name: string, call: () => unknown): Promise<void> {
  try {
    await call()
  } catch (error) {
    throw failedIn(name, error)
  }
}

/** Calls `onChange` for a new status. @returns what it has dealt with by now. */
async function report<K extends PaymentKind>(
  ref: { readonly idPayin?: string; readonly idPayout?: string },
  verdict: Exclude<PaymentVerdict<K>, { then: 'stop' }>,
  before: Content<K>['reported'],
  onChange: PaymentProcessorOptions<K>['onChange'],
): Promise<Content<K>['reported']> {
  const { payment } = verdict
  if (payment === undefined || onChange === undefined) return before
  const now = resultOf(payment, verdict)
  if (before !== undefined && before.status === now.status && before.final === now.final) return before
  const ended = watchDelivery(ref, now.status)
  await calling('onChange', async () => {
    try {
      await onChange(payment)
    } catch (error) {
      ended({ error })
      throw error
    }
  })
  ended()
  return now
}

function resultOf<K extends PaymentKind>(payment: PaymentOf<K>, verdict: PaymentVerdict<K>): PaymentResult {
  const status = statusOf(payment)
  return { ...(status === undefined ? {} : { status }), final: verdict.then === 'done' && verdict.final }
}
