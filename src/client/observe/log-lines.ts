import { errorCodes } from '../error-codes.js'
import { type GatewayErrorCode, isGatewayError } from '../errors.js'
import { visible } from '../input/visible.js'
import type { GatewayEventName } from './channels.js'
import type {
  AttemptEnded,
  CallEnded,
  GatewayEvents,
  ObservedCall,
  RateLimitEvent,
  TokenEvent,
} from './events.js'
import { type GatewayLogger, shownMessage } from './logger.js'

/** No field is a secret, a token or a customer's. */
export type LogFields = Readonly<Record<string, unknown>>

export interface LogLine {
  readonly level: keyof GatewayLogger
  readonly text: string
  readonly fields: LogFields
  readonly sentence: string
}

export function lineOf<Name extends GatewayEventName>(
  name: Name,
  event: GatewayEvents[Name],
  slowMs: number,
): LogLine | undefined {
  const line = lines[name]?.(event, slowMs)
  if (line === undefined) return undefined
  const { level, text, facts = {}, fields = {} } = line
  const sentence = visible(`merchant-gateway: ${text}`)
  const behind = known(facts).map(([fact, value]) => ` ${fact}=${value}`)
  return {
    level,
    text: sentence + visible(behind.join('')),
    fields: Object.fromEntries(known({ event: name, ...fields, ...facts }).map(shown)),
    sentence,
  }
}

function known(fields: LogFields): [string, unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== undefined)
}

function shown([field, value]: [string, unknown]): [string, unknown] {
  return [field, typeof value === 'string' ? visible(value) : value]
}

interface Described {
  readonly level: keyof GatewayLogger
  readonly text: string
  readonly facts?: LogFields
  readonly fields?: LogFields
}

const lines: {
  readonly [Name in GatewayEventName]?: (event: GatewayEvents[Name], slowMs: number) => Described | undefined
} = {
  'merchant-gateway:call:end': callLine,
  'merchant-gateway:attempt:end': attemptLine,
  'merchant-gateway:token': tokenLine,
  'merchant-gateway:rate-limit': rateLimitLine,
  // Once for each field: see `Observer.drift`.
  'merchant-gateway:drift': ({ route, issues }) => ({
    level: 'warn',
    text: `the gateway's response differs from what this version knows: ${route}: ${issues.join('; ')}`,
    fields: { route, issues: issues.map(visible) },
  }),
}

function callLine(ended: CallEnded, slowMs: number): Described {
  const { call, attempts, durationMs, waitedForPermitMs, waitedForTokenMs } = ended
  const { status, outcome, replayed, paymentStatus, error } = ended
  const { name, idPayin, idPayout } = call
  const code = isGatewayError(error) ? error.code : undefined
  const took = [times(attempts), ms(durationMs), ...waitTimes(ended, (wait) => `${wait} of it`)].join(', ')
  const line = {
    facts: { code, outcome, replayed, status, paymentStatus, idPayin, idPayout },
    fields: {
      call: name,
      attempts,
      durationMs: Math.round(durationMs),
      waitedForPermitMs: Math.round(waitedForPermitMs),
      waitedForTokenMs: Math.round(waitedForTokenMs),
    },
  }
  // Its wait has ended, or a callback has brought what it was to find.
  if (code === 'aborted' && isBackgroundLookup(call)) {
    return { ...line, level: 'debug', text: `${name} was not needed any more (${took})` }
  }
  if (error !== undefined) {
    const message = shownMessage(error, code !== undefined, call)
    return { ...line, level: failureLevel(code, call), text: `${name} failed (${took}): ${message}` }
  }
  const level = attempts > 1 || durationMs > slowMs ? 'warn' : 'debug'
  const how = durationMs > slowMs ? 'succeeded slowly' : 'succeeded'
  return { ...line, level, text: `${name} ${how} (${took})` }
}

/** A lookup in the background that failed is made again. */
function failureLevel(code: GatewayErrorCode | undefined, call: ObservedCall): keyof GatewayLogger {
  const level = code === undefined ? 'error' : errorCodes[code].level
  // The call that waits for the token says itself that it failed.
  return level === 'error' && (isBackgroundLookup(call) || call.name === 'tokens.mint') ? 'warn' : level
}

function isBackgroundLookup({ method, priority }: ObservedCall): boolean {
  return method === 'GET' && priority === 'background'
}

function attemptLine({ attempt, durationMs, status, failure, outcome }: AttemptEnded): Described {
  const { call, number, method, pathTemplate, retryReason } = attempt
  const reply = failure ?? `status_${status}`
  const took = [reply, ms(durationMs), ...waitTimes(attempt, (wait) => `after ${wait}`)].join(', ')
  return {
    level: 'debug',
    text: `${call.name}: ${method} ${pathTemplate} attempt ${number} ${outcome} (${took})`,
    fields: {
      call: call.name,
      attempt: number,
      method,
      pathTemplate,
      retryReason,
      attemptOutcome: outcome,
      failure,
      status,
      durationMs: Math.round(durationMs),
      idPayin: call.idPayin,
      idPayout: call.idPayout,
    },
  }
}

function tokenLine({ kind, scope, lifetimeMs, why, cacheFailure }: TokenEvent): Described {
  const fields = { token: kind, scope, why, lifetimeMs, cacheFailure }
  if (kind === 'uncached') {
    const text =
      cacheFailure === 'unreadable'
        ? `tokenCache held something for ${scope} that this client's key doesn't open, so a new token is minted`
        : `tokenCache failed (${cacheFailure}), so the client requests its own token for ${scope}`
    return { level: 'warn', text, fields }
  }
  if (why === 'refused') {
    const text = `the gateway refused the kept token for ${scope} (401), so a new one is minted`
    return { level: 'warn', text, fields }
  }
  const more = lifetimeMs === undefined ? (why ?? '') : `good for ${Math.round(lifetimeMs / 1000)} s`
  return { level: 'debug', text: `token for ${scope} ${kind} (${more})`, fields }
}

function rateLimitLine(event: RateLimitEvent): Described | undefined {
  if (event.kind === 'paused') {
    const pauseMs = Math.round(event.pauseMs)
    const text = `the gateway said 429, so nothing is sent for ${ms(pauseMs)}`
    return { level: 'warn', text, fields: { pauseMs } }
  }
  if (event.kind !== 'pacing') return undefined
  if (event.to === 'in-windows') {
    return { level: 'info', text: 'two requests at once were not refused, so they are not spaced any more' }
  }
  return {
    level: 'warn',
    text: "requests are spaced evenly after the 429; if the gateway always counts so, set rateLimit: { requestsPerSecond, counted: 'evenly-spaced' }",
  }
}

function times(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`
}

interface Waited {
  readonly waitedForPermitMs: number
  readonly waitedForTokenMs: number
}

function waitTimes({ waitedForPermitMs, waitedForTokenMs }: Waited, say: (wait: string) => string): string[] {
  return [
    ...(waitedForPermitMs >= 1 ? [`${say(ms(waitedForPermitMs))} for a permit`] : []),
    ...(waitedForTokenMs >= 1 ? [`${say(ms(waitedForTokenMs))} for a token`] : []),
  ]
}

function ms(duration: number): string {
  return `${Math.round(duration)} ms`
}
