import { Activity } from './activity.js'
import { actUntilDone } from './acts.js'
import type { CartStatus } from './application.js'
import { Armed } from './armed.js'
import { prepare } from './before.js'
import type { Case, FaultPlan, Target } from './cases.js'
import type { RunContext } from './context.js'
import type { CountedPayment, Evidence } from './evidence.js'
import type { Kind } from './gateway.js'
import { type HistoryLine, historyOf, type Note } from './history.js'
import { payAll } from './pay-all.js'
import { abortable, sleep, waitForQuiet, waitUntil } from './waiting.js'

/** A case that was played to its end. */
export interface CaseRun {
  readonly cart: number
  readonly evidence: Evidence
  readonly history: readonly HistoryLine[]
  readonly tookMs: number
}

const ASK_AGAIN_MS = 500

/** Arms a case, has a person act, lets time pass until the payment is final, and writes down what is found. */
export async function runCase(
  one: Case,
  cart: number,
  target: Target,
  context: RunContext,
): Promise<CaseRun> {
  const { calmMs, gateway, signal, waitMs } = context
  const start = performance.now()
  const prepared = await prepare(cart, context)
  const activity = new Activity(gateway)
  const notes: Note[] = []
  const note = (who: Note['who'], text: string) => void notes.push({ at: gateway.clock.now(), who, text })
  if (prepared !== undefined) note('customer', `has done what goes before: ${prepared.says}`)
  const ended = (evidence: Evidence): CaseRun => {
    return {
      cart,
      evidence,
      history: historyOf(activity, notes),
      tookMs: Math.round(performance.now() - start),
    }
  }
  if (prepared?.isDone === false) return ended({ ...nothing, notBegun: prepared.says })
  const plan = one.plan(target)
  const armed = new Armed(plan, gateway)
  let hasHappened = plan.meanwhile === undefined
  try {
    const acts = await actUntilDone(plan, cart, {
      run: context,
      activity,
      note,
      armed,
      kind: target.kind,
      onMeanwhile: () => {
        hasHappened = true
      },
    })
    const isCalm = acts.length === 1 && acts.every(({ end }) => end === 'done')
    // Answers that are held have to come before anything is counted.
    const held = plan.fault?.times === undefined ? acts.at(0) : acts.at(-1)
    const heldUntil = (held?.at ?? 0) + (plan.holdMs ?? 0)
    if (armed.hasHit) await sleep(Math.max(0, heldUntil - gateway.clock.now()), signal)
    await waitUntil(() => activity.payments.length > 0, waitMs, signal)
    await waitForQuiet(gateway, isCalm ? calmMs : 3 * calmMs, waitMs, signal)

    const saidTooEarly = (await ask(context, cart)) === 'paid' && !isPaid(activity.counted(), target.kind)
    await payAll(activity, target.kind, armed, context)
    if (plan.moreCallbacks !== undefined) {
      for (const payment of activity.payments) payment.sendCallback({ times: plan.moreCallbacks })
      await abortable(gateway.idle(), signal)
    }
    const said = await askUntilPaid(context, cart, isPaid(activity.counted(), target.kind))
    if (said !== undefined)
      note('application', `says ${said === 'nothing' ? 'nothing that can be read' : said}`)
    await waitForQuiet(gateway, calmMs, waitMs, signal)

    return ended({
      acts,
      said,
      saidTooEarly,
      payments: activity.counted(),
      orders: activity.orders(),
      hasMet: hasHappened && hasMet(plan, armed, activity),
    })
  } finally {
    armed.disarm()
  }
}

const nothing: Evidence = {
  acts: [],
  payments: [],
  orders: [],
  hasMet: false,
  saidTooEarly: false,
  said: undefined,
}

/** That nobody listened can't be seen from here, so it counts as met. */
function hasMet({ moreCallbacks }: FaultPlan, armed: Armed, activity: Activity): boolean {
  if (moreCallbacks !== undefined) return activity.callbacks.length > 0
  return armed.isEmpty || armed.hasHit
}

function isPaid(payments: readonly CountedPayment[], wanted: Kind): boolean {
  return payments.some(({ kind, status }) => kind === wanted && status === 'SUCCESS')
}

async function ask({ application, signal }: RunContext, cart: number): Promise<CartStatus | undefined> {
  if (application.status === undefined) return undefined
  return abortable(application.status(cart, signal), signal)
}

/** Asks until the application says paid, as long as it may take; once, when there is nothing to be paid. */
async function askUntilPaid(
  context: RunContext,
  cart: number,
  isPaidThere: boolean,
): Promise<CartStatus | undefined> {
  const end = performance.now() + context.waitMs
  for (;;) {
    const said = await ask(context, cart)
    if (said === undefined || said === 'paid' || !isPaidThere || performance.now() >= end) return said
    await sleep(ASK_AGAIN_MS, context.signal)
  }
}
