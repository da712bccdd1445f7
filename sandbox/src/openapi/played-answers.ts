import type * as z from 'zod/mini'
import type { GatewayProfile } from '../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../src/client/profile/shape.js'
import { withReturnUrl } from '../gateway/profile/echoes.js'
import { answerOf } from '../gateway/profile/play-response.js'
import type { RouteName } from '../gateway/wire/routes.js'
import { schemaOf, withText } from './shape-schema.js'

/** An answer as the gateway of a profile gives it. */
export interface PlayedAnswer {
  readonly status: number
  /** `*`/`*` where the gateway names none. */
  readonly contentType: string
  /** Undefined for an empty body, `own` where it is the sandbox's own. */
  readonly body: z.ZodMiniType | 'own' | undefined
}

interface Played {
  readonly profile: GatewayProfile
  readonly tokenField: string
  readonly tokenFormat: 'json' | 'json-string' | 'text'
}

const ANY_TYPE = '*/*'

/** What a request that is served is answered with; undefined where the profile doesn't know. */
export function playedAnswer(route: RouteName, played: Played): PlayedAnswer | undefined {
  const answer = answerOf(played.profile, route)
  const shape = shapeOf(route, answer?.body, played)
  if (answer === undefined && (shape === undefined || shape === 'own')) return undefined
  const { status = 200, contentType = answer === undefined ? 'application/json' : ANY_TYPE } = answer ?? {}
  return { status, contentType, body: shape === undefined || shape === 'own' ? shape : schemaOf(shape) }
}

/** The refusals that the profile knows, each kind of body once. What the sandbox makes of them is in `playResponse`. */
export function playedRefusals({ refusals = {} }: GatewayProfile): PlayedAnswer[] {
  const all = Object.values(refusals).map(({ status, contentType = ANY_TYPE, body }) => {
    // A body of any kind is the sandbox's own, by the option `errorFormat`.
    const kind = body === 'any' ? 'own' : body
    return { key: JSON.stringify([status, contentType, kind]), status, contentType, kind }
  })
  return [...new Map(all.map((one) => [one.key, one])).values()].map(({ status, contentType, kind }) => ({
    status,
    contentType: kind === 'own' ? 'application/json' : contentType,
    body: kind === undefined || kind === 'own' ? kind : schemaOf(kind),
  }))
}

/** As `playedBodies` makes the body: the fields of the profile, and what is put among them. */
function shapeOf(
  route: RouteName,
  seen: Shape | undefined,
  { profile, tokenField, tokenFormat }: Played,
): Shape | 'own' | undefined {
  switch (route) {
    case 'POST /auth-tokens':
    case 'POST /auth-tokens-by-action':
      return tokenFormat === 'json' && answerOf(profile, route) !== undefined
        ? withText(seen ?? {}, tokenField)
        : 'own'
    case 'GET /payins/{idPayin}':
      return withPlaces(seen && withReturnUrl(seen), profile.payins)
    case 'GET /payouts/{idPayout}':
      return withPlaces(seen, profile.payouts)
    default:
      return seen && route.includes('{idPayin}') ? withReturnUrl(seen) : seen
  }
}

/** A payment that is looked up shows its status, and when it was processed, where the profile says. */
function withPlaces(seen: Shape | undefined, places: GatewayProfile['payins']): Shape | undefined {
  if (places === undefined) return seen
  const { statusField = 'process.status', processedAtField } = places
  const placed = withText(seen ?? {}, statusField)
  return processedAtField === undefined ? placed : withText(placed, processedAtField)
}
