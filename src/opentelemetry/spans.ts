import {
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { shownMessage } from '../client/observe/logger.js'
import {
  type AttemptEnded,
  type AttemptStarted,
  type CallEnded,
  type CallStarted,
  isGatewayError,
} from '../index.js'
import { attemptAttributes, attemptEndAttributes, callAttributes, callEndAttributes } from './attributes.js'

interface OpenCall {
  readonly span: Span
  readonly context: Context
}

/**
 * The key by which the SDK's `suppressTracing` works; the API has no name for it. Inside an attempt it
 * keeps the instrumentation of undici or fetch from making a second span for the same request.
 */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** A span for each call, and in it one for each of its requests. */
export class Spans {
  readonly #tracer: Tracer
  readonly #calls = new WeakMap<object, OpenCall>()
  readonly #attempts = new WeakMap<object, Span>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  callStarted({ call, runIn }: CallStarted): void {
    const around = context.active()
    const attributes = callAttributes(call)
    const span = this.#tracer.startSpan(call.name, { kind: SpanKind.INTERNAL, attributes }, around)
    const inside = trace.setSpan(around, span)
    this.#calls.set(call, { span, context: inside })
    runIn((run) => context.with(inside, run))
  }

  callEnded(ended: CallEnded): void {
    const span = this.#calls.get(ended.call)?.span
    if (span === undefined) return
    const { call, error } = ended
    span.setAttributes(callEndAttributes(ended))
    if (error !== undefined) {
      const message = shownMessage(error, isGatewayError(error), call)
      span.setStatus({ code: SpanStatusCode.ERROR, message })
    }
    span.end()
  }

  attemptStarted({ attempt, setHeader, runIn }: AttemptStarted): void {
    const around = this.#calls.get(attempt.call)?.context ?? context.active()
    const name = `${attempt.method} ${attempt.call.client.basePath}${attempt.pathTemplate}`
    const attributes = attemptAttributes(attempt)
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, around)
    const inside = trace.setSpan(around, span)
    this.#attempts.set(attempt, span)
    sendAlong(inside, setHeader)
    runIn((run) => context.with(inside.setValue(suppressTracing, true), run))
  }

  attemptEnded(ended: AttemptEnded): void {
    const span = this.#attempts.get(ended.attempt)
    if (span === undefined) return
    span.setAttributes(attemptEndAttributes(ended))
    if (ended.failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
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
