import { LATER_MS } from './case.js'
import { firstActions } from './during.js'
import type { Scene } from './scene.js'
import { sleep, waitForApplication } from './waiting.js'

const MOST_ACTIONS = 3
const SWEEP_MS = 1500

/** An action, and the same action again while it fails or takes too long: three times at most, as a person would. */
export async function actUntilDone(scene: Scene): Promise<void> {
  const { actions, armed, part } = scene
  const { one, turn } = part
  await firstActions(scene)
  if (one.after === 'restart') await restartAfterLoss(scene)
  if (one.after === 'two hours') await passTime(scene)
  let isDone = one.after !== 'restart' && actions.some(({ end }) => end === 'done')
  turn?.end()
  await turn?.all()
  // What has met nothing yet goes on: a payout may come long after the action, when its payin is paid.
  armed.endLasting()
  while (actions.length < MOST_ACTIONS && !isDone) {
    await sleep(part.calmMs, part.signal)
    isDone = (await scene.action()).end === 'done'
  }
}

/** An outbox meets what goes wrong after the action, and has to before anybody restarts it. */
async function restartAfterLoss(scene: Scene): Promise<void> {
  if (scene.payments.length === 0) scene.payOthers()
  const isLost = await scene.until(() => scene.armed.hasHit)
  await scene.restart('is restarted')
  if (!isLost) scene.miss('no response was lost before the restart')
}

/** Time passes at the gateway, and for the application: it is restarted with a clock that is later. */
async function passTime(scene: Scene): Promise<void> {
  const { activity, part } = scene
  await scene.until(() => activity.payments.length > 0)
  const action = { kind: 'skew-clock', ms: LATER_MS, forMs: LATER_MS } as const
  const skew = part.gateway.fault({ route: '*', action })
  // A sweep for what was never paid comes soon.
  if (await scene.restart('is restarted', LATER_MS)) await sleep(SWEEP_MS, part.signal)
  // The clock moves at the first request, whenever that comes.
  else skew.remove()
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
    if (isUnanswered && actions[0]?.end === 'done') await scene.until(() => activity.isSentAgain)
  }
  const isCalm = actions.length === 1 && isDone && !isKilled
  await scene.quiet(isCalm || part.isFollowed ? calmMs : 3 * calmMs)
}

/** How long the newest response that is held is held yet. */
function heldMs({ activity, armed: { holdMs }, part }: Scene): number {
  const since = activity.requests.findLast(({ fault }) => fault !== undefined)?.at
  return since === undefined ? 0 : Math.min(holdMs, since + holdMs - part.gateway.clock.now())
}
