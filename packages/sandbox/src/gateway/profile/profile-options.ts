import type { AnswerProfile, GatewayProfile } from '../../../../../src/client/profile/gateway-profile.js'
import { keepProfile } from '../../../../../src/profile/keep-profile.js'
import type { SandboxOptions } from '../options.js'

/** @throws Error that names the place of what is wrong in it */
export function readProfile(json: unknown): GatewayProfile {
  return keepProfile(
    json,
    (path, why) => new Error(`createSandbox: the option profile${path === '' ? '' : `: ${path}`} ${why}.`),
  )
}

/** A profile says no more than a day: `learn` tries no longer one. */
function isCap(longestValiditySecs: number | undefined): boolean {
  return longestValiditySecs !== undefined && longestValiditySecs < 86_400
}

/** Options that a profile stands for. What it doesn't know is undefined. */
export function optionsOf({ tokens = {}, rate, callbacks, balances, customerAccountPath }: GatewayProfile) {
  const { repeatedRequest } = tokens
  return {
    tokenField: tokens.field,
    tokenFormat: tokens.format,
    timestampUnit: tokens.timestampUnit,
    maxValiditySecs: isCap(tokens.longestValiditySecs) ? tokens.longestValiditySecs : undefined,
    replay: repeatedRequest && (repeatedRequest === 'refused' ? 'refuse' : 'allow'),
    limiter: rate?.counted === 'evenly-spaced' ? 'evenly-spaced' : undefined,
    retryAfter: rate?.retryAfter === 'absent' ? false : rate?.retryAfter,
    customerAccountPath,
    balanceCounts: balances,
    // No callback was seen, so nobody knows how often one is tried.
    callbackTries: callbacks?.tries || undefined,
  } satisfies { readonly [Name in keyof SandboxOptions]?: SandboxOptions[Name] | undefined }
}

/**
 * A profile as a sandbox plays it: without what an option says in another way, and with what options say of the
 * same things, so that a client of this profile gets on with this sandbox.
 */
export function playedProfile(profile: GatewayProfile, options: SandboxOptions): GatewayProfile {
  const { answers = {}, refusals = {}, payins, callbacks, tokens } = profile
  const tokensByHand = options.tokenField !== undefined || options.tokenFormat !== undefined
  const payinsByHand = options.payinStatusIn !== undefined
  const isByHand = (route: string) =>
    (tokensByHand && route.startsWith('POST /auth-tokens')) ||
    (payinsByHand && route === 'GET /payins/{idPayin}')
  return {
    ...profile,
    answers: Object.fromEntries(Object.entries(answers).filter(([route]) => !isByHand(route))),
    refusals:
      options.errorFormat === undefined
        ? refusals
        : Object.fromEntries(Object.entries(refusals).map(([name, answer]) => [name, statusOnly(answer)])),
    payins: payinsByHand && payins !== undefined ? placedBy(options, payins) : payins,
    callbacks:
      callbacks === undefined || callbacks.tries === 0
        ? undefined
        : options.callbackBody === undefined
          ? callbacks
          : { ...callbacks, body: undefined, contentType: undefined },
    balances: options.balanceCounts ?? profile.balances,
    customerAccountPath: options.customerAccountPath ?? profile.customerAccountPath,
    tokens: {
      ...tokens,
      field: options.tokenField ?? tokens?.field,
      format: options.tokenFormat ?? tokens?.format,
      timestampUnit: options.timestampUnit ?? tokens?.timestampUnit,
      longestValiditySecs: options.maxValiditySecs ?? tokens?.longestValiditySecs,
    },
  }
}

function placedBy({ payinStatusIn }: SandboxOptions, payins: NonNullable<GatewayProfile['payins']>) {
  const before = payinStatusIn === 'top' ? '' : 'process.'
  return { ...payins, statusField: `${before}status`, processedAtField: `${before}processedAt` }
}

/** Its body is that of the option `errorFormat`. */
function statusOnly(answer: AnswerProfile | undefined): AnswerProfile | undefined {
  return answer && { status: answer.status, contentType: 'application/json', body: 'any' }
}
