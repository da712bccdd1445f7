import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { gauge } from './gauges.js'
import { count } from './measures.js'
import { makeSpans } from './spans.js'

/** Where spans and metrics go. */
export interface InstrumentGatewayOptions {
  /** Default: the global one, also when it is registered later. */
  tracerProvider?: TracerProvider | undefined
  /** Default: the global one as it is at the call, so start the SDK first. */
  meterProvider?: MeterProvider | undefined
}

/**
 * Makes spans and metrics of what every client in this process does: a span for each call, in it one
 * for each request, and the trace context goes along to the gateway. The instrumentation of undici or
 * fetch makes no second span for these requests. Called again, it takes the place of the call before.
 *
 * @returns a function that ends it.
 * @example
 * import { instrumentGateway } from 'merchant-gateway/opentelemetry'
 * sdk.start()
 * instrumentGateway()
 */
export function instrumentGateway(options: InstrumentGatewayOptions = {}): () => void {
  const own: InstrumentGatewayOptions = Object.assign(Object.create(null), options)
  const { tracerProvider = trace.getTracerProvider(), meterProvider = metrics.getMeterProvider() } = own
  stopPrevious()
  const meter = meterProvider.getMeter(name)
  const stops = [...makeSpans(tracerProvider.getTracer(name)), ...count(meter), ...gauge(meter)]
  const stop = () => {
    for (const end of stops) end()
  }
  Reflect.set(globalThis, place, stop)
  return stop
}

const name = 'merchant-gateway'
const place = Symbol.for('merchant-gateway.instrumented')

/** Two would make every span twice. The place is the process's: ESM and CommonJS copies share it. */
function stopPrevious(): void {
  const stop: unknown = Reflect.get(globalThis, place)
  if (typeof stop === 'function') stop()
}
