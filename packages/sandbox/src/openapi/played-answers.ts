import type { GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../src/client/profile/shape.js'
import { withReturnUrl } from '../gateway/profile/echoes.js'
import { answerOf } from '../gateway/profile/play-response.js'
import type { RouteName } from '../gateway/wire/routes.js'
import { type JsonObject, jsonSchemaOf, withText } from './shape-schema.js'

/** All that the document has of an answer. */
export interface Answer {
  readonly status: number
  /** `*`/`*` where the gateway names none. */
  readonly contentType: string
  /** Undefined for an empty body. */
  readonly schema: JsonObject | undefined
}

interface Played {
  readonly profile: GatewayProfile
  readonly tokenField: string
  readonly tokenFormat: 'json' | 'json-string' | 'text'
}

const ANY_TYPE = '*/*'

/**
 * What a request that is served is answered with; undefined where the profile doesn't know.
 *
 * @param own the schema of the sandbox's own body
 */
export function playedAnswer(route: RouteName, played: Played, own: JsonObject): Answer | undefined {
  const answer = answerOf(played.profile, route)
  const shape = shapeOf(route, answer?.body, played)
  if (answer === undefined && (shape === undefined || shape === 'own')) return undefined
  const { status = 200, contentType = answer === undefined ? 'application/json' : ANY_TYPE } = answer ?? {}
  return { status, contentType, schema: shape === 'own' ? own : schemaFor(shape) }
}

/**
 * The refusals that the profile knows, each kind of body once. What the sandbox makes of them is in `playResponse`.
 *
 * @param own the schema of the sandbox's own refusals, which the option `errorFormat` decides
 */
export function playedRefusals({ refusals = {} }: GatewayProfile, own: JsonObject | undefined): Answer[] {
  const all = Object.values(refusals).map(({ status, contentType = ANY_TYPE, body }): Answer => {
    if (body === 'any') return { status, contentType: 'application/json', schema: own }
    return { status, contentType, schema: schemaFor(body) }
  })
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
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

function schemaFor(shape: Shape | undefined): JsonObject | undefined {
  return shape === undefined ? undefined : jsonSchemaOf(shape)
}
