/** What of a sandbox a rehearsal needs. A `Sandbox` fits; nothing here is imported from it, so that it can play one itself. */
export interface RehearsalGateway {
  readonly clock: { readonly mode: 'real' | 'virtual'; now(): number }
  readonly payins: { list(): readonly HeldPayment[] }
  readonly payouts: { list(): readonly HeldPayment[] }
  readonly requests: readonly SeenRequest[]
  readonly callbacks: readonly SeenCallback[]
  fault(fault: FaultToArm): ArmedFault
  callbackFault(fault: CallbackFaultToArm): ArmedFault
  /** Resolves when no callback is being delivered. */
  idle(): Promise<void>
  /** Refuses connections until the function that comes back is called. Absent where the server has to stay. */
  refuseConnections?(): Promise<() => Promise<void>>
}

export type Kind = 'payin' | 'payout'

export interface Money {
  readonly amount: number
  readonly currencyCode: string
}

/** A payment that the gateway holds. */
export interface HeldPayment {
  readonly kind: Kind
  readonly id: string
  readonly status: string
  readonly money: Money
  readonly history: readonly { readonly status: string; readonly at: number }[]
  settle(status: string): void
  sendCallback(form: { readonly times: number }): void
}

/** A request that the gateway has received. */
export interface SeenRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly fault: string | undefined
  readonly idPayin: string | undefined
  readonly idPayout: string | undefined
  readonly bodyText: string
}

/** A callback that the gateway has sent. */
export interface SeenCallback {
  readonly at: number
  readonly kind: Kind
  readonly id: string
  readonly paymentStatus: string
  readonly attempt: number
  readonly answer: number | undefined
}

export interface ArmedFault {
  readonly hits: number
  remove(): void
}

/** Endpoints whose answers can go wrong in a rehearsal. */
export const routes = [
  'POST /payins/{idPayin}',
  'POST /payouts/{idPayout}',
  'GET /payins/{idPayin}',
  'GET /payouts/{idPayout}',
  'POST /auth-tokens',
  'POST /auth-tokens-by-action',
] as const

export type Route = (typeof routes)[number]

export interface FaultToArm {
  readonly route: Route | '*'
  readonly times?: number
  readonly action:
    | { readonly kind: 'drop-after' | 'cut-body' | 'overtaken' | 'revoke-token' | 'rate-limit' }
    | { readonly kind: 'delay'; readonly ms: number }
    | { readonly kind: 'timeout'; readonly processed: boolean }
    | { readonly kind: 'status' | 'html'; readonly status: number; readonly processed: boolean }
}

export interface CallbackFaultToArm {
  readonly kind: Kind
  readonly times?: number
  readonly action: { readonly kind: 'missing' | 'swapped' }
}
