import type { SandboxCallback } from '../gateway/callbacks/attempt.js'
import type { SandboxRequest } from '../gateway/engine/logged-request.js'
import type { CallbackFaultOptions, FaultHandle, FaultOptions } from '../gateway/faults/fault.js'
import type { PaymentKind, SandboxPayment } from '../gateway/payments/payment.js'
import type { SandboxMoney } from '../gateway/wire/money.js'

export type Kind = PaymentKind
export type Money = SandboxMoney

/** What of a sandbox a rehearsal needs. A `Sandbox` fits; it can play one itself, so only its types are imported. */
export interface RehearsalGateway {
  readonly clock: { readonly mode: 'real' | 'virtual'; now(): number }
  readonly payins: { list(): readonly SandboxPayment[] }
  readonly payouts: { list(): readonly SandboxPayment[] }
  readonly requests: readonly SandboxRequest[]
  readonly callbacks: readonly SandboxCallback[]
  fault(fault: FaultOptions): FaultHandle
  callbackFault(fault: CallbackFaultOptions): FaultHandle
  /** Resolves when no callback is being delivered. */
  idle(): Promise<void>
}

/** What a rehearsal does with the gateway as a whole, which nobody else uses. */
export interface OwnGateway {
  /** Refuses connections until it is opened again. */
  refuseConnections(): Promise<ClosedGateway>
  /** Takes as many requests a second as before, and begins to count anew. */
  renewLimit(): void
  /** Disarms all faults and sets the clock right. */
  clearFaults(): void
  /** Takes as many requests as come. */
  suspendLimit(): void
  /** Revokes all tokens, so that the application asks for one. */
  revokeTokens(): Promise<void>
}

/** A gateway at whose address nobody listens. */
export interface ClosedGateway {
  /**
   * Takes one connection, cuts it off unread and refuses those after it: a connection that is refused can't be seen.
   * Returns whether there was one.
   */
  cutOffNext(withinMs: number, signal: AbortSignal): Promise<boolean>
  open(): Promise<void>
}
