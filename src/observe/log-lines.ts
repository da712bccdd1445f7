import { isGatewayError } from '../errors.js'
import type { GatewayEventName } from './channels.js'
import type {
  AttemptEnded,
  BudgetEvent,
  CallEnded,
  DriftEvent,
  GatewayEvents,
  ObservedCall,
  TokenEvent,
} from './events.js'
import { forgive } from './forgive.js'
import type { GatewayLogger } from './logger.js'

/** Writes the line of an event, where it has one. A logger that throws changes nothing. */
export function logEvent<Name extends GatewayEventName>(
  logger: GatewayLogger,
  slowMs: number,
  name: Name,
  event: GatewayEvents[Name],
): void {
  try {
    const line = lineOf(name, event, slowMs)
    // A logger that is async may also reject.
    if (line !== undefined) forgive(logger[line.level](line.text))
  } catch {
    // A payment goes on without its line in the log.
  }
}

/** A line and how much it matters. */
export interface LogLine {
  readonly level: keyof GatewayLogger
  readonly text: string
}

type Lines = {
  readonly [Name in GatewayEventName]?: (event: GatewayEvents[Name], slowMs: number) => LogLine | undefined
}

const lines: Lines = {
  'merchant-gateway:call:end': callLine,
  'merchant-gateway:attempt:end': attemptLine,
  'merchant-gateway:token': tokenLine,
  'merchant-gateway:budget': budgetLine,
  'merchant-gateway:drift': driftLine,
}

/**
 * What the log says of an event: a call that failed, was slow or was retried gets one line, and
 * one that went well gets one for `debug` alone.
 */
export function lineOf<Name extends GatewayEventName>(
  name: Name,
  event: GatewayEvents[Name],
  slowMs: number,
): LogLine | undefined {
  const line = lines[name]?.(event, slowMs)
  return line && { level: line.level, text: oneLine(`merchant-gateway: ${line.text}`) }
}

function callLine(ended: CallEnded, slowMs: number): LogLine {
  const { call, attempts, durationMs, error } = ended
  const took = [times(attempts), ms(durationMs), ...waits(ended, (wait) => `${wait} of it`)].join(', ')
  if (error !== undefined) {
    return {
      level: failureLevel(error, call),
      text: `${call.name} failed (${took}): ${messageOf(error, call)}${facts(ended)}`,
    }
  }
  const level = attempts > 1 || durationMs > slowMs ? 'warn' : 'debug'
  const how = durationMs > slowMs ? 'succeeded slowly' : 'succeeded'
  return { level, text: `${call.name} ${how} (${took})${facts(ended)}` }
}

/** A message of `request()` begins with the caller's own path, which may hold what is a customer's. */
function messageOf({ message }: Error, { name, method, pathTemplate }: ObservedCall): string {
  return name === 'request'
    ? message.replace(/^[A-Z]+ \S+(?=: )/, () => `${method} ${pathTemplate}`)
    : message
}

/** What the caller did itself is no trouble, and a poll that failed is made again. */
function failureLevel(error: Error, { lane, name }: ObservedCall): LogLine['level'] {
  const code = isGatewayError(error) ? error.code : undefined
  if (code === 'aborted' || code === 'client_closed' || code === 'invalid_input') return 'info'
  // The call that waits for the token says itself that it failed; while it is replaced, none does.
  return lane === 'poll' || name === 'tokens.mint' || code === 'not_found' ? 'warn' : 'error'
}

function facts({ call, status, outcome, replayed, error }: CallEnded): string {
  const pairs = {
    code: isGatewayError(error) ? error.code : undefined,
    outcome,
    replayed,
    status,
    idPayin: call.idPayin,
    idPayout: call.idPayout,
  }
  const given = Object.entries(pairs).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => ` ${name}=${value}`).join('')
}

function attemptLine({ attempt, durationMs, status, failure, outcome }: AttemptEnded): LogLine {
  const { call, number, method, pathTemplate } = attempt
  const answer = failure ?? `status_${status}`
  const took = [answer, ms(durationMs), ...waits(attempt, (wait) => `after ${wait}`)].join(', ')
  return {
    level: 'debug',
    text: `${call.name}: ${method} ${pathTemplate} attempt ${number} ${outcome} (${took})`,
  }
}

function tokenLine({ kind, scope, lifetimeMs, why }: TokenEvent): LogLine {
  if (why === 'refused') {
    return {
      level: 'warn',
      text: `the gateway refused the kept token for ${scope} (401), so a new one is minted`,
    }
  }
  const more = lifetimeMs === undefined ? (why ?? '') : `good for ${Math.round(lifetimeMs / 1000)} s`
  return { level: 'debug', text: `token for ${scope} ${kind} (${more})` }
}

function budgetLine(event: BudgetEvent): LogLine | undefined {
  if (event.kind !== 'paused') return undefined
  return { level: 'warn', text: `the gateway said 429, so nothing is sent for ${ms(event.pauseMs)}` }
}

/** Once for each field: see `Observer.drift`. */
function driftLine({ route, issues }: DriftEvent): LogLine {
  return {
    level: 'warn',
    text: `the gateway's answer differs from what this version knows: ${route}: ${issues.join('; ')}`,
  }
}

function times(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`
}

interface Waited {
  readonly waitedForPermitMs: number
  readonly waitedForTokenMs: number
}

/** The waits that took a millisecond or more: of a call they are a part, before a request they come first. */
function waits({ waitedForPermitMs, waitedForTokenMs }: Waited, say: (wait: string) => string): string[] {
  return [
    ...(waitedForPermitMs >= 1 ? [`${say(ms(waitedForPermitMs))} for a permit`] : []),
    ...(waitedForTokenMs >= 1 ? [`${say(ms(waitedForTokenMs))} for a token`] : []),
  ]
}

function ms(duration: number): string {
  return `${Math.round(duration)} ms`
}

/** What came from outside must not look like another line of the log. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}
