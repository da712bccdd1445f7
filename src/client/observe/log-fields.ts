import { isGatewayError } from '../errors.js'
import { visible } from '../input/visible.js'
import type { GatewayEventName } from './channels.js'
import type { AttemptEnded, BudgetEvent, CallEnded, DriftEvent, GatewayEvents, TokenEvent } from './events.js'
import type { GatewayLogger } from './logger.js'

/** What a structured log keeps beside a line; nothing in it is a secret, a token or a customer's. */
export type LogFields = Readonly<Record<string, unknown>>

/** A logger that takes an object of fields and then the message, as pino does. */
export interface StructuredLogger
  extends Record<keyof GatewayLogger, (...args: [LogFields, string]) => void> {}

/**
 * Whether a logger is pino's, or speaks as pino does: pino and its children have `bindings`, and `console`,
 * winston and loggers of one's own don't. With these, fields behind the text would do harm: `console` would
 * take `%s` in what a gateway said for a place to fill.
 */
export function takesFields(logger: object): logger is StructuredLogger {
  return isMethod(logger, 'bindings') && isMethod(logger, 'child')
}

function isMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function'
}

type Fields = {
  readonly [Name in GatewayEventName]?: (event: GatewayEvents[Name]) => LogFields
}

const fields: Fields = {
  'merchant-gateway:call:end': callFields,
  'merchant-gateway:attempt:end': attemptFields,
  'merchant-gateway:token': tokenFields,
  'merchant-gateway:budget': budgetFields,
  'merchant-gateway:drift': driftFields,
}

/** The fields of an event, by the names of the event's own. */
export function fieldsOf<Name extends GatewayEventName>(name: Name, event: GatewayEvents[Name]): LogFields {
  return Object.fromEntries(
    Object.entries({ event: name, ...fields[name]?.(event) })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, typeof value === 'string' ? visible(value) : value]),
  )
}

/** What a call came to: these also stand at the end of its line. */
export function factsOf({ call, status, outcome, replayed, error }: CallEnded): LogFields {
  return {
    code: isGatewayError(error) ? error.code : undefined,
    outcome,
    replayed,
    status,
    idPayin: call.idPayin,
    idPayout: call.idPayout,
  }
}

function callFields(ended: CallEnded): LogFields {
  const { call, attempts, durationMs, waitedForPermitMs, waitedForTokenMs } = ended
  return {
    call: call.name,
    ...factsOf(ended),
    attempts,
    durationMs: Math.round(durationMs),
    waitedForPermitMs: Math.round(waitedForPermitMs),
    waitedForTokenMs: Math.round(waitedForTokenMs),
  }
}

function attemptFields({ attempt, durationMs, status, failure, outcome }: AttemptEnded): LogFields {
  const { call, number, method, pathTemplate, retryReason } = attempt
  return {
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
  }
}

function tokenFields({ kind, scope, lifetimeMs, why, storeFailure }: TokenEvent): LogFields {
  return { token: kind, scope, why, lifetimeMs, storeFailure }
}

function budgetFields(event: BudgetEvent): LogFields {
  return event.kind === 'paused' ? { pauseMs: Math.round(event.pauseMs) } : {}
}

function driftFields({ route, issues }: DriftEvent): LogFields {
  return { route, issues: issues.map(visible) }
}
