import { tracingChannel } from 'node:diagnostics_channel'
import {
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
import {
  type AttemptEnded,
  type AttemptStarted,
  type CallEnded,
  type CallStarted,
  isGatewayError,
  onGatewayEvent,
} from '../index.js'
import { storageOfContexts } from './active-context.js'
import { attemptAttributes, attemptEndAttributes, callAttributes, callEndAttributes } from './attributes.js'

const calls = tracingChannel<Context, CallStarted>('merchant-gateway:call')
const attempts = tracingChannel<Context, AttemptStarted>('merchant-gateway:attempt')

/**
 * The key by which the SDK's `suppressTracing` works; the API has no name for it. Inside an attempt it
 * keeps the instrumentation of undici or fetch from making a second span for the same request.
 */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** A span for each call, and in it one for each of its requests; each is active for what runs inside. */
export class Spans {
  readonly #tracer: Tracer
  readonly #open = new WeakMap<object, { readonly span: Span; readonly inside: Context }>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** @returns what ends it. */
  listen(): () => void {
    const storage = storageOfContexts()
    calls.start.bindStore(storage, (event) => active(() => this.#callStarted(event)))
    attempts.start.bindStore(storage, (event) => active(() => this.#attemptStarted(event)))
    const stops = [
      onGatewayEvent('merchant-gateway:call:end', (event) => this.#callEnded(event)),
      onGatewayEvent('merchant-gateway:attempt:end', (event) => this.#attemptEnded(event)),
    ]
    return () => {
      calls.start.unbindStore(storage)
      attempts.start.unbindStore(storage)
      for (const stop of stops) stop()
    }
  }

  #start(of: object, name: string, options: SpanOptions, around: Context): Context {
    const span = this.#tracer.startSpan(name, options, around)
    const inside = trace.setSpan(around, span)
    this.#open.set(of, { span, inside })
    return inside
  }

  #callStarted({ call }: CallStarted): Context {
    const options = { kind: SpanKind.INTERNAL, attributes: callAttributes(call) }
    return this.#start(call, call.name, options, context.active())
  }

  #callEnded(ended: CallEnded): void {
    const span = this.#open.get(ended.call)?.span
    if (span === undefined) return
    const { call, error } = ended
    span.setAttributes(callEndAttributes(ended))
    if (error !== undefined) {
      const message = shownMessage(error, isGatewayError(error), call)
      span.setStatus({ code: SpanStatusCode.ERROR, message })
    }
    span.end()
  }

  #attemptStarted({ attempt, setHeader }: AttemptStarted): Context {
    const { call, method, pathTemplate } = attempt
    const name = `${method} ${call.client.basePath}${pathTemplate}`
    const options = { kind: SpanKind.CLIENT, attributes: attemptAttributes(attempt) }
    const around = this.#open.get(call)?.inside ?? context.active()
    const inside = this.#start(attempt, name, options, around)
    sendAlong(inside, setHeader)
    return inside.setValue(suppressTracing, true)
  }

  #attemptEnded(ended: AttemptEnded): void {
    const span = this.#open.get(ended.attempt)?.span
    if (span === undefined) return
    span.setAttributes(attemptEndAttributes(ended))
    if (ended.failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** Node ends the process for what is thrown where a store gets its value. */
function active(start: () => Context): Context {
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
