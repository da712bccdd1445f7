import type { PaymentProfile } from '../../../../src/client/profile/gateway-profile.js'
import { textsIn } from './texts-in.js'

/** What look-ups of one payment showed, one after the other: the JSON of each body. */
export type LookUps = readonly unknown[]

/** Texts of an answer by their places, with dots for depth. */
type Texts = ReadonlyMap<string, string>

const specified = { statusField: 'process.status', processedAtField: 'process.processedAt' } as const
const mostTexts = 200

/**
 * Where a payment's status and its time of processing stand, and which statuses it went through.
 *
 * @param isShown whether a status may be seen: a word, and nothing that is somebody's.
 */
export function paymentProfile(lookUps: LookUps, isShown: (status: string) => boolean): PaymentProfile {
  const seen = lookUps.map(textsOf)
  const statusField = statusPlace(seen, isShown)
  if (statusField === undefined) return {}
  const processedAt = timePlace(seen)
  const statuses = new Map<string, 'final' | 'passing' | 'unclear'>()
  for (const [at, texts] of seen.entries()) {
    const status = texts.get(statusField)
    if (status === undefined || !isShown(status)) continue
    const isLast = seen.slice(at).every((later) => later.get(statusField) === status)
    if (!isLast) statuses.set(status, 'passing')
    else statuses.set(status, isEnd(texts, status, processedAt) ? 'final' : 'unclear')
  }
  return {
    statusField,
    ...(processedAt === undefined ? {} : { processedAtField: processedAt }),
    ...(statuses.size === 0 ? {} : { statuses: Object.fromEntries(statuses) }),
  }
}

/** Whether one look-up shows that a payment has come to its end, by what earlier ones showed. */
export function isAtEnd(lookUps: LookUps, isShown: (status: string) => boolean): boolean {
  const { statusField, statuses = {} } = paymentProfile(lookUps, isShown)
  const last = textsOf(lookUps.at(-1)).get(statusField ?? '')
  return last !== undefined && statuses[last] === 'final'
}

function isEnd(texts: Texts, status: string, processedAt: string | undefined): boolean {
  return status === 'SUCCESS' || (processedAt !== undefined && texts.has(processedAt))
}

/** By how much a place is one of a status. */
function statusPlace(seen: readonly Texts[], isShown: (status: string) => boolean): string | undefined {
  const places = new Set(seen.flatMap((texts) => [...texts.keys()]))
  let best: { place: string; points: number } | undefined
  for (const place of places) {
    const values = seen.flatMap((texts) => texts.get(place) ?? [])
    const points = statusPoints(place, values, seen.length, isShown)
    if (points > (best?.points ?? 0)) best = { place, points }
  }
  return best?.place
}

function statusPoints(
  place: string,
  values: readonly string[],
  lookUps: number,
  isShown: (status: string) => boolean,
): number {
  if (!values.every((value) => value.length <= 64) || !values.some(isShown)) return 0
  const name = place.split('.').at(-1) ?? ''
  const named = /^(?:status|state)$/i.test(name) ? 8 : /status|state(?!ment)/i.test(name) ? 4 : 0
  const success = values.includes('SUCCESS') ? 8 : 0
  if (named + success === 0) return 0
  const always = values.length === lookUps ? 2 : 0
  const changed = new Set(values).size > 1 ? 4 : 0
  return named + success + always + changed + (place === specified.statusField ? 1 : 0) + 1 / place.length
}

const timeNames =
  /(?:processed|finished|completed|ended|settled|done|closed|final(?:ized|ised)?)(?:_?(?:at|on|time|date))?$/i
const dateForm = /^\d{4}-\d\d-\d\d/

/** A time that a name calls the end, or one of the specification's place; it must not have been there from the start. */
function timePlace(seen: readonly Texts[]): string | undefined {
  const last = seen.at(-1) ?? new Map<string, string>()
  const first = seen.length > 1 ? seen[0] : undefined
  const ends = [...last].filter(
    ([place, value]) => dateForm.test(value) && timeNames.test(place) && first?.has(place) !== true,
  )
  if (ends.some(([place]) => place === specified.processedAtField)) return specified.processedAtField
  if (ends.length > 0) return ends[0]?.[0]
  // There at every look-up: the first may have been at the end already.
  return dateForm.test(last.get(specified.processedAtField) ?? '') ? specified.processedAtField : undefined
}

/** A status of one of many is not the payment's. */
const isInList = /\.\d/

function textsOf(json: unknown): Texts {
  const texts = [...textsIn(json)].filter(([place, text]) => text !== '' && !isInList.test(place))
  return new Map(texts.slice(0, mostTexts))
}
