import type { Shape } from '../../client/profile/shape.js'
import { mergeShapes } from '../../profile/shapes/merge-shapes.js'
import { type Finding, ok } from '../doctor/finding.js'
import { countOf } from '../text.js'
import type { Pace } from './asker.js'
import type { CallbackCatcher } from './callback-catcher.js'
import type { FollowedPayment } from './followed-payment.js'
import { type Tries, tellingHeaders, triesOf } from './judge-callbacks.js'
import type { Session } from './session.js'

/** Waits until callbacks come no more, and says what they look like. */
export async function learnCallbacks(
  { asker, draft }: Session,
  catcher: CallbackCatcher,
  payments: readonly FollowedPayment[],
  { pollMs, holdMs }: Pace,
  waitMs: number,
): Promise<Finding> {
  const since = performance.now()
  const triesNow = () =>
    payments
      .filter(({ isAtEnd }) => isAtEnd)
      .map(({ kind }) => {
        const times = catcher.caught.filter((callback) => callback.kind === kind && callback.status === 500)
        const last = times.at(-1)?.answeredMs ?? since
        return triesOf(times, performance.now() - Math.max(since, last), {
          leastMs: 2 * holdMs,
          mostMs: waitMs,
        })
      })
  let tries: readonly Tries[] = triesNow()
  while (tries.some(({ kind }) => kind === 'waiting')) {
    await asker.wait(Math.min(pollMs, 250))
    tries = triesNow()
  }
  const [first] = catcher.caught
  if (first === undefined) {
    const why = `none came within ${Math.round(waitMs / 1000)} s after the payments`
    // A payment's end has to be told of (section 6), so that its silence is known.
    if (payments.some(({ isAtEnd }) => isAtEnd)) draft.add({ callbacks: { tries: 0 } })
    return draft.unseen('callbacks', 'callbacks', why)
  }
  const shapes = catcher.caught.flatMap(({ body }) => draft.shape(body) ?? [])
  const body = shapes.reduce<Shape | undefined>(
    (all, one) => (all === undefined ? one : mergeShapes(all, one)),
    undefined,
  )
  const seen = tries.find((one) => one.kind === 'seen')
  const { method, contentType } = first
  draft.add({
    callbacks: {
      method,
      headers: tellingHeaders(
        catcher.caught.flatMap(({ headers }) => headers),
        (text) => draft.hide(text),
      ),
      ...(contentType === undefined || draft.hide(contentType) !== contentType ? {} : { contentType }),
      ...(body === undefined ? {} : { body }),
      ...seen?.profile,
    },
  })
  const unseen = tries.find((one) => one.kind === 'unseen')
  const why = unseen?.why ?? 'no payment came to its end'
  if (seen === undefined) draft.notSeen('callbacks.tries', why)
  const repeated =
    seen === undefined
      ? `how often it comes again was not seen: ${why}`
      : `tried ${countOf(seen.profile.tries ?? 0, 'time')}`
  return ok('callbacks', `${method}, ${countOf(catcher.caught.length, 'callback')} came; ${repeated}`)
}
