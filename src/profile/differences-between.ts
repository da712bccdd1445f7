import type { AnswerProfile, GatewayProfile } from '../gateway-profile/profile.js'
import { differences } from '../shapes/compare-shapes.js'

/**
 * What a gateway does by the second profile and not by the first, a plain sentence each; none where both say the
 * same. What one of them has not seen is no difference. Names are of profiles that were read, and so fit to be
 * shown.
 *
 * @example
 * differencesBetween(lastWeek, today) // ['payins: `process.status` is gone']
 */
export function differencesBetween(before: GatewayProfile, now: GatewayProfile): string[] {
  return [
    ...fieldDifferences('tokens', before.tokens, now.tokens),
    ...paymentDifferences('payins', before, now),
    ...paymentDifferences('payouts', before, now),
    ...answerDifferences(before.answers, now.answers, (name) => name),
    ...answerDifferences(before.refusals, now.refusals, (name) => `the refusal ${name}`),
    ...fieldDifferences('rate', before.rate, now.rate),
    ...callbackDifferences(before, now),
    ...valueDifferences('customer account data', 'path', before.customerAccountPath, now.customerAccountPath),
  ]
}

function paymentDifferences(
  kind: 'payins' | 'payouts',
  before: GatewayProfile,
  now: GatewayProfile,
): string[] {
  const { statuses: had = {}, ...places } = before[kind] ?? {}
  const { statuses: has = {}, ...placesNow } = now[kind] ?? {}
  const known = new Map(Object.entries(had))
  // One not seen this time may come again; and what was unclear may have become clear.
  const statuses = Object.entries(has).flatMap(([status, meaning]) => {
    const was = known.get(status)
    if (was === undefined)
      return known.size === 0 ? [] : [`${kind}: the status \`${status}\` is new (${meaning})`]
    if (was === meaning || was === 'unclear' || meaning === 'unclear') return []
    return [`${kind}: the status \`${status}\` is ${meaning} now, and was ${was}`]
  })
  return [...fieldDifferences(kind, places, placesNow), ...statuses]
}

function answerDifferences(
  before: Readonly<Record<string, AnswerProfile | undefined>> = {},
  now: Readonly<Record<string, AnswerProfile | undefined>> = {},
  nameOf: (name: string) => string,
): string[] {
  const seen = new Map(Object.entries(now))
  return Object.entries(before).flatMap(([name, was]) => {
    const is = seen.get(name)
    if (was === undefined || is === undefined) return []
    const about = nameOf(name)
    return [
      ...valueDifferences(about, 'status', was.status, is.status),
      ...(was.contentType === is.contentType
        ? []
        : [`${about}: the content type is ${shown(is.contentType)} now, and was ${shown(was.contentType)}`]),
      ...differences(was.body, is.body, about),
    ]
  })
}

function callbackDifferences(
  { callbacks: before }: GatewayProfile,
  { callbacks: now }: GatewayProfile,
): string[] {
  if (before === undefined || now === undefined) return []
  // How long somebody waits is never quite the same twice.
  const { body: had, secondsBetweenTries: _had, ...fields } = before
  const { body: has, secondsBetweenTries: _has, ...fieldsNow } = now
  return [...fieldDifferences('callbacks', fields, fieldsNow), ...differences(had, has, 'callbacks')]
}

/** Of objects that hold texts, numbers and lists of them. */
function fieldDifferences(about: string, before: object = {}, now: object = {}): string[] {
  const seen = new Map<string, unknown>(Object.entries(now))
  return Object.entries(before).flatMap(([name, was]: [string, unknown]) =>
    valueDifferences(about, name, was, seen.get(name)),
  )
}

function valueDifferences(about: string, name: string, was: unknown, is: unknown): string[] {
  if (was === undefined || is === undefined || shown(was) === shown(is)) return []
  return [`${about}: \`${name}\` is ${shown(is)} now, and was ${shown(was)}`]
}

function shown(value: unknown): string {
  if (value === undefined) return 'not given'
  return Array.isArray(value) ? value.join(', ') || 'empty' : String(value)
}
