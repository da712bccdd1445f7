import { exitCodes } from '../exit-codes.js'
import { countOf, spanOf } from '../text.js'
import { type Finding, fail, ok, warn } from './finding.js'
import {
  askedSecs,
  type CheckResult,
  type SignatureTry,
  type TimestampUnit,
  type TokenFacts,
} from './gateway-checks.js'
import { type Answered, networkProblem, networkRemedy, type Reply } from './network.js'

export function judgeReach(reach: Reply): Finding {
  if (reach.kind === 'answered') return ok('connection', `answered in ${spanOf(reach.tookMs)}`)
  return fail('connection', networkProblem(reach.code), networkRemedy(reach.code), exitCodes.unreachable)
}

/** The specification does not say how far a timestamp may be off. From a minute on it counts as the likely cause. */
const clock = { fineMs: 5000, mostMs: 60_000 }

export function judgeClock(ahead: number | undefined): Finding {
  if (ahead === undefined) {
    return warn('clock', "the gateway's answer has no Date to compare with", 'See that NTP is running.')
  }
  const away = Math.abs(ahead)
  if (away <= clock.fineMs) return ok('clock', "within 5 s of the gateway's")
  const message = `${spanOf(away)} ${ahead > 0 ? 'ahead of' : 'behind'} the gateway's`
  const fix = "Set this machine's clock by NTP (timedatectl set-ntp true): signatures carry the time."
  return away < clock.mostMs ? warn('clock', message, fix) : fail('clock', message, fix)
}

export function judgeVersion({ status }: Pick<Answered, 'status'>): Finding {
  const check = 'API version'
  if (status === 404) {
    return fail(
      check,
      'GET /merchant-info is not found (404): version 2 or the path of GATEWAY_BASE_URL is unknown there',
      'Check the path of GATEWAY_BASE_URL, and that no proxy drops the header X-API-Version.',
    )
  }
  if (status >= 300 && status < 400) {
    return fail(check, `redirected (${status})`, 'Set GATEWAY_BASE_URL to where the redirect leads.')
  }
  if (status >= 500)
    return warn(check, `the gateway failed (${status})`, 'Try again later, or ask the platform.')
  if (status === 429) return warn(check, 'over the rate limit (429), so not known', 'Run it again.')
  if (status === 401 || status === 403) return ok(check, 'X-API-Version: 2 is understood')
  return warn(check, `answered ${status} without a token`, 'Check that GATEWAY_BASE_URL names the gateway.')
}

/** The last try is the one that was accepted, if any was. */
export function judgeSignature(
  tries: readonly SignatureTry[],
  kind: 'key' | 'secret',
  wanted: TimestampUnit = 'seconds',
): Finding {
  const check = kind === 'key' ? 'signature' : 'secret'
  const last = tries.at(-1)
  if (last?.answered.code !== 'none') return judgeRefusal(check, tries)
  const { unit, byGatewaysClock, validitySecs, tokenField } = last
  if (byGatewaysClock) {
    return fail(
      check,
      `accepted with the gateway's time in ${unit}, not with this machine's`,
      `The key and the merchant code are right; set this machine's clock${unit === wanted ? '' : ` and GATEWAY_TIMESTAMP_UNIT=${unit}`}.`,
    )
  }
  const [how, options]: [string[], string[]] = [[], []]
  if (unit !== wanted) {
    how.push(`with the timestamp in ${unit}, refused in ${unitText(wanted)}`)
    options.push(`timestampUnit: '${unit}' (GATEWAY_TIMESTAMP_UNIT=${unit} in the environment)`)
  }
  if (validitySecs !== undefined) {
    how.push(`for a token of ${validitySecs} s, refused for one of ${askedSecs} s (the default)`)
    options.push(`tokenValiditySecs: ${validitySecs}`)
  }
  if (tokenField !== undefined) {
    how.push(`with a token that the client finds only in ${tokenField}`)
    options.push(`tokenField: '${tokenField}'`)
  }
  if (how.length > 0)
    return warn(check, `accepted ${how.join(', ')}`, `Give ${options.join(' and ')} to the client.`)
  return ok(check, kind === 'secret' ? 'accepted' : `accepted, timestamp in ${unitText(unit)}`)
}

function unitText(unit: TimestampUnit): string {
  return unit === 'seconds' ? 'seconds (the default)' : 'milliseconds (GATEWAY_TIMESTAMP_UNIT)'
}

const gatewayFailed = ['the gateway failed', 'Run it again later; if it stays, tell the platform.'] as const
const overTheLimit = [
  'over the rate limit',
  'Run it again; if it stays, other processes spend the same 10 requests a second.',
] as const

function judgeRefusal(check: string, tries: readonly SignatureTry[]): Finding {
  // The first try is what the client sends; the others differ in the time, or ask for a shorter token.
  const { code, said } = tries[0]?.answered ?? { code: 'connection', said: 'nothing was tried' }
  if (code === 'connection' || code === 'timeout') {
    return fail(check, said, 'Try again; see the line on the connection.', exitCodes.unreachable)
  }
  if (code === 'rate_limit' || code === 'server') {
    const [why, fix] = code === 'server' ? gatewayFailed : overTheLimit
    return fail(check, `not known: ${why} (${said}), which says nothing of the ${check}`, fix)
  }
  if (code === 'invalid_request') {
    const shorter = [...new Set(tries.flatMap(({ validitySecs }) => validitySecs ?? []))]
    return fail(
      check,
      `refused (${said})${shorter.length === 0 ? '' : `, for ${shorter.join(' and ')} s too`}`,
      'Check GATEWAY_MERCHANT_CODE, and ask the platform what a token request must hold.',
    )
  }
  if (code !== 'authentication') return fail(check, said, 'Check GATEWAY_BASE_URL, and ask the platform.')
  if (check === 'secret') {
    return fail(check, `refused (${said})`, 'Check GATEWAY_MERCHANT_CODE and GATEWAY_MERCHANT_SECRET.')
  }
  const times = tries.length === 1 ? '' : ', in seconds as in milliseconds'
  return fail(
    check,
    `refused (${said})${times}`,
    'Check GATEWAY_MERCHANT_CODE, and that the platform has the public half with the SHA-256 of the line on the key.',
  )
}

export function judgeToken({ lifetimeMs, validitySecs = askedSecs }: TokenFacts): Finding {
  const askedMs = validitySecs * 1000
  const message = `lives ${spanOf(lifetimeMs)} of ${spanOf(askedMs)} asked for`
  // A client that repeats a token request asks for up to a tenth less, so that no two requests are the same.
  if (lifetimeMs >= 0.9 * askedMs) return ok('token', message)
  return warn(
    'token',
    message,
    `Set tokenValiditySecs to what the gateway grants (${Math.floor(lifetimeMs / 1000)}).`,
  )
}

/** Judges the operations of a family. Looking up a payment of a random id is allowed where it is answered 404. */
export function judgeFamily(family: string, results: readonly (readonly [string, CheckResult])[]): Finding {
  const payments = family !== 'account'
  const bad = results.filter(([, { code }]) => !isAllowed(code, payments))
  if (bad.length === 0) {
    const untried = payments ? `; creating ${family} was not tried` : ''
    return ok(family, `allowed: ${results.map(([operation]) => operation).join(', ')}${untried}`)
  }
  const message = bad.map(([operation, { said }]) => `${operation}: ${said}`).join('; ')
  const codes = bad.map(([, { code }]) => code)
  if (codes.some((code) => code === 'permission' || code === 'authentication')) {
    return fail(
      family,
      message,
      `Ask the platform to allow your merchant account what you need of ${family}.`,
    )
  }
  if (codes.some((code) => code === 'connection' || code === 'timeout')) {
    return fail(family, message, 'Try again; see the line on the connection.', exitCodes.unreachable)
  }
  return warn(family, message, 'Look at it if you use this; the permission itself was not refused.')
}

function isAllowed(code: CheckResult['code'], payments: boolean): boolean {
  return code === 'none' || (payments && (code === 'not_found' || code === 'invalid_request'))
}

export interface RateFacts {
  readonly answered: number
  readonly refused: number
  /** Whether of two requests at once one was refused; absent where it was not tried. */
  readonly pairRefused?: boolean | undefined
}

export function judgeRate({ answered, refused, pairRefused }: RateFacts): Finding {
  if (pairRefused === true) {
    return warn(
      'rate limit',
      `of two requests at once one was refused (429), and none that came one after the other: this gateway spaces them evenly`,
      "Give rateLimit: { requestsPerSecond: 10, counted: 'evenly-spaced' } to the client, or let it find out by its first 429.",
    )
  }
  if (refused === 0) {
    const pair = pairRefused === false ? ' and two at once' : ''
    return ok('rate limit', `${countOf(answered, 'request')} at no more than 8 a second${pair}, none refused`)
  }
  return warn(
    'rate limit',
    `${refused} of ${countOf(answered, 'request')} refused (429), although they came at no more than 8 a second`,
    'Other processes spend the same budget of 10 a second: give each its share with rateLimit.',
  )
}
