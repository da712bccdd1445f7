/**
 * Spans and metrics of what the client does, for OpenTelemetry.
 *
 * @module merchant-gateway/opentelemetry
 */

export { instrumentGateway } from './instrument.js'
