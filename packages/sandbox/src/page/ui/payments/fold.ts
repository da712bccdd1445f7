import type { Entry } from '../../api/payments/entries.js'

/** Steps that say nothing new, shown as one. */
export interface Fold {
  readonly type: 'fold'
  readonly entries: readonly Entry[]
}

/** Fewer than this are shown one by one, unless one made a token. */
const LEAST_FOLDED = 2

/** What differs from the last of its kind, what met a fault and every create stays a step. */
export function folded(entries: readonly Entry[]): (Entry | Fold)[] {
  const steps: (Entry | Fold)[] = []
  let known = new Set<string>()
  let waiting: Entry[] = []
  const unfold = () => {
    const isFolded = waiting.length >= LEAST_FOLDED || waiting.some(madeToken)
    if (isFolded) steps.push({ type: 'fold', entries: waiting })
    else steps.push(...waiting)
    waiting = []
  }
  for (const entry of entries) {
    const sameness = samenessOf(entry)
    if (madeToken(entry) || (sameness !== undefined && known.has(sameness))) {
      waiting.push(entry)
      continue
    }
    unfold()
    if (entry.type === 'status') known = new Set()
    if (sameness !== undefined) known.add(sameness)
    steps.push(entry)
  }
  unfold()
  return steps
}

export function madeToken(entry: Entry): boolean {
  if (entry.type !== 'request' || !entry.isMint) return false
  return entry.verdict === 'OK' && entry.arrival === 'whole' && entry.fault === null
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
      const { paymentStatus, response, error, source, fault, isGivenUp, isWithheld } = entry
      if (isGivenUp || isWithheld || (response === null && error === null)) return undefined
      return `${paymentStatus} ${response} ${error} ${source} ${fault?.kind}`
    }
  }
}
