import type { MeterProvider, TracerProvider } from '@opentelemetry/api'

/** Where spans and metrics go. */
export interface InstrumentGatewayOptions {
  /** Default: the global one. */
  tracerProvider?: TracerProvider
  /** Default: the global one. */
  meterProvider?: MeterProvider
}

export function instrumentGateway(_options: InstrumentGatewayOptions = {}): () => void {
  return () => undefined
}
