import type { AnswerProfile, GatewayProfile, RefusalCase } from '../gateway-profile/profile.js'
import { type AnswerEvent, type BudgetSpacingEvent, onGatewayEvent } from '../index.js'
import { mergeShapes } from '../shapes/merge-shapes.js'

/** What {@link profileFromTraffic} takes. */
export interface TrafficOptions {
  /** What is known already: what is seen is added to it. Default: nothing. */
  readonly profile?: GatewayProfile | undefined
  /**
   * Host of the gateway's `baseUrl`, for a process with clients of several gateways: others are not listened to.
   * Default: all are.
   */
  readonly serverAddress?: string | undefined
}

/** A profile that grows while clients work. */
export interface TrafficProfile {
  /** What is known by now: a new object whenever something was added. */
  readonly profile: GatewayProfile
  /** Listens no more; the profile stays as it is. */
  stop(): void
}

/**
 * Adds to a profile what the answers to the calls of this process are made of, without asking anything: it listens
 * to the channels `merchant-gateway:answer` and `merchant-gateway:budget`. Names and types come there, and never a
 * value, so statuses of payments are not learned by it. While nobody has called it, answers cost nothing more.
 *
 * @example
 * const traffic = profileFromTraffic({ profile })
 * setInterval(() => console.log(differencesBetween(profile, traffic.profile)), 3_600_000).unref()
 */
export function profileFromTraffic(options: TrafficOptions = {}): TrafficProfile {
  const { profile: known = { profileVersion: 1 }, serverAddress } = options
  let profile = known
  const isMeant = ({ client }: Pick<AnswerEvent, 'client'>) =>
    serverAddress === undefined || client.serverAddress === serverAddress
  const stops = [
    onGatewayEvent('merchant-gateway:answer', (event) => {
      if (isMeant(event)) profile = withAnswer(profile, event)
    }),
    onGatewayEvent('merchant-gateway:budget', (event) => {
      if (event.kind === 'spacing' && isMeant(event)) profile = withSpacing(profile, event)
    }),
  ]
  return {
    get profile() {
      return profile
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** More endpoints than the gateway has, so that nothing that is made up fills the memory. */
const mostAnswers = 50

/** A profile, and what one more answer adds to it; the same object where that is nothing. */
function withAnswer(profile: GatewayProfile, event: AnswerEvent): GatewayProfile {
  const { answers = {}, refusals = {} } = profile
  // What the caller has made up is no endpoint of the specification.
  if (event.name === 'request') return profile
  if (event.status >= 200 && event.status <= 299) {
    const { [event.route]: before } = answers
    const now = merged(before, event)
    if (now === before || (before === undefined && Object.keys(answers).length >= mostAnswers)) return profile
    return { ...withFormat(profile, event), answers: { ...answers, [event.route]: now } }
  }
  const which = refusalOf(event)
  if (which === undefined) return profile
  const { [which]: before } = refusals
  const now = merged(before, event)
  const { retryAfter = profile.rate?.retryAfter } = event
  if (now === before && retryAfter === profile.rate?.retryAfter) return profile
  const rate = which === 'rate-exceeded' ? { rate: { ...profile.rate, retryAfter } } : {}
  return { ...profile, refusals: { ...refusals, [which]: now }, ...rate }
}

/** Two at once were not refused. Of a 429 it can't be told from here what it was for. */
function withSpacing(profile: GatewayProfile, { to }: BudgetSpacingEvent): GatewayProfile {
  if (to !== 'in-windows' || profile.rate?.counted !== undefined) return profile
  return { ...profile, rate: { ...profile.rate, counted: to } }
}

function withFormat(profile: GatewayProfile, { route, shape }: AnswerEvent): GatewayProfile {
  if (!route.startsWith('POST /auth-tokens') || profile.tokens?.format !== undefined) return profile
  const format = shape === 'text' ? 'text' : shape === 'string' ? 'json-string' : 'json'
  return { ...profile, tokens: { ...profile.tokens, format } }
}

/** What is seen under another status than before is another answer, and is left to whoever asks on purpose. */
function merged(before: AnswerProfile | undefined, event: AnswerEvent): AnswerProfile {
  const { status, contentType, shape } = event
  if (before === undefined) {
    return {
      status,
      ...(contentType === undefined ? {} : { contentType }),
      ...(shape === undefined ? {} : { body: shape }),
    }
  }
  if (before.status !== status || shape === undefined || before.body === undefined) return before
  const body = mergeShapes(before.body, shape)
  return JSON.stringify(body) === JSON.stringify(before.body) ? before : { ...before, body }
}

/** What a refusal was about, where the status and the request leave no doubt. */
function refusalOf({ route, status }: AnswerEvent): RefusalCase | undefined {
  const [method = '', path = ''] = route.split(' ')
  const isPayment = /^\/(?:payins|payouts)\/\{/.test(path)
  if (status === 429) return 'rate-exceeded'
  if (status === 403) return 'token-not-allowed'
  if (status === 401) return path.startsWith('/auth-tokens') ? undefined : 'token-wrong'
  if (status === 409) return method === 'POST' && isPayment ? 'id-repeated' : undefined
  if (status !== 404 || method !== 'GET') return undefined
  if (path === '/payins/{idPayin}') return 'payin-unknown'
  return path === '/payouts/{idPayout}' ? 'payout-unknown' : undefined
}
