import type { CallbackProfile } from '../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../src/client/profile/shape.js'
import { mergeShapes } from '../../../../src/profile/shapes/merge-shapes.js'
import { type Finding, ok } from '../doctor/finding.js'
import { countOf } from '../text.js'
import type { Pace } from './asker.js'
import type { CallbackCatcher } from './callback-catcher.js'
import type { FollowedPayment } from './followed-payment.js'
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

/** Headers that every request has, or that what stands between adds. */
const common =
  /^(?:host|connection|keep-alive|content-length|content-type|transfer-encoding|te|expect|date|user-agent|accept(?:-.*)?|sec-fetch-.*|via|forwarded|x-forwarded-.*|x-real-ip|upgrade.*|cdn-.*|cf-.*|traceparent|tracestate)$/

/** The headers of a callback that say something of the gateway. */
export function tellingHeaders(names: readonly string[], hide: (text: string) => string): string[] {
  return [...new Set(names)]
    .filter((name) => !common.test(name) && /^[a-z][a-z\d_-]{0,63}$/.test(name))
    .filter((name) => !/\d{4}/.test(name) && hide(name) === name)
    .sort()
}

export type Tries =
  | { readonly kind: 'seen'; readonly profile: Pick<CallbackProfile, 'tries' | 'secondsBetweenTries'> }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unseen'; readonly why: string }

/**
 * How often a callback is tried.
 *
 * @param times when those came that were answered with 500, and when they were.
 * @param silenceMs how long it has been quiet since the last one, or since the payment's end.
 * @param waits how long it is waited for another one: at least, and at most.
 */
export function triesOf(
  times: readonly { readonly cameMs: number; readonly answeredMs: number }[],
  silenceMs: number,
  { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
): Tries {
  const gaps = times.slice(1).map(({ cameMs }, at) => cameMs - (times[at]?.answeredMs ?? cameMs))
  const lastGap = gaps.at(-1)
  // Waits grow: many double them, and few take four times the last one.
  const isOver = lastGap !== undefined && silenceMs > Math.max(4 * lastGap, leastMs)
  if (!isOver && silenceMs < mostMs) return { kind: 'waiting' }
  if (times.length === 0) return { kind: 'unseen', why: 'no callback came after the payment had ended' }
  if (lastGap === undefined) {
    const secs = Math.round(mostMs / 1000)
    return { kind: 'unseen', why: `it was answered 500 and did not come again within ${secs} s` }
  }
  if (!isOver) return { kind: 'unseen', why: 'it was still coming again when the wait was over' }
  return {
    kind: 'seen',
    profile: {
      tries: times.length,
      secondsBetweenTries: gaps.map((gap) => Math.max(0, Math.round(gap / 1000))),
    },
  }
}
