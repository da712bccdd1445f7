import { isOpen } from './activity.js'
import { laterMsOf } from './case.js'
import { firstActions } from './during.js'
import type { Scene } from './scene.js'
import { ASK_AGAIN_MS, sleep, stillMsOf, waitForApplication } from './waiting.js'

const MOST_ACTIONS = 3
/** An id that is made from the second of the try is another one then. */
const NEXT_SECOND_MS = 1100
/** For how long an application may go on changing its mind about an order that nobody pays. */
const MOST_CHANGES_MS = 70_000

/** The first action, and what the case does to the application then. */
export async function act(scene: Scene): Promise<void> {
  await firstActions(scene)
  if (isRestarted(scene)) await restartAfterLoss(scene)
  const laterMs = laterMsOf(scene.part.one)
  if (laterMs !== undefined && !isRestarted(scene)) await passTime(scene, laterMs)
}

function isRestarted({ part }: Scene): boolean {
  return part.one.after === 'restart' || part.one.after === 'a minute'
}

/** The same action again while it fails or takes too long: three times at most, as a person would. */
export async function actUntilDone(scene: Scene): Promise<void> {
  const { actions, armed, part } = scene
  const { one } = part
  let isDone = !isRestarted(scene) && actions.some(({ end }) => end === 'done')
  // What has met nothing yet goes on: a payout may come long after the action, when its payin is paid.
  armed.endLasting()
  while (actions.length < MOST_ACTIONS && !isDone) {
    await sleep(one.withholds ? Math.max(part.calmMs, NEXT_SECOND_MS) : part.calmMs, part.signal)
    isDone = (await scene.action()).end === 'done'
  }
}

/** An outbox meets what goes wrong after the action, and has to before anybody restarts it. */
async function restartAfterLoss(scene: Scene): Promise<void> {
  if (scene.payments.length === 0) scene.payOthers()
  const isLost = await scene.until(() => scene.armed.hasHit, stillMsOf(scene.part))
  await scene.restart('is restarted', laterMsOf(scene.part.one))
  if (!isLost) scene.miss('no response was lost before the restart')
}

/** Time passes at the gateway, and for the application: it is restarted with a clock that is later. */
async function passTime(scene: Scene, ms: number): Promise<void> {
  const { activity, part } = scene
  const { isPaidBefore } = part.one
  await scene.until(() => activity.payments.length > 0, stillMsOf(part))
  // What an outbox has not stored yet is not two hours old after the restart.
  await scene.quiet(3 * part.calmMs)
  if (isPaidBefore) await scene.payNow()
  const skew = part.gateway.fault({ route: '*', action: { kind: 'skew-clock', ms, forMs: ms } })
  if (!(await scene.restart('is restarted', ms))) {
    // The clock moves at the first request, whenever that comes.
    skew.remove()
  } else if (!isPaidBefore && !(await staysAsItIs(scene))) {
    scene.miss('what the application says of the order went on changing')
  }
}

/** A sweep for what was never paid comes at the application's own pace. */
async function staysAsItIs(scene: Scene): Promise<boolean> {
  const { part } = scene
  const stillMs = stillMsOf(part)
  let read: string | undefined
  let changedAt = performance.now()
  return scene.until(async () => {
    const newest = (await scene.askAndNote())?.read
    if (newest !== read) changedAt = performance.now()
    read = newest
    if (performance.now() - changedAt >= stillMs) return true
    await sleep(Math.min(ASK_AGAIN_MS, stillMs), part.signal)
    return false
  }, stillMs + MOST_CHANGES_MS)
}

/** Waits until what the actions began is sent, and the gateway receives nothing more of it. */
export async function untilSent(scene: Scene): Promise<void> {
  const { actions, activity, armed, part } = scene
  const isDone = actions.some(({ end }) => end === 'done')
  const { calmMs, one, signal } = part
  const { during } = one
  const isKilled = during?.startsWith('kill') === true
  // What was killed gets no held responses any more, and what has started in its place was asked again.
  const isOver = isKilled && actions.length > 1
  const hasSent = () => activity.payments.length > 0 || armed.isMet
  if (await (isDone ? waitForApplication(hasSent, part) : scene.until(hasSent))) {
    // An outbox meets it after the action, and nobody tries again. Answers that are held have to come before anything is
    // counted.
    const calm = armed.isMet && !isOver ? 3 * calmMs : 0
    await sleep(Math.max(calm, isKilled ? 0 : heldMs(scene)), signal)
    armed.endLasting()
    await scene.until(() => activity.payments.length > 0)
    // A customer may take long to pay: what an outbox sends again comes before that.
    const isUnanswered = armed.lasts || during === 'kill on arrival'
    const isAgain = () => activity.isSentAgain
    if (isUnanswered && actions[0]?.end === 'done') await scene.until(isAgain, stillMsOf(part))
  }
  armed.release(scene.payments.filter(isOpen))
  const isCalm = actions.length === 1 && isDone && !isKilled
  await scene.quiet(isCalm ? calmMs : 3 * calmMs)
}

/** How long the newest response that is held is held yet. */
function heldMs({ activity, armed: { holdMs }, part }: Scene): number {
  const since = activity.requests.findLast(({ fault }) => fault !== undefined)?.at
  return since === undefined ? 0 : Math.min(holdMs, since + holdMs - part.gateway.clock.now())
}
