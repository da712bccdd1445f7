import type { Environment } from '../io.js'
import { judgeCallbacks } from './callbacks.js'
import { type Finding, skip } from './finding.js'
import {
  GatewayChecks,
  type SignatureTry,
  type TimeStyle,
  type TimestampUnit,
  type TokenFacts,
} from './gateway-checks.js'
import {
  judgeClock,
  judgeFamily,
  judgeRate,
  judgeReach,
  judgeSignature,
  judgeToken,
  judgeVersion,
} from './judge-remote.js'
import { examineLive, type LiveCheck } from './live.js'
import { ask, type PacedFetch, pacedFetch } from './network.js'
import { examinePayments, type NeededOptions, type PayCheck } from './pay.js'
import { tokenPlaces } from './places.js'
import {
  credentialOf,
  judgeAddress,
  judgeKey,
  judgeMerchant,
  judgeNode,
  judgeTimestampUnit,
  timestampUnitOf,
} from './settings.js'

/** Without a token: the gateway refuses it, and so answers. */
const merchantInfo = '/merchant-info'

/** What is examined beside settings, key, clock and rights. */
export interface Examination {
  /** The checklist of going live. */
  readonly live?: LiveCheck | undefined
  /** One payin and one payout, and what the gateway shows of them. */
  readonly pay?: PayCheck | undefined
}

/**
 * Yields each finding as soon as it is known. Without `pay` it only reads from the gateway.
 *
 * @returns the options that this gateway needs, as far as they were seen.
 */
export async function* examine(
  env: Environment,
  { live, pay }: Examination = {},
): AsyncGenerator<Finding, NeededOptions> {
  const needed: NeededOptions = {}
  const key = judgeKey(env)
  const merchant = judgeMerchant(env)
  const address = judgeAddress(env)
  yield judgeNode(process.versions.node)
  yield key
  yield merchant
  yield address
  const unit = judgeTimestampUnit(env)
  yield* unit
  const canSign = key.verdict !== 'fail' && merchant.verdict !== 'fail'
  const paced = pacedFetch()
  const url = address.verdict === 'fail' ? undefined : new URL(env.GATEWAY_BASE_URL ?? '')
  if (url === undefined) {
    yield notChecked('connection', 'clock', 'API version', 'signature', 'token', 'operations')
  } else yield* examineGateway(env, url, canSign, paced, pay, needed)
  yield* judgeCallbacks(env, whoListens)
  if (live !== undefined) {
    const canAsk = url !== undefined && canSign && unit.length === 0
    yield* examineLive(env, url, canAsk ? paced : undefined, live)
  }
  if (url !== undefined && paced.counts.answered > 0) {
    // Not after a 429: then others spend the same limit.
    const canTell = paced.counts.refused === 0
    const pairRefused = canTell ? await paced.refusesTwoAtOnce(url, merchantInfo) : undefined
    if (pairRefused === true) needed.rateLimit = { requestsPerSecond: 10, counted: 'evenly-spaced' }
    yield judgeRate({ ...paced.counts, pairRefused })
  }
  return needed
}

async function* examineGateway(
  env: Environment,
  url: URL,
  canSign: boolean,
  paced: PacedFetch,
  pay: PayCheck | undefined,
  needed: NeededOptions,
): AsyncGenerator<Finding> {
  const reached = await paced.ask(url, merchantInfo)
  yield judgeReach(reached)
  if (reached.kind === 'none') {
    yield notChecked('clock', 'API version', 'signature', 'token', 'operations')
    return
  }
  const { dateMs, tookMs } = reached
  const aheadMs = dateMs === undefined ? undefined : clockAheadMs(dateMs, tookMs)
  yield judgeClock(aheadMs)
  yield judgeVersion(reached)
  if (!canSign) {
    yield notChecked('signature', 'token', 'operations')
    return
  }
  const [kind, wanted] = [credentialOf(env), timestampUnitOf(env)]
  const styles = timeStyles(kind, aheadMs ?? 0, wanted)
  const { tries, checks, token } = await sign(env, paced, styles, aheadMs ?? 0)
  yield judgeSignature(tries, kind, wanted)
  if (checks === undefined || token === undefined) {
    yield notChecked('token', 'operations')
    return
  }
  const { unit, validitySecs, tokenField } = tries.at(-1) ?? {}
  if (kind === 'key' && unit !== undefined && unit !== 'seconds') needed.timestampUnit = unit
  if (validitySecs !== undefined) needed.tokenValiditySecs = validitySecs
  if (tokenField !== undefined) needed.tokenField = tokenField
  yield judgeToken(token)
  for (const family of ['payins', 'payouts', 'account'] as const) {
    yield judgeFamily(family, await checks.family(family))
  }
  if (pay !== undefined) yield* examinePayments(checks, pay, needed)
}

interface Signed {
  readonly tries: readonly SignatureTry[]
  readonly checks?: GatewayChecks
  readonly token?: TokenFacts
}

/** Tries the ways to write a token request until the gateway accepts one. */
async function sign(
  env: Environment,
  paced: PacedFetch,
  styles: readonly TimeStyle[],
  aheadMs: number,
): Promise<Signed> {
  const tries: SignatureTry[] = []
  const left = [...styles]
  for (let style = left.shift(); style !== undefined; style = left.shift()) {
    const checks = new GatewayChecks(env, paced, style, aheadMs)
    const { answered, facts } = await checks.token()
    tries.push({ ...style, answered })
    if (facts !== undefined) return { tries, checks, token: facts }
    const { code } = answered
    // It was accepted, and the client doesn't know where in the response the token is.
    const [tokenField] = code === 'unusable_response' ? tokenPlaces(checks.last) : []
    if (tokenField !== undefined && style.tokenField === undefined) left.unshift({ ...style, tokenField })
    // Only a refusal can be due to the way in which the time is written.
    else if (code !== 'authentication' && code !== 'invalid_request') break
    // A 400 may be due to the validity, which the gateway may cap.
    if (code === 'invalid_request' && style.validitySecs === undefined) {
      for (const validitySecs of [300, 60]) left.push({ ...style, validitySecs })
    }
  }
  return { tries }
}

/** By how much this machine's clock is ahead of the one that wrote the header `Date` of a response just read. */
function clockAheadMs(dateMs: number, tookMs: number): number {
  // The header has whole seconds (half a one is added), and was written about half way through the request.
  return Math.round(Date.now() - tookMs / 2 - (dateMs + 500))
}

const noticeableMs = 5000

/** What the client would send comes first. */
export function timeStyles(
  kind: 'key' | 'secret',
  aheadMs: number,
  wanted: TimestampUnit = 'seconds',
): readonly TimeStyle[] {
  const other = wanted === 'seconds' ? 'milliseconds' : 'seconds'
  const own: readonly TimeStyle[] = [
    { unit: wanted, byGatewaysClock: false },
    { unit: other, byGatewaysClock: false },
  ]
  // A secret comes without a timestamp.
  if (kind === 'secret') return own.slice(0, 1)
  if (Math.abs(aheadMs) < noticeableMs) return own
  return [...own, ...own.map(({ unit }) => ({ unit, byGatewaysClock: true }))]
}

/** Asks with HEAD, which makes nothing happen. */
const whoListens = (url: string) => ask(url, { method: 'HEAD' }, 5000)

function notChecked(...checks: readonly string[]): Finding {
  return skip(checks[0] === undefined ? '' : 'not checked', checks.join(', '))
}
