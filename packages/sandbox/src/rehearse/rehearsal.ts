import type { PaymentKind } from '../gateway/payments/payment.js'
import { type Activity, isOpen } from './activity.js'
import { aloneOf, type Case, isKilled, needsCallbacks, needsStatus, roundsOf } from './case.js'
import type { RunContext, Stage } from './context.js'
import { isFinding } from './judge.js'
import { type Played, runCase } from './run-case.js'
import { waitForQuiet } from './waiting.js'

export async function rehearse(one: Case, stage: Stage): Promise<readonly Played[]> {
  const { application, gateway, orders, rateLimit } = stage
  payWhatIsLeft(stage)
  gateway.changeLimiter({ rateLimit })
  const played: Played[] = []
  // Longer where other orders were played beside one another.
  const mostMs = orders.areNamed ? 30_000 : stage.waitMs
  const start = performance.now()
  for (const round of roundsOf(one).keys()) {
    if (round > 0 && performance.now() - start > mostMs) break
    const order = orders.take()
    orders.giveTurn(order)
    const result = await runCase({ ...stage, one, round, order })
    const end = await application.ended?.()
    played.push({ ...result, end })
    if (isFinding(result.verdict) || end !== undefined) await beginAnew(stage)
    closeOrder(result.activity, stage)
    if (result.verdict.outcome === 'wrong') break
  }
  return played
}

/** What a case has left behind must not be held against the next one: dead tokens, waits, an application that is gone. */
export async function beginAnew(context: RunContext): Promise<void> {
  const { application, calmMs, gateway, signal } = context
  await application.restart?.(signal)
  // What an outbox sends now still belongs to this order.
  await waitForQuiet(() => gateway.requests.length, 3 * calmMs, context)
}

/** An application may look at open payments again and again, and use the limiter up for them. */
export function payWhatIsLeft({ gateway }: Pick<RunContext, 'gateway'>): void {
  const all = [...gateway.payins.list(), ...gateway.payouts.list()]
  for (const payment of all.filter(isOpen)) payment.pay()
}

/** Writes down what the order lacks: where nobody can see whose it is, it may still come. */
export function closeOrder(activity: Activity, place: Pick<Stage, 'orders' | 'reference'>): void {
  const { kind, others } = place.reference
  const lacks = (one: PaymentKind) => {
    return (one === kind ? 1 : others) - activity.payments.filter((payment) => payment.kind === one).length
  }
  place.orders.close({ payin: lacks('payin'), payout: lacks('payout') })
}

/** Why a case can't be played with this application and these creates; undefined when it can. */
export function whyNot(one: Case, { application, reference }: Stage): string | undefined {
  const isPayout = reference.kind === 'payout'
  // An action that is the application is killed by itself; nothing of it is left when the payment is paid.
  const canEnd = application.restart ?? (aloneOf(one) === 'first action' && application.actionIsProgram)
  if (needsCallbacks(one) && reference.isCalledBack === false) return 'the creates name no callbackUrl'
  if (one.returns && isPayout) return 'a payout names no returnUrl'
  if (one.shows && isPayout) return 'what a payout pays is what was asked for'
  if (isKilled(one) && !canEnd) return 'nobody said how the application is started'
  if (!needsStatus(one) || application.status !== undefined) return undefined
  return 'nobody said where the application shows that it is paid'
}
