import { errorCodes, type GatewayClient } from 'merchant-gateway'
import { exitCodes } from '../exit-codes.js'
import { spanOf } from '../text.js'
import {
  fail,
  type Judged,
  type NeededOptions,
  ok,
  optionText,
  type Say,
  type TimestampUnit,
  warn,
} from './finding.js'
import { type CheckResult, type Gateway, resultOf } from './gateway.js'
import { tokenPlaces } from './places.js'
import type { Asked } from './settings.js'

/** A client whose token requests are accepted, and the life that it asked for and got. */
export interface Granted {
  readonly client: GatewayClient
  readonly validitySecs: number
  readonly lifetimeMs: number
}

export async function signIn(
  gateway: Gateway,
  asked: Asked,
  needed: NeededOptions,
  say: Say,
): Promise<Granted | undefined> {
  const { tries, granted } = await tryWays(gateway, asked, needed)
  say(asked.credential === 'key' ? 'signature' : 'secret', judgeTries(tries, asked))
  if (granted !== undefined) say('token', judgeLife(granted))
  return granted
}

function judgeLife({ lifetimeMs, validitySecs }: Granted): Judged {
  const message = `lives ${spanOf(lifetimeMs)} of ${spanOf(validitySecs * 1000)} asked for`
  // A client that repeats a token request asks for up to a tenth less, so that no two requests are the same.
  if (lifetimeMs >= 900 * validitySecs) return ok(message)
  const granted = optionText('tokenValiditySecs', Math.floor(lifetimeMs / 1000))
  return warn(message, `Give ${granted} to the client, which is what the gateway grants.`)
}

/** One way to write a token request: what differs from the environment in it. */
type Way = Pick<NeededOptions, 'timestampUnit' | 'tokenValiditySecs' | 'tokenField'>

type Try = Way & CheckResult

/** Tries the ways to write a token request until the gateway accepts one, which is then the last. */
async function tryWays(
  gateway: Gateway,
  { credential, ...asked }: Asked,
  needed: NeededOptions,
): Promise<{ readonly tries: readonly Try[]; readonly granted?: Granted }> {
  const tries: Try[] = []
  const otherUnit = asked.timestampUnit === 'seconds' ? 'milliseconds' : 'seconds'
  // What the client would send comes first. A secret comes without a timestamp.
  const left: Way[] = credential === 'secret' ? [{}] : [{}, { timestampUnit: otherUnit }]
  for (let way = left.shift(); way !== undefined; way = left.shift()) {
    const client = gateway.client(way)
    const request = client.authTokens.create({ operations: ['GET /merchant-info'] })
    const { value, ...result } = await resultOf(request)
    tries.push({ ...way, ...result })
    if (value !== undefined) {
      const { timestampUnit, tokenValiditySecs } = { ...asked, ...way }
      Object.assign(needed, credential === 'key' && timestampUnit !== 'seconds' && { timestampUnit }, way)
      const { lifetimeMs } = value
      return { tries, granted: { client, validitySecs: tokenValiditySecs, lifetimeMs } }
    }
    // It was accepted, and the client doesn't know where in the response the token is.
    const [tokenField] = result.code === 'unusable_response' ? tokenPlaces(gateway.last) : []
    if (tokenField !== undefined && way.tokenField === undefined) left.unshift({ ...way, tokenField })
    // Only a refusal can be due to the way in which the time is written.
    else if (result.code !== 'authentication' && result.code !== 'invalid_request') return { tries }
    // A 400 may be due to the validity, which the gateway may cap.
    if (result.code === 'invalid_request' && way.tokenValiditySecs === undefined)
      for (const tokenValiditySecs of [300, 60]) left.push({ ...way, tokenValiditySecs })
  }
  return { tries }
}

function judgeTries(tries: readonly Try[], asked: Asked): Judged {
  const { credential } = asked
  const last = tries.at(-1)
  if (last?.code !== 'none') return judgeRefusal(tries, credential)
  const { code: _, said: __, ...changed } = last
  const { timestampUnit: unit = asked.timestampUnit, tokenValiditySecs: secs, tokenField } = changed
  const by = asked.tokenValiditySecs === 900 ? ' (the default)' : ''
  const how = [
    unit !== asked.timestampUnit &&
      `with the timestamp in ${unit}, refused in ${unitText(asked.timestampUnit)}`,
    secs && `for a token of ${secs} s, refused for one of ${asked.tokenValiditySecs} s${by}`,
    tokenField && `with a token that the client finds only in ${tokenField}`,
  ].filter((text) => typeof text === 'string')
  const options = Object.entries(changed).map(([name, value]) => optionText(name, value))
  if (how.length > 0)
    return warn(`accepted ${how.join(', ')}`, `Give ${options.join(' and ')} to the client.`)
  return ok(credential === 'secret' ? 'accepted' : `accepted, timestamp in ${unitText(unit)}`)
}

function unitText(unit: TimestampUnit): string {
  return unit === 'seconds' ? 'seconds (the default)' : 'milliseconds (GATEWAY_TIMESTAMP_UNIT)'
}

const later = 'Run it again; if it stays, ask the platform, and whether other processes spend the same limit.'

/** What to do where no token was to be had, by what the first try ended with. */
const remedies: Partial<Record<CheckResult['code'], string>> = {
  connection: 'Try again; see the line on the connection.',
  timeout: 'Try again; see the line on the connection.',
  rate_limit: later,
  server: later,
  invalid_request: 'Check GATEWAY_MERCHANT_CODE, and ask the platform what a token request must hold.',
  authentication:
    'Check GATEWAY_MERCHANT_CODE, and that the platform has the public half with the SHA-256 of the line on the key.',
}

/** The first try is what the client sends; the others differ in the time, or ask for a shorter token. */
function judgeRefusal([first, ...others]: readonly Try[], credential: 'key' | 'secret'): Judged {
  const { code, said } = first ?? { code: 'connection', said: 'nothing was tried' }
  const shorter = [...new Set(others.flatMap(({ tokenValiditySecs }) => tokenValiditySecs ?? []))]
  const nothing = `which says nothing of the ${credential === 'key' ? 'signature' : 'secret'}`
  const messages: typeof remedies = {
    rate_limit: `not known: over the rate limit (${said}), ${nothing}`,
    server: `not known: the gateway failed (${said}), ${nothing}`,
    invalid_request: `refused (${said})${shorter.length === 0 ? '' : `, for ${shorter.join(' and ')} s too`}`,
    authentication: `refused (${said})${others.length === 0 ? '' : ', in seconds as in milliseconds'}`,
  }
  if (credential === 'secret' && code === 'authentication')
    return fail(`refused (${said})`, 'Check GATEWAY_MERCHANT_CODE and GATEWAY_MERCHANT_SECRET.')
  const isUnreachable = code !== 'none' && errorCodes[code].from === 'network'
  const exit = isUnreachable ? exitCodes.unreachable : exitCodes.refused
  const remedy = remedies[code] ?? 'Check GATEWAY_BASE_URL, and ask the platform.'
  return fail(messages[code] ?? said, remedy, exit)
}
