import { isGatewayError } from '../errors.js'
import { visible } from '../input/visible.js'
import type { GatewayEventName } from './channels.js'
import type {
  AttemptEnded,
  BudgetEvent,
  BudgetSpacingEvent,
  CallEnded,
  DriftEvent,
  GatewayEvents,
  ObservedCall,
  TokenEvent,
} from './events.js'
import { ignoreRejection } from './ignore-rejection.js'
import { factsOf, fieldsOf, takesFields } from './log-fields.js'
import type { GatewayLogger } from './logger.js'
import { shownMessage } from './shown-message.js'

/** Writes the line of an event, where it has one. A logger that throws changes nothing. */
export function logEvent<Name extends GatewayEventName>(
  logger: GatewayLogger,
  slowMs: number,
  name: Name,
  event: GatewayEvents[Name],
): void {
  try {
    const line = lines[name]?.(event, slowMs)
    if (line === undefined) return
    // A logger that is async may also reject.
    if (takesFields(logger)) ignoreRejection(logger[line.level](fieldsOf(name, event), sentenceOf(line)))
    else ignoreRejection(logger[line.level](textOf(line)))
  } catch {
    // A payment goes on without its line in the log.
  }
}

/** A line and how much it matters. */
export interface LogLine {
  readonly level: keyof GatewayLogger
  readonly text: string
}

/** A line before it is put together: a sentence, and the facts that go to its end, or into fields. */
interface LineParts {
  readonly level: keyof GatewayLogger
  readonly text: string
  readonly facts?: Readonly<Record<string, unknown>>
}

type Lines = {
  readonly [Name in GatewayEventName]?: (event: GatewayEvents[Name], slowMs: number) => LineParts | undefined
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
  return line && { level: line.level, text: textOf(line) }
}

function sentenceOf({ text }: LineParts): string {
  return visible(`merchant-gateway: ${text}`)
}

function textOf(line: LineParts): string {
  const given = Object.entries(line.facts ?? {}).filter(([, value]) => value !== undefined)
  return sentenceOf(line) + visible(given.map(([name, value]) => ` ${name}=${value}`).join(''))
}

function callLine(ended: CallEnded, slowMs: number): LineParts {
  const { call, attempts, durationMs, error } = ended
  const took = [times(attempts), ms(durationMs), ...waitTimes(ended, (wait) => `${wait} of it`)].join(', ')
  // A wait gives its look up when a callback has brought what it was to find, or when the wait ends.
  if (isGatewayError(error) && error.code === 'aborted' && call.lane === 'poll') {
    return { level: 'debug', text: `${call.name} was not needed any more (${took})`, facts: factsOf(ended) }
  }
  if (error !== undefined) {
    return {
      level: failureLevel(error, call),
      text: `${call.name} failed (${took}): ${shownMessage(error, isGatewayError(error), call)}`,
      facts: factsOf(ended),
    }
  }
  const level = attempts > 1 || durationMs > slowMs ? 'warn' : 'debug'
  const how = durationMs > slowMs ? 'succeeded slowly' : 'succeeded'
  return { level, text: `${call.name} ${how} (${took})`, facts: factsOf(ended) }
}

/** What the caller did itself is no trouble, and a poll that failed is made again. */
function failureLevel(error: Error, { lane, name }: ObservedCall): LogLine['level'] {
  const code = isGatewayError(error) ? error.code : undefined
  if (code === 'aborted' || code === 'client_closed' || code === 'invalid_input') return 'info'
  // The call that waits for the token says itself that it failed; while it is replaced, none does.
  return lane === 'poll' || name === 'tokens.mint' || code === 'not_found' ? 'warn' : 'error'
}

function attemptLine({ attempt, durationMs, status, failure, outcome }: AttemptEnded): LineParts {
  const { call, number, method, pathTemplate } = attempt
  const answer = failure ?? `status_${status}`
  const took = [answer, ms(durationMs), ...waitTimes(attempt, (wait) => `after ${wait}`)].join(', ')
  return {
    level: 'debug',
    text: `${call.name}: ${method} ${pathTemplate} attempt ${number} ${outcome} (${took})`,
  }
}

function tokenLine({ kind, scope, lifetimeMs, why, storeFailure }: TokenEvent): LineParts {
  if (kind === 'unshared') {
    if (storeFailure === 'unreadable') {
      return {
        level: 'warn',
        text: `tokenStore held something for ${scope} that none of its keys decrypts, so a new token is minted`,
      }
    }
    return {
      level: 'warn',
      text: `tokenStore failed (${storeFailure}), so the token for ${scope} is this client's own`,
    }
  }
  if (why === 'refused') {
    return {
      level: 'warn',
      text: `the gateway refused the kept token for ${scope} (401), so a new one is minted`,
    }
  }
  const more = lifetimeMs === undefined ? (why ?? '') : `good for ${Math.round(lifetimeMs / 1000)} s`
  return { level: 'debug', text: `token for ${scope} ${kind} (${more})` }
}

function budgetLine(event: BudgetEvent): LineParts | undefined {
  if (event.kind === 'spacing') return spacingLine(event)
  if (event.kind !== 'paused') return undefined
  return { level: 'warn', text: `the gateway said 429, so nothing is sent for ${ms(event.pauseMs)}` }
}

function spacingLine({ to }: BudgetSpacingEvent): LineParts {
  if (to === 'in-windows') {
    return { level: 'info', text: 'two requests at once were not refused, so they are not spaced any more' }
  }
  return {
    level: 'warn',
    text: "requests are spaced evenly after the 429; if the gateway always counts so, set rateLimit: { requestsPerSecond, counted: 'evenly-spaced' }",
  }
}

/** Once for each field: see `Observer.drift`. */
function driftLine({ route, issues }: DriftEvent): LineParts {
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

/** The waits that took a millisecond or more, each in words that `say` puts around it. */
function waitTimes({ waitedForPermitMs, waitedForTokenMs }: Waited, say: (wait: string) => string): string[] {
  return [
    ...(waitedForPermitMs >= 1 ? [`${say(ms(waitedForPermitMs))} for a permit`] : []),
    ...(waitedForTokenMs >= 1 ? [`${say(ms(waitedForTokenMs))} for a token`] : []),
  ]
}

function ms(duration: number): string {
  return `${Math.round(duration)} ms`
}
