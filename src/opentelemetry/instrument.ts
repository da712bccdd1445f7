import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { onGatewayEvent } from '../index.js'
import { Gauges } from './gauges.js'
import { Measures } from './measures.js'
import { Spans } from './spans.js'

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
  const measures = new Measures(meter)
  const gauges = new Gauges(meter)
  const stops = [
    new Spans(tracerProvider.getTracer(name)).listen(),
    onGatewayEvent('merchant-gateway:call:end', (event) => measures.callEnded(event)),
    onGatewayEvent('merchant-gateway:attempt:end', (event) => measures.attemptEnded(event)),
    onGatewayEvent('merchant-gateway:token', (event) => {
      measures.token(event)
      gauges.token(event)
    }),
    onGatewayEvent('merchant-gateway:rate-limit', (event) => measures.rateLimit(event)),
    onGatewayEvent('merchant-gateway:callback', (event) => {
      measures.callback(event)
      gauges.callback(event)
    }),
    onGatewayEvent('merchant-gateway:catch-up', (event) => {
      measures.catchUp(event)
      gauges.openPayment(event)
    }),
    onGatewayEvent('merchant-gateway:balances', (event) => gauges.balances(event)),
    () => gauges.stop(),
  ]
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
