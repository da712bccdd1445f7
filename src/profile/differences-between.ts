import type { AnswerProfile, GatewayProfile, RateProfile } from '../client/profile/gateway-profile.js'
import { differences } from './shapes/compare-shapes.js'

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
    ...answerDifferences(before.answers, now.answers, (name) => ({
      about: name,
      sawOthers: sawOthers(name, before, now),
    })),
    ...answerDifferences(before.refusals, now.refusals, (name) => ({ about: `the refusal ${name}` })),
    ...rateDifferences(before.rate, now.rate),
    ...callbackDifferences(before, now),
    ...fieldDifferences('balances', before.balances, now.balances),
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
  // One not seen this time may come again, and one that passes may have passed between two looks before; what was
  // unclear may have become clear.
  const statuses = Object.entries(has).flatMap(([status, meaning]) => {
    const was = known.get(status)
    if (was === undefined)
      return known.size === 0 || meaning === 'passing'
        ? []
        : [`${kind}: the status \`${status}\` is new (${meaning})`]
    if (was === meaning || was === 'unclear' || meaning === 'unclear') return []
    return [`${kind}: the status \`${status}\` is ${meaning} now, and was ${was}`]
  })
  return [...fieldDifferences(kind, places, placesNow), ...statuses]
}

function answerDifferences(
  before: Readonly<Record<string, AnswerProfile | undefined>> = {},
  now: Readonly<Record<string, AnswerProfile | undefined>> = {},
  kindOf: (name: string) => { readonly about: string; readonly sawOthers?: boolean },
): string[] {
  const seen = new Map(Object.entries(now))
  return Object.entries(before).flatMap(([name, was]) => {
    const is = seen.get(name)
    if (was === undefined || is === undefined) return []
    const { about, sawOthers } = kindOf(name)
    return [
      ...valueDifferences(about, 'status', was.status, is.status),
      ...(was.contentType === is.contentType
        ? []
        : [`${about}: the content type is ${shown(is.contentType)} now, and was ${shown(was.contentType)}`]),
      ...differences(was.body, is.body, about, sawOthers),
    ]
  })
}

/** Whether look-ups met the payment in other statuses than before, of which each may have fields of its own. */
function sawOthers(route: string, before: GatewayProfile, now: GatewayProfile): boolean {
  const kind = (['payins', 'payouts'] as const).find((one) => route.startsWith(`GET /${one}/`))
  if (kind === undefined) return false
  const statusesOf = (profile: GatewayProfile) => Object.keys(profile[kind]?.statuses ?? {}).sort()
  return statusesOf(before).join() !== statusesOf(now).join()
}

/** Ten at once may be eleven when they take a moment, and of eight in a row some may come too close together. */
const byChance = { atOnce: 1, inARow: 2 }

function rateDifferences(before: RateProfile = {}, now: RateProfile = {}): string[] {
  const {
    takenAtOnce: was = before.counted === 'in-windows' ? 10 : undefined,
    takenInARow: had,
    ...fields
  } = before
  const { takenAtOnce: is, takenInARow: has, ...fieldsNow } = now
  return [
    ...fieldDifferences('rate', fields, fieldsNow),
    ...takenDifferences('eleven requests at once', was, is, byChance.atOnce),
    ...takenDifferences('eight requests in a row', had, has, byChance.inARow),
  ]
}

function takenDifferences(
  about: string,
  was: number | undefined,
  is: number | undefined,
  mostByChance: number,
): string[] {
  const isOther = was !== undefined && is !== undefined && Math.abs(was - is) > mostByChance
  return isOther ? [`rate: of ${about} ${is} are taken now, and ${was} were`] : []
}

function callbackDifferences(
  { callbacks: before }: GatewayProfile,
  { callbacks: now }: GatewayProfile,
): string[] {
  if (before === undefined || now === undefined) return []
  if (before.tries === 0 || now.tries === 0) {
    if (before.tries === now.tries) return []
    return [now.tries === 0 ? 'callbacks: none comes any more' : 'callbacks: they come now']
  }
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
