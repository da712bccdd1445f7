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
  clearFaults(): void
  /** Begins to count anew; with `false` it takes as many requests as come. */
  changeLimiter(change: { readonly rateLimit: number | false }): void
  /** Revokes all tokens, so that the application asks for one. */
  revokeTokens(): Promise<void>
  idle(): Promise<void>
}
