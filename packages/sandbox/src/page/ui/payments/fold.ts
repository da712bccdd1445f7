import type { Entry } from '../../api/payments/entries.js'

/** A step that is shown, or several that say nothing new. */
export type Step =
  | { readonly type: 'entry'; readonly entry: Entry }
  | {
      readonly type: 'fold'
      readonly entries: readonly Entry[]
      readonly lookups: number
      readonly callbacks: number
    }

/** Fewer than this are shown one by one. */
const LEAST_FOLDED = 2

/**
 * Folds repetitions: look-ups and callbacks that went as the same ones have gone since the last change of status.
 * What differs, what met a fault and every create stays a step of its own.
 */
export function folded(entries: readonly Entry[]): Step[] {
  const steps: Step[] = []
  let known = new Set<string>()
  let waiting: Entry[] = []
  const unfold = () => {
    if (waiting.length >= LEAST_FOLDED) steps.push(foldOf(waiting))
    else for (const entry of waiting) steps.push({ type: 'entry', entry })
    waiting = []
  }
  for (const entry of entries) {
    const sameness = samenessOf(entry)
    if (sameness !== undefined && known.has(sameness)) {
      waiting.push(entry)
      continue
    }
    unfold()
    if (entry.type === 'status') known = new Set()
    if (sameness !== undefined) known.add(sameness)
    steps.push({ type: 'entry', entry })
  }
  unfold()
  return steps
}

/** Equal for entries of which the second says nothing new; undefined for what is never folded. */
function samenessOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'status':
      return undefined
    case 'request': {
      const { method, path, status, verdict, arrival, fault } = entry
      if (method !== 'GET' || fault !== null || arrival !== 'whole') return undefined
      return `${path} ${status} ${verdict}`
    }
    case 'callback': {
      const { paymentStatus, answer, error, source, fault, isGivenUp, isWithheld } = entry
      if (isGivenUp || isWithheld || (answer === null && error === null)) return undefined
      return `${paymentStatus} ${answer} ${error} ${source} ${fault?.kind}`
    }
  }
}

function foldOf(entries: readonly Entry[]): Step {
  const callbacks = entries.filter(({ type }) => type === 'callback').length
  return { type: 'fold', entries, lookups: entries.length - callbacks, callbacks }
}
