import { exitCodes } from '../exit-codes.js'
import { countOf, spanOf } from '../text.js'
import { fail, type Judged, type NeededOptions, ok, optionText, type Say, warn } from './finding.js'
import type { Gateway } from './gateway.js'

/** @returns whether the gateway answers a request without a token. */
export async function reaches(gateway: Gateway, say: Say): Promise<boolean> {
  const reply = await gateway.knock()
  if (typeof reply === 'string') {
    const why = reply.replace(/^GET \S+: |; no payment was touched, and it is safe to ask again|\.$/g, '')
    const fix = 'Check GATEWAY_BASE_URL, and that this machine may reach it (firewall, proxy, VPN).'
    say('connection', fail(why, fix, exitCodes.unreachable))
    return false
  }
  const date = Date.parse(reply.headers.get('date') ?? '')
  // The header has whole seconds (half a one is added), and was written about half way through the request.
  const aheadMs = Math.round(Date.now() - gateway.tookMs / 2 - (date + 500))
  say('connection', ok(`answered in ${spanOf(gateway.tookMs)}`))
  say('clock', judgeClock(Number.isNaN(date) ? undefined : aheadMs))
  say('API version', judgeVersion(reply.status))
  return true
}

/** The specification does not say how far a timestamp may be off. From a minute on it counts as the likely cause. */
const clock = { fineMs: 5000, mostMs: 60_000 }

export function judgeClock(aheadMs: number | undefined): Judged {
  if (aheadMs === undefined)
    return warn("the gateway's response has no Date to compare with", 'See that NTP is running.')
  const away = Math.abs(aheadMs)
  if (away <= clock.fineMs) return ok("within 5 s of the gateway's")
  const message = `${spanOf(away)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway's`
  const fix = "Set this machine's clock by NTP (timedatectl set-ntp true): signatures carry the time."
  return away < clock.mostMs ? warn(message, fix) : fail(message, fix)
}

export function judgeVersion(status: number): Judged {
  if (status === 401 || status === 403) return ok('X-API-Version: 2 is understood')
  if (status === 404) {
    return fail(
      'GET /merchant-info is not found (404): version 2 or the path of GATEWAY_BASE_URL is unknown there',
      'Check the path of GATEWAY_BASE_URL, and that no proxy drops the header X-API-Version.',
    )
  }
  if (status === 429 || status >= 500)
    return warn(`not known, since the gateway answered ${status}`, 'Run it again, or ask the platform.')
  if (status >= 300 && status < 400)
    return fail(`redirected (${status})`, 'Set GATEWAY_BASE_URL to where the redirect leads.')
  return warn(`answered ${status} without a token`, 'Check that GATEWAY_BASE_URL names the gateway.')
}

/** The last one of all, since it counts the requests of the others. */
export async function checkRate(gateway: Gateway, needed: NeededOptions, say: Say): Promise<void> {
  if (gateway.counts.answered === 0) return
  // Not after a 429: then others spend the same limit.
  const pairRefused = gateway.counts.refused === 0 ? await gateway.refusesTwoAtOnce() : undefined
  if (pairRefused === true) needed.rateLimit = evenlySpaced
  say('rate limit', judgeRate(gateway.counts, pairRefused))
}

const evenlySpaced = { requestsPerSecond: 10, counted: 'evenly-spaced' } as const

/** @param pairRefused whether of two requests at once one was refused; undefined where it was not tried. */
export function judgeRate(
  { answered, refused }: { readonly answered: number; readonly refused: number },
  pairRefused?: boolean,
): Judged {
  const requests = countOf(answered, 'request')
  if (pairRefused === true) {
    return warn(
      `of two requests at once one was refused (429), and none that came one after the other: this gateway spaces them evenly`,
      `Give ${optionText('rateLimit', evenlySpaced)} to the client, or let it find out by its first 429.`,
    )
  }
  if (refused > 0) {
    return warn(
      `${refused} of ${requests} refused (429), although they came at no more than 8 a second`,
      'Other processes spend the same budget of 10 a second: give each its share with rateLimit (GATEWAY_RATE_LIMIT).',
    )
  }
  return ok(
    `${requests} at no more than 8 a second${pairRefused === false ? ' and two at once' : ''}, none refused`,
  )
}
