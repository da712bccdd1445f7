/**
 * Spans and metrics of what the client does, for OpenTelemetry.
 *
 * @module merchant-gateway/opentelemetry
 */

export { type InstrumentGatewayOptions, instrumentGateway } from './instrument.js'
