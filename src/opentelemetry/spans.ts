import { tracingChannel } from 'node:diagnostics_channel'
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { shownMessage } from '../client/observe/logger.js'
import { type AttemptStarted, type CallStarted, isGatewayError, onGatewayEvent } from '../index.js'
import { storageOfContexts } from './active-context.js'
import { attemptAttributes, attemptEndAttributes, callAttributes, callEndAttributes } from './attributes.js'

const calls = tracingChannel<Context, CallStarted>('merchant-gateway:call')
const attempts = tracingChannel<Context, AttemptStarted>('merchant-gateway:attempt')

/**
 * The key by which the SDK's `suppressTracing` works; the API has no name for it. Inside an attempt it
 * keeps the instrumentation of undici or fetch from making a second span for the same request.
 */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** A span for each call, and in it one for each of its requests; each is active for what runs inside. @returns what ends it. */
export function makeSpans(tracer: Tracer): readonly (() => void)[] {
  const open = new WeakMap<object, { readonly span: Span; readonly inside: Context }>()
  const start = (of: object, name: string, options: SpanOptions, around: Context): Context => {
    const span = tracer.startSpan(name, options, around)
    const inside = trace.setSpan(around, span)
    open.set(of, { span, inside })
    return inside
  }
  const end = (of: object, attributes: Attributes, failed: boolean, message?: string): void => {
    const span = open.get(of)?.span
    span?.setAttributes(attributes)
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) })
    span?.end()
  }
  const callStarted = ({ call }: CallStarted): Context => {
    const options = { kind: SpanKind.INTERNAL, attributes: callAttributes(call) }
    return start(call, call.name, options, context.active())
  }
  const attemptStarted = ({ attempt, setHeader }: AttemptStarted): Context => {
    const { call, method, pathTemplate } = attempt
    const name = `${method} ${call.client.basePath}${pathTemplate}`
    const options = { kind: SpanKind.CLIENT, attributes: attemptAttributes(attempt) }
    const inside = start(attempt, name, options, open.get(call)?.inside ?? context.active())
    sendAlong(inside, setHeader)
    return inside.setValue(suppressTracing, true)
  }
  const storage = storageOfContexts()
  calls.start.bindStore(storage, (event) => orActive(() => callStarted(event)))
  attempts.start.bindStore(storage, (event) => orActive(() => attemptStarted(event)))
  return [
    () => void calls.start.unbindStore(storage),
    () => void attempts.start.unbindStore(storage),
    onGatewayEvent('merchant-gateway:call:end', (ended) => {
      const { call, error } = ended
      const message = error && shownMessage(error, isGatewayError(error), call)
      end(call, callEndAttributes(ended), error !== undefined, message)
    }),
    onGatewayEvent('merchant-gateway:attempt:end', (ended) => {
      end(ended.attempt, attemptEndAttributes(ended), ended.failure !== undefined)
    }),
  ]
}

/** Node ends the process for what is thrown where a store gets its value. */
function orActive(start: () => Context): Context {
  try {
    return start()
  } catch {
    return context.active()
  }
}

/** The trace context, but no baggage: that is the merchant's, and may name a customer. */
function sendAlong(inside: Context, setHeader: AttemptStarted['setHeader']): void {
  const headers: Record<string, string> = {}
  propagation.inject(inside, headers)
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'baggage') setHeader(name, value)
  }
}
