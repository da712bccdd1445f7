import type { Attributes } from '@opentelemetry/api'
import {
  type AttemptEnded,
  type CallEnded,
  isGatewayError,
  type ObservedAttempt,
  type ObservedCall,
  type ObservedClient,
  type PaymentKind,
} from '../index.js'

/**
 * Names by the semantic conventions for HTTP clients where they have one. `url.full` is left out: it
 * holds ids, and in requests of the caller's own making whatever the caller put there.
 */
export function serverAttributes({ serverAddress, serverPort }: ObservedClient): Attributes {
  return { 'server.address': serverAddress, 'server.port': serverPort }
}

export const kinds = ['payin', 'payout'] as const satisfies readonly PaymentKind[]

export function kindLabel(kind: PaymentKind | undefined): Attributes {
  return kind === undefined ? {} : { 'merchant_gateway.payment.kind': kind }
}

export function callAttributes({ client, priority, idPayin, idPayout }: ObservedCall): Attributes {
  return {
    ...serverAttributes(client),
    'merchant_gateway.priority': priority,
    // On spans only: an id is the way from a payment to its trace, and would break a metric.
    ...(idPayin === undefined ? {} : { 'merchant_gateway.payin.id': idPayin }),
    ...(idPayout === undefined ? {} : { 'merchant_gateway.payout.id': idPayout }),
  }
}

export function callEndAttributes(ended: CallEnded): Attributes {
  const { attempts, status, waitedForPermitMs, waitedForTokenMs } = ended
  return {
    ...resultAttributes(ended),
    'merchant_gateway.attempts': attempts,
    'merchant_gateway.permit.wait_ms': waitedForPermitMs,
    'merchant_gateway.token.wait_ms': waitedForTokenMs,
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
  }
}

/** What a call came to, in labels of few values. */
export function resultAttributes({ outcome, replayed, error }: CallEnded): Attributes {
  return {
    ...(outcome === undefined ? {} : { 'merchant_gateway.outcome': outcome }),
    ...(replayed === undefined ? {} : { 'merchant_gateway.replayed': replayed }),
    ...(error === undefined ? {} : { 'error.type': isGatewayError(error) ? error.code : error.name }),
  }
}

export function attemptAttributes(attempt: ObservedAttempt): Attributes {
  const { call, number, retryReason, waitedForPermitMs, waitedForTokenMs } = attempt
  return {
    ...serverAttributes(call.client),
    ...requestAttributes(attempt),
    ...(number === 1 ? {} : { 'http.request.resend_count': number - 1 }),
    ...(retryReason === undefined ? {} : { 'merchant_gateway.retry_reason': retryReason }),
    'merchant_gateway.permit.wait_ms': waitedForPermitMs,
    'merchant_gateway.token.wait_ms': waitedForTokenMs,
  }
}

export function requestAttributes({ call, method, pathTemplate }: ObservedAttempt): Attributes {
  return { 'http.request.method': method, 'url.template': call.client.basePath + pathTemplate }
}

export function attemptEndAttributes({ status, outcome, failure }: AttemptEnded): Attributes {
  return {
    'merchant_gateway.outcome': outcome,
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    ...(failure === undefined ? {} : { 'error.type': errorType(failure, status) }),
  }
}

/** The conventions want the status code itself where a response came, and a word where none did. */
function errorType(failure: string, status: number | undefined): string {
  return failure.startsWith('status_') ? String(status) : failure
}
