import { actUntilDone } from './acts.js'
import type { CartStatus } from './application.js'
import { Armed } from './armed.js'
import { prepare } from './before.js'
import type { Aim, Case, Plan } from './cases.js'
import type { CountedPayment, Evidence } from './evidence.js'
import type { Kind } from './gateway.js'
import { payAll } from './pay-all.js'
import type { Stage } from './stage.js'
import { type Note, type StoryLine, storyOf } from './story.js'
import { orAborted, pause, quiet, until } from './waits.js'
import { Window } from './window.js'

/** A case that was played to its end. */
export interface Performance {
  readonly cart: number
  readonly evidence: Evidence
  readonly story: readonly StoryLine[]
  readonly tookMs: number
}

const ASK_AGAIN_MS = 500

/** Arms a case, has a person act, lets time pass until the payment is final, and writes down what is found. */
export async function play(one: Case, cart: number, aim: Aim, stage: Stage): Promise<Performance> {
  const { calmMs, gateway, signal, waitMs } = stage
  const start = performance.now()
  const prepared = await prepare(cart, stage)
  const window = new Window(gateway)
  const notes: Note[] = []
  const note = (who: Note['who'], text: string) => void notes.push({ at: gateway.clock.now(), who, text })
  if (prepared !== undefined) note('customer', `has done what goes before: ${prepared.says}`)
  const perform = (evidence: Evidence): Performance => {
    return { cart, evidence, story: storyOf(window, notes), tookMs: Math.round(performance.now() - start) }
  }
  if (prepared?.isDone === false) return perform({ ...nothing, notBegun: prepared.says })
  const plan = one.plan(aim)
  const armed = new Armed(plan, gateway)
  let hasHappened = plan.meanwhile === undefined
  try {
    const acts = await actUntilDone(plan, cart, {
      stage,
      window,
      note,
      armed,
      kind: aim.kind,
      onMeanwhile: () => {
        hasHappened = true
      },
    })
    const isCalm = acts.length === 1 && acts.every(({ end }) => end === 'done')
    // Answers that are held have to come before anything is counted.
    const held = plan.fault?.times === undefined ? acts.at(0) : acts.at(-1)
    const heldUntil = (held?.at ?? 0) + (plan.holdMs ?? 0)
    if (armed.hasHit) await pause(Math.max(0, heldUntil - gateway.clock.now()), signal)
    await until(() => window.payments.length > 0, waitMs, signal)
    await quiet(gateway, isCalm ? calmMs : 3 * calmMs, waitMs, signal)

    const saidTooEarly = (await ask(stage, cart)) === 'paid' && !isPaid(window.counted(), aim.kind)
    await payAll(window, aim.kind, armed, stage)
    if (plan.moreCallbacks !== undefined) {
      for (const payment of window.payments) payment.sendCallback({ times: plan.moreCallbacks })
      await orAborted(gateway.idle(), signal)
    }
    const said = await askUntilPaid(stage, cart, isPaid(window.counted(), aim.kind))
    if (said !== undefined)
      note('application', `says ${said === 'nothing' ? 'nothing that can be read' : said}`)
    await quiet(gateway, calmMs, waitMs, signal)

    return perform({
      acts,
      said,
      saidTooEarly,
      payments: window.counted(),
      orders: window.orders(),
      hasMet: hasHappened && hasMet(plan, armed, window),
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
function hasMet({ moreCallbacks }: Plan, armed: Armed, window: Window): boolean {
  if (moreCallbacks !== undefined) return window.callbacks.length > 0
  return armed.isEmpty || armed.hasHit
}

function isPaid(payments: readonly CountedPayment[], wanted: Kind): boolean {
  return payments.some(({ kind, status }) => kind === wanted && status === 'SUCCESS')
}

async function ask({ application, signal }: Stage, cart: number): Promise<CartStatus | undefined> {
  if (application.status === undefined) return undefined
  return orAborted(application.status(cart, signal), signal)
}

/** Asks until the application says paid, as long as it may take; once, when there is nothing to be paid. */
async function askUntilPaid(
  stage: Stage,
  cart: number,
  isPaidThere: boolean,
): Promise<CartStatus | undefined> {
  const end = performance.now() + stage.waitMs
  for (;;) {
    const said = await ask(stage, cart)
    if (said === undefined || said === 'paid' || !isPaidThere || performance.now() >= end) return said
    await pause(ASK_AGAIN_MS, stage.signal)
  }
}
