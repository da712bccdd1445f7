import { hasMethod } from '../input/values.js'
import { type GatewayEventName, onGatewayEvent } from './channels.js'
import type { GatewayEvents, ObservedClient } from './events.js'
import { type LogFields, lineOf } from './log-lines.js'
import type { GatewayLogger } from './logger.js'

export interface Log {
  readonly logger: GatewayLogger
  readonly slowCallMs: number
}

/** The logs of all clients: one listener for each channel serves them, and none keeps a client alive. */
const logs = new WeakMap<ObservedClient, Log>()
let isListening = false

export function logClient(client: ObservedClient, log: Log): void {
  logs.set(client, log)
  if (isListening) return
  isListening = true
  logEvents('merchant-gateway:call:end', ({ call }) => call.client)
  logEvents('merchant-gateway:attempt:end', ({ attempt }) => attempt.call.client)
  logEvents('merchant-gateway:token', (event) => event.client)
  logEvents('merchant-gateway:rate-limit', (event) => ('client' in event ? event.client : undefined))
}

function logEvents<Name extends GatewayEventName>(
  name: Name,
  clientOf: (event: GatewayEvents[Name]) => ObservedClient | undefined,
): void {
  onGatewayEvent(name, (event) => {
    const client = clientOf(event)
    const log = client && logs.get(client)
    if (log !== undefined) writeLine(log, name, event)
  })
}

/** A logger that throws changes nothing. */
export function writeLine<Name extends GatewayEventName>(
  { logger, slowCallMs }: Log,
  name: Name,
  event: GatewayEvents[Name],
): void {
  try {
    const line = lineOf(name, event, slowCallMs)
    if (line === undefined) return
    if (takesFields(logger)) logger[line.level](line.fields, line.sentence)
    else logger[line.level](line.text)
  } catch {}
}

interface StructuredLogger extends Record<keyof GatewayLogger, (...args: [LogFields, string]) => void> {}

/** Whether a logger is as pino: for `console`, fields would fill a `%s` in what a gateway said. */
function takesFields(logger: object): logger is StructuredLogger {
  return hasMethod(logger, 'bindings') && hasMethod(logger, 'child')
}
