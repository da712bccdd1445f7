import { setTimeout as delay } from 'node:timers/promises'
import { abortable, Limit, limited } from '../common/limit.js'
import type { ActionResult } from './application.js'
import type { RunContext } from './context.js'
import type { Seen } from './evidence.js'

const LOOK_AGAIN_MS = 25
export const ASK_AGAIN_MS = 500

/** @throws the reason of the signal when it fires */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() >= end) return false
    await sleep(LOOK_AGAIN_MS, signal)
  }
  return true
}

/** Much longer where nobody has said how long the application may take, unless it has ended by itself. */
export async function waitForApplication(
  holds: () => boolean | Promise<boolean>,
  { application, longer, signal, waitMs }: RunContext,
): Promise<boolean> {
  if (await waitUntil(holds, waitMs, signal)) return true
  if (longer === undefined || (await application.ended?.()) !== undefined) return false
  const isThere = await waitUntil(holds, longer.ms, signal)
  if (!isThere) longer.ms = 0
  return isThere
}

/** After how long an application that has done nothing is taken to do nothing more: longer than it was seen to take. */
export function stillMsOf({ pace, waitMs }: Pick<RunContext, 'pace' | 'waitMs'>): number {
  return Math.min(70_000, Math.max(waitMs, 1.5 * pace.ms))
}

/** While this process stands still, no request can be seen to arrive: such a time counts as one look. */
export async function waitForQuiet(
  count: () => number,
  forMs: number,
  { signal, waitMs }: Pick<RunContext, 'signal' | 'waitMs'>,
): Promise<void> {
  let newest = count()
  let lookedAt = performance.now()
  let quietMs = 0
  await waitUntil(
    () => {
      const now = count()
      const sinceMs = Math.min(performance.now() - lookedAt, 2 * LOOK_AGAIN_MS)
      quietMs = now === newest ? quietMs + sinceMs : 0
      newest = now
      lookedAt = performance.now()
      return quietMs >= forMs
    },
    waitMs,
    signal,
  )
}

/** @throws the reason of `signal` when that fires; what rejects otherwise has failed */
export async function answerTo(
  action: (signal: AbortSignal) => Promise<ActionResult>,
  patienceMs: number,
  signal: AbortSignal,
  killed?: AbortSignal,
): Promise<Seen> {
  const patience = new Limit({ ms: patienceMs })
  const signals = [signal, patience.signal, ...(killed ? [killed] : [])]
  try {
    const { isDone, says } = await limited({ signals }, (ends) => abortable(action(ends), ends))
    return { end: isDone ? 'done' : 'failed', says }
  } catch {
    signal.throwIfAborted()
    const isTooSlow = patience.signal.aborted
    const late = isTooSlow ? `no response within ${patienceMs / 1000} s` : 'no response'
    return { end: isTooSlow ? 'too slow' : 'failed', says: killed?.aborted ? 'killed' : late }
  } finally {
    patience.release()
  }
}
