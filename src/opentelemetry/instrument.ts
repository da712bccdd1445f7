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
  const spans = new Spans(tracerProvider.getTracer(name))
  const meter = meterProvider.getMeter(name)
  const measures = new Measures(meter)
  const gauges = new Gauges(meter)
  const stops = [
    onGatewayEvent('merchant-gateway:call:start', (event) => spans.callStarted(event)),
    onGatewayEvent('merchant-gateway:call:end', (event) => spans.callEnded(event)),
    onGatewayEvent('merchant-gateway:call:end', (event) => measures.callEnded(event)),
    onGatewayEvent('merchant-gateway:attempt:start', (event) => spans.attemptStarted(event)),
    onGatewayEvent('merchant-gateway:attempt:start', (event) => measures.attemptStarted(event)),
    onGatewayEvent('merchant-gateway:attempt:end', (event) => spans.attemptEnded(event)),
    onGatewayEvent('merchant-gateway:attempt:end', (event) => measures.attemptEnded(event)),
    onGatewayEvent('merchant-gateway:token', (event) => measures.token(event)),
    onGatewayEvent('merchant-gateway:token', (event) => gauges.token(event)),
    onGatewayEvent('merchant-gateway:rate-limit', (event) => measures.budget(event)),
    onGatewayEvent('merchant-gateway:callback', (event) => measures.callback(event)),
    onGatewayEvent('merchant-gateway:callback', (event) => gauges.callback(event)),
    onGatewayEvent('merchant-gateway:catch-up', (event) => measures.catchUp(event)),
    onGatewayEvent('merchant-gateway:catch-up', (event) => gauges.openPayment(event)),
    onGatewayEvent('merchant-gateway:balances', (event) => gauges.balances(event)),
    () => gauges.stop(),
  ]
  const stop = () => {
    for (const end of stops) end()
  }
  takePlace(stop)
  return stop
}

const name = 'merchant-gateway'
const place = Symbol.for('merchant-gateway.instrumented')

/** Two would make every span twice. The place is the process's: ESM and CommonJS copies share it. */
function takePlace(stop: () => void): void {
  const before: unknown = Reflect.get(globalThis, place)
  if (typeof before === 'function') before()
  Reflect.set(globalThis, place, stop)
}
