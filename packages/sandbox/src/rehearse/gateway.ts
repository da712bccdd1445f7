import type { PaymentKind } from '../gateway/payments/payment.js'
import type { Sandbox } from '../gateway/sandbox.js'
import type { SandboxMoney } from '../gateway/wire/money.js'

export type Kind = PaymentKind
export type Money = SandboxMoney

type Seen = 'callbacks' | 'clock' | 'payins' | 'payouts' | 'requests'
type Done = 'callbackFault' | 'changeLimiter' | 'clearFaults' | 'fault' | 'idle' | 'revokeTokens'

/** What of a sandbox a rehearsal needs. A sandbox can play one itself, so only its types are imported. */
export type RehearsalGateway = Pick<Sandbox, Seen | Done>
