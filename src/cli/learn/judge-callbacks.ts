import type { CallbackProfile } from '../../client/profile/gateway-profile.js'

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
